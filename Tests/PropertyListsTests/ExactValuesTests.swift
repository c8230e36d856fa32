import Foundation
import PropertyLists
import TestSupport
import Testing

@Suite("Exact values of a property list") struct ExactValuesTests {
    /// A binary list of one object.
    private static func list(_ object: [UInt8]) -> [UInt8] {
        let table = UInt8(8 + object.count)
        let zeros = [UInt8](repeating: 0, count: 7)
        return Array("bplist00".utf8) + object + [8] + zeros.dropLast() + [1, 1] + zeros + [1] + zeros + [0] + zeros
            + [table]
    }

    @Test(
        "Half a surrogate pair, or a string that is not UTF-8, is refused and not replaced",
        arguments: [
            [0x61, 0xd8, 0x00], [0x61, 0xdc, 0x00], [0x62, 0xd8, 0x00, 0x00, 0x41], [0x51, 0xc3], [0x52, 0xed, 0xa0],
        ] as [[UInt8]])
    func brokenText(object: [UInt8]) {
        let error = #expect(throws: PropertyListError.self) { try PropertyListGraph(parsing: Self.list(object)) }
        #expect(error?.code == .malformed)
    }

    @Test("Complete surrogate pairs are read")
    func wholeText() throws {
        let object: [UInt8] = [0x62, 0xd8, 0x3d, 0xde, 0x00]
        #expect(try PropertyListGraph(parsing: Self.list(object)).root.string == "😀")
    }

    @Test(
        "With the option to replace broken text, it is replaced",
        arguments: [
            [0x62, 0xd8, 0x00, 0x00, 0x41], [0x52, 0xc3, 0x41],
        ] as [[UInt8]])
    func replaced(object: [UInt8]) throws {
        let graph = try PropertyListGraph(parsing: Self.list(object), brokenText: .replaced)
        #expect(graph.root.string == "\u{fffd}A")
        let xml = Array("<plist><string>".utf8) + [0xc3] + Array("A</string></plist>".utf8)
        #expect(try PropertyListGraph(parsing: xml, brokenText: .replaced).root.string == "\u{fffd}A")
    }

    @Test("A single-precision number keeps its type")
    func single() throws {
        let bytes = try PropertyList.array([.single(12.34), .real(12.34)]).binary()
        let root = try PropertyListGraph(parsing: bytes).root
        #expect(root[0]?.node == .single(12.34) && root[1]?.node == .real(12.34))
        let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
        #expect((list as? [NSNumber])?.map(\.stringValue) == ["12.34", "12.34"])
        let written = try PropertyListSerialization.data(fromPropertyList: 12.34 as Float, format: .binary, options: 0)
        #expect(try PropertyListGraph(parsing: Array(written)).root.node == .single(12.34))
    }
}
