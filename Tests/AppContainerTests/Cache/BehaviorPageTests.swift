import Foundation
import TestSupport
import Testing

@Suite("Page on the behavior of other libraries") struct BehaviorPageTests {
    private static let page = DocumentationPage("docs/cache-behavior.md")

    /// The cells of each row of the tables.
    private static let rows: [[String]] = page.text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { row in
        row.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }.filter { $0.first != "behavior" }

    @Test("Each row is the same or different with a test that exists, or not applicable")
    func rows() throws {
        let folder = DocumentationPage.root.appending(path: "Tests/AppContainerTests")
        var sources: [String: String] = [:]
        for path in [
            "Cache/LikeOtherCachesTests", "Cache/FileCacheTests", "Cache/CacheFetchTests",
            "Values/LikeSharedFilesTests", "Values/FileValueTests",
        ] {
            let name = try #require(path.split(separator: "/").last.map(String.init))
            sources[name] = try String(contentsOf: folder.appending(path: "\(path).swift"), encoding: .utf8)
        }
        #expect(Self.rows.count > 90)
        for row in Self.rows {
            try #require(row.count == 3, "\(row)")
            #expect(["same", "different: ", "not applicable"].contains { row[1].hasPrefix($0) }, "\(row)")
            #expect(row[2].isEmpty == row[1].hasPrefix("not applicable"), "\(row)")
            for match in row[2].matches(of: /`(?:([A-Za-z]+)\.)?([A-Za-z]+)`/) {
                let suites = match.output.1.map { [String($0)] } ?? ["LikeOtherCachesTests", "LikeSharedFilesTests"]
                #expect(suites.contains { sources[$0]?.contains("    func \(match.output.2)(") == true }, "\(row)")
            }
        }
    }
}
