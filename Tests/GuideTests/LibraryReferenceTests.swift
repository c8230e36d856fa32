import Foundation
import TestSupport
import Testing

@Suite("Overview of the libraries' calls") struct LibraryReferenceTests {
    /// Members that a conformance to a protocol of the standard library or of Foundation requires.
    private static let required: Set<String> = [
        "description", "errorCode", "errorDescription", "errorDomain", "errorUserInfo", "hash(into:)", "encode(to:)",
        "init(from:)", "init(rawValue:)", "init(stringLiteral:)", "init(arrayLiteral:)", "init(booleanLiteral:)",
        "init(dictionaryLiteral:)", "init(floatLiteral:)", "init(integerLiteral:)", "makeAsyncIterator()",
        "==(_:_:)", "projectedValue",
        // Members of ArchivableValue, which types of an app conform to.
        "archivedClasses", "archivedObject", "value(ofArchived:)",
    ]
    private static let kinds: Set<String> = [
        "swift.class", "swift.struct", "swift.enum", "swift.protocol", "swift.typealias", "swift.enum.case",
        "swift.init",
        "swift.func", "swift.func.op", "swift.method", "swift.type.method", "swift.property", "swift.type.property",
        "swift.subscript", "swift.macro",
    ]

    /// Returns the name of a symbol as the page states it: without the arguments that locate the call.
    private static func name(of symbol: SymbolGraph.Symbol) -> String? {
        guard kinds.contains(symbol.kind.identifier), !symbol.isSynthesized,
            let last = symbol.pathComponents.last, !required.contains(last)
        else { return nil }
        // Iterators are used only through loops.
        if symbol.pathComponents.contains("AsyncIterator") || symbol.pathComponents.contains("Iterator") { return nil }
        if symbol.name == "PreferenceChanges.Element" { return nil }
        return symbol.name.replacing(":fileID:line:", with: ":")
    }

    /// Returns the names in the table of the page: the first column, and the members in the last one.
    static func names(in table: String) -> [String] {
        table.split(separator: "\n").flatMap { row -> [String] in
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard row.hasPrefix("| "), cells.count == 4, let call = code(in: cells[1]).first else { return [] }
            return [call] + code(in: cells[3]).map { "\(call).\($0)" }
        }
    }

    private static func code(in cell: String) -> [String] {
        cell.matches(of: /`([^`]+)`/).map { String($0.output.1) }
    }

    @Test(
        "The overview lists each public name once, and no other", .needs(.externalProgram),
        .enabled(
            if: (try? Command("which", ["swift-symbolgraph-extract"]).code) == 0,
            "needs swift-symbolgraph-extract, which comes with Swift's toolchains"))
    func complete() throws {
        let symbols = try SymbolGraph.symbols(of: SymbolGraph.libraries)
        let expected = Set(symbols.compactMap(Self.name))
        let listed = Self.names(in: DocumentationPage("docs/api.md").text)
        #expect(expected.count > 300)
        #expect(expected.subtracting(listed).sorted() == [], "these are missing in docs/api.md")
        #expect(Set(listed).subtracting(expected).sorted() == [], "these are in docs/api.md and are no public names")
        #expect(Dictionary(grouping: listed, by: \.self).filter { $1.count > 1 }.keys.sorted() == [], "listed twice")
    }

    @Test("Each row of the overview has a task, a call and one sentence")
    func rows() {
        let rows = DocumentationPage("docs/api.md").text.split(separator: "\n").filter { $0.hasPrefix("| ") }
            .dropFirst()
        #expect(rows.count > 150)
        for row in rows {
            let cells = row.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(cells.count == 6 && !cells[1].isEmpty && cells[2].hasPrefix("`"), "\(row)")
            #expect(cells[3].hasSuffix(".") && cells[3].count > 8, "\(row)")
        }
    }

    @Test("A name, its members and a row without members are read from a table")
    func parsing() {
        let table = """
            | task | call | meaning | members |
            |---|---|---|---|
            | save | `A.save(_:to:)` | Saves. | |
            | ask | `Size` | A size. | `bytes`, `zero` |
            """
        #expect(Self.names(in: table) == ["A.save(_:to:)", "Size", "Size.bytes", "Size.zero"])
    }
}
