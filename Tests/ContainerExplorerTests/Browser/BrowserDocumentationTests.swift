@testable import ContainerExplorer
import Foundation
import TestSupport
import Testing

@Suite("Browser: documentation") struct BrowserDocumentationTests {
    @Test("The table of keys in the guide is the table of the browser")
    func keys() throws {
        let page = try String(
            contentsOf: DocumentationPage.root.appending(path: "docs/sandboxfm.md"), encoding: .utf8)
        let section = try #require(page.components(separatedBy: "\n## Interactive mode\n").last)
        let documented = section.components(separatedBy: "\n## ")[0].split(separator: "\n")
            .filter { $0.hasPrefix("| ") }.dropFirst()
            .map { line in
                line.split(separator: "|").map {
                    $0.trimmingCharacters(in: .whitespaces).replacing("`", with: "")
                }
            }
        let expected = BrowserCommand.allCases.map { [$0.keyNames, $0.purpose] }
        #expect(documented == expected)
    }
}
