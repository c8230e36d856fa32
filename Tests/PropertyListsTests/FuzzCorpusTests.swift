import Foundation
import PropertyLists
import Testing

@Suite("The initial inputs of the fuzzers") struct FuzzCorpusTests {
    private static let folder = URL(filePath: #filePath).appending(path: "../../Fuzz/corpus/lists").standardized

    private static func isRead(_ name: String) throws -> Bool {
        let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
        return (try? PropertyListGraph(parsing: bytes)) != nil
    }

    @Test("Lists with offsets and references of 3, 5, 6 and 7 bytes are read", arguments: [3, 5, 6, 7])
    func sizes(size: Int) throws {
        for name in ["offsets", "references", "both"] { #expect(try Self.isRead("\(name)-\(size).bin"), "\(name)") }
    }

    @Test("Lists that are truncated or not well-formed are refused, and the others are read")
    func damage() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        let refused = try names.filter { try !Self.isRead($0) }
        let broken = ["half.bin", "more.xml", "other-end.xml", "other-name.xml"]
        #expect(refused.sorted() == (names.filter { $0.hasPrefix("cut-") } + broken).sorted())
        #expect(refused.count == 16)
    }
}
