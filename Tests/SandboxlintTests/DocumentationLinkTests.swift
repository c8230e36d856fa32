import Foundation
import TestSupport
import Testing

@Suite("Links of the documentation") struct DocumentationLinkTests {
    private static let pages =
        DocumentationPage.guides + DocumentationPage.pages(in: "rules") + DocumentationPage.pages(in: "rules/docs")
        + DocumentationPage.pages(in: "docs/architecture")
        + ["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map { DocumentationPage($0) }

    /// The relative links of a page, without those in code.
    static func links(of page: DocumentationPage) -> [String] {
        let prose = page.prose.joined(separator: "\n").replacing(/`[^`\n]*`/, with: "code")
        return prose.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }.filter { !$0.contains("://") }
    }

    /// The anchors of a page's headings, as GitHub makes them.
    static func anchors(of page: DocumentationPage) -> Set<String> {
        var seen: [String: Int] = [:]
        return Set(
            page.prose.filter { $0.hasPrefix("#") }.map { line in
                let title = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
                let name = title.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                    .replacing(" ", with: "-")
                let number = seen[name, default: 0]
                seen[name] = number + 1
                return number == 0 ? name : "\(name)-\(number)"
            })
    }

    /// The links of a page whose file or anchor does not exist.
    private static func broken(in page: DocumentationPage) -> [String] {
        links(of: page).filter { link in
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let folder = page.url.deletingLastPathComponent()
            let target = parts[0].isEmpty ? page.url : folder.appending(path: String(parts[0])).standardized
            guard FileManager.default.fileExists(atPath: target.path) else { return true }
            guard parts.count == 2 else { return false }
            let text = parts[0].isEmpty ? page.text : (try? String(contentsOf: target, encoding: .utf8)) ?? ""
            return !anchors(of: DocumentationPage(page.path, text: text)).contains(String(parts[1]))
        }
    }

    @Test("Every relative link and anchor exists", arguments: pages)
    func links(page: DocumentationPage) {
        #expect(!page.text.isEmpty)
        #expect(Self.broken(in: page).isEmpty, "\(page): \(Self.broken(in: page))")
    }

    @Test("README links to every page in docs")
    func index() throws {
        let readme = try #require(DocumentationPage.guides.first)
        let linked = Set(Self.links(of: readme))
        let pages = DocumentationPage.guides.dropFirst()
        #expect(pages.count >= 10)
        for page in pages { #expect(linked.contains(page.path), "\(page)") }
    }

    @Test("A missing file and a missing anchor are broken; links in code and to other sites are not checked")
    func detection() {
        let page = DocumentationPage(
            "docs/faq.md",
            text: """
                # A title: `code`, and more
                [a](#a-title-code-and-more) [b](faq.md#how-do-i-get-a-container) [c](../README.md) [d](https://a.example)
                `[code](gone.md)` [e](gone.md) [f](#gone) [g](faq.md#gone)
                ```text
                # gone
                [h](gone.md)
                ```
                """)
        #expect(Self.broken(in: page) == ["gone.md", "#gone", "faq.md#gone"])
    }
}
