import ArchiveExtraction
import Foundation
import TestSupport
import Testing

@Suite struct AppleDoubleTests {
    private static let corpus = URL(filePath: #filePath).appending(path: "../../Fuzz/corpus").standardized

    private static func parse(_ bytes: [UInt8]) -> AppleDouble? {
        try? AppleDouble(parsing: bytes, fileSize: UInt64(bytes.count), mostAttributes: 256)
    }

    @Test("Every initial input of the fuzzer is read, or refused if it is damaged")
    func corpus() throws {
        let folder = Self.corpus.appending(path: "appledouble")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let read = try names.filter { Self.parse(Array(try Data(contentsOf: folder.appending(path: $0)))) != nil }
        #expect(read == names.filter { !$0.hasPrefix("lying-") && !$0.hasPrefix("cut-") })
        #expect(names.count > read.count && read.count == 4)
    }

    @Test("No prefix of a file leads to other attributes than the whole file")
    func prefixes() throws {
        let whole = Array(try Data(contentsOf: Self.corpus.appending(path: "appledouble/two")))
        let attributes = try #require(Self.parse(whole)).attributes
        #expect(attributes.map { String(decoding: $0.name, as: UTF8.self) }.count == 2)
        for count in 0..<whole.count {
            guard
                let part = try? AppleDouble(
                    parsing: Array(whole[..<count]), fileSize: UInt64(whole.count), mostAttributes: 256)
            else { continue }
            #expect(
                part.attributes.elementsEqual(attributes) { $0.name == $1.name && $0.value == $1.value }, "\(count)")
        }
    }

    @Test("An AppleDouble file of version 1 and other files are not read")
    func other() {
        #expect(!AppleDouble.isStart([0, 5, 0x16, 7, 0, 1, 0, 0]) && !AppleDouble.isStart(Array("x".utf8)))
        #expect(Self.parse(Array("text".utf8)) == nil && Self.parse([]) == nil)
    }
}
