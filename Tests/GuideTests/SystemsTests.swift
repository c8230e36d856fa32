import Foundation
import TestSupport
import Testing

@Suite("Table of the systems") struct SystemsTests {
    private static let page = DocumentationPage("docs/systems.md")

    /// The cells of each row.
    private static let rows: [[String]] = page.text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
        .map { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }

    /// Returns the text and the target of a link relative to the page, as a path from the root.
    private static func link(_ cell: String) throws -> (text: String, url: URL) {
        let match = try #require(cell.wholeMatch(of: /\[`?([^`\]]+)`?\]\(\.\.\/([^)]+)\)/), "\(cell)")
        return (String(match.output.1), DocumentationPage.root.appending(path: String(match.output.2)))
    }

    @Test("All fourteen systems are listed in order")
    func numbers() {
        #expect(Self.rows.map(\.first) == (1...14).map { "\($0)" })
        for row in Self.rows { #expect(row.count == 5, "\(row)") }
    }

    @Test("Each row names an example or a library that exists, and a file that exists")
    func files() throws {
        for row in Self.rows {
            let name = row[2].trimmingCharacters(in: ["`"])
            let folder = row[2].hasPrefix("`") ? "Sources/\(name)" : "Examples/\(name)/Sources"
            #expect(Self.exists(DocumentationPage.root.appending(path: folder)), "\(row)")
            let file = try Self.link(row[3])
            #expect(
                file.url.lastPathComponent == file.text || file.url.path.hasSuffix("\(file.text)/Sources"), "\(row)")
            #expect(Self.exists(file.url), "\(row)")
        }
    }

    @Test("Each row names a test that exists: a suite, and a function with a title")
    func tests() throws {
        for row in Self.rows {
            let test = try Self.link(row[4])
            let parts = test.text.split(separator: ".")
            let source = try String(contentsOf: test.url, encoding: .utf8)
            try #require(parts.count == 2, "\(row)")
            #expect(source.contains("struct \(parts[0]) ") && source.contains("import Testing"), "\(row)")
            // The attribute of a test ends in the lines before the function.
            let function = try Regex(#"@Test\((?s:(?!\bfunc\b).)*func "# + parts[1] + #"\("#)
            #expect(source.contains(function), "\(row)")
        }
    }

    private static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }
}
