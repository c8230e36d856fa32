import Foundation
import PropertyLists
import TestSupport
import Testing

@Suite("Sizes of offsets and references in a binary property list") struct OffsetSizesTests {
    /// The list `["a", {"k": 7}]` with offsets and references of given sizes.
    private static func list(offsetSize: Int, referenceSize: Int) -> [UInt8] {
        func number(_ value: Int, _ size: Int) -> [UInt8] {
            (0..<size).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> ($0 * 8)) : 0 }
        }
        func references(_ indexes: Int...) -> [UInt8] { indexes.flatMap { number($0, referenceSize) } }
        let objects: [[UInt8]] = [
            [0xa2] + references(1, 2), [0x51, UInt8(ascii: "a")], [0xd1] + references(3, 4),
            [0x51, UInt8(ascii: "k")], [0x10, 7],
        ]
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += number(bytes.count, offsetSize)
            bytes += object
        }
        let table = bytes.count
        bytes += offsets + [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        return bytes + number(objects.count, 8) + number(0, 8) + number(table, 8)
    }

    @Test("Offsets and references of one to eight bytes are read", arguments: 1...8, 1...8)
    func sizes(offsetSize: Int, referenceSize: Int) throws {
        let root = try PropertyListGraph(parsing: Self.list(offsetSize: offsetSize, referenceSize: referenceSize)).root
        #expect(root[0]?.string == "a" && root[1]?["k"]?.node == .integer(7))
    }

    @Test("Other sizes are refused", arguments: [(0, 1), (1, 0), (9, 1), (1, 9), (255, 255)])
    func noSizes(offsetSize: Int, referenceSize: Int) {
        let error = #expect(throws: PropertyListError.self) {
            try PropertyListGraph(parsing: Self.list(offsetSize: offsetSize, referenceSize: referenceSize))
        }
        #expect(error?.code == .malformed)
    }

    @Test("Lists of 100 KB and 17 MB are read as Foundation writes them", arguments: [1_000, 170_000])
    func large(count: Int) throws {
        let texts = (0..<count).map { String(repeating: "x", count: 94) + String(1_000_000 + $0) }
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let serialized = try PropertyListSerialization.data(fromPropertyList: texts, format: .binary, options: 0)
        for data in [try encoder.encode(texts), serialized] {
            #expect(data.count > count * 100)
            let root = try PropertyListGraph(parsing: Array(data)).root
            #expect(root.count == count && root[count - 1]?.string == texts[count - 1])
        }
    }
}
