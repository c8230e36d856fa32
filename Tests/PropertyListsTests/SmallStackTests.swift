import Foundation
import PropertyLists
import TestSupport
import Testing

/// Threads have 512 KiB of stack on Darwin, and debug builds have large frames. `scripts/check-stacks` runs these and other
/// tests with such stacks in all threads.
@Suite("Nesting and small stacks", .timeLimit(.minutes(60))) struct SmallStackTests {
    private static func nested(_ depth: Int, inDictionaries: Bool) -> [UInt8] {
        let (start, end) = inDictionaries ? ("<dict><key>k</key>", "</dict>") : ("<array>", "</array>")
        return Array(
            ("<plist>" + String(repeating: start, count: depth) + "<true/>" + String(repeating: end, count: depth)
                + "</plist>").utf8)
    }

    @Test("XML is read to the maximum depth, and refused beyond it", arguments: [true, false])
    func xml(inDictionaries: Bool) throws {
        try onSmallStack {
            for depth in [300, 511] {
                var value = try PropertyListGraph(parsing: Self.nested(depth, inDictionaries: inDictionaries)).root
                for _ in 0..<depth { value = try #require(inDictionaries ? value["k"] : value[0]) }
                #expect(value.node == .boolean(true))
            }
            for depth in [512, 100_000] {
                let error = #expect(throws: PropertyListError.self) {
                    try PropertyListGraph(parsing: Self.nested(depth, inDictionaries: inDictionaries))
                }
                #expect(error?.code == .tooLarge)
            }
        }
    }

    @Test("A binary list is written and read to the maximum depth, and refused beyond it", arguments: [true, false])
    func binary(inDictionaries: Bool) throws {
        try onSmallStack {
            func list(_ depth: Int) -> PropertyList {
                (0..<depth).reduce(.boolean(true)) { list, _ in
                    inDictionaries ? .dictionary([("k", list)]) : .array([list])
                }
            }
            let graph = try PropertyListGraph(parsing: try list(499).binary())
            try graph.requireUnfolding()
            var value = graph.root
            for _ in 0..<499 { value = try #require(inDictionaries ? value["k"] : value[0]) }
            #expect(value.node == .boolean(true))
            let error = #expect(throws: PropertyListError.self) { try list(500).binary() }
            #expect(error?.code == .tooLarge)
        }
    }

    @Test("Nested containers keep their order, with repeated keys, empty containers and references")
    func order() throws {
        let text = """
            <plist><dict><key>a</key><array><dict/><array/><dict><key>CF$UID</key><integer>7</integer></dict></array>
            <key>b</key><dict><key>x</key><integer>1</integer><key>x</key><integer>2</integer></dict>
            <key>a</key><string>last</string><key>c</key><true/></dict></plist>
            """
        let root = try PropertyListGraph(parsing: Array(text.utf8)).root
        #expect(root.pairs?.map(\.key) == ["a", "b", "c"])
        #expect(root["a"]?.string == "last" && root["b"]?["x"]?.node == .integer(2) && root["b"]?.count == 1)
        let list = PropertyList.array([
            .array([]), .dictionary([("k", .array([.integer(1), .string("k")])), ("l", .dictionary([]))]), .integer(3),
        ])
        let written = try PropertyListGraph(parsing: try list.binary()).root
        #expect(written[0]?.count == 0 && written[1]?["k"]?[1]?.string == "k" && written[1]?["l"]?.count == 0)
        #expect(written[2]?.node == .integer(3) && written.count == 3)
    }

    /// A recursion that must end the process on a small stack. Only `scripts/check-stacks` runs it, to prove that it would
    /// detect one.
    @Test(
        "A planted recursion is read",
        .enabled(if: ProcessInfo.processInfo.environment["PLANTED_RECURSION"] != nil))
    func planted() throws {
        func depth(of bytes: ArraySlice<UInt8>) -> Int {
            guard bytes.first == UInt8(ascii: "[") else { return 0 }
            return withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 8) { frame in
                frame[0] = 1
                return depth(of: bytes.dropFirst()) + Int(frame[0])
            }
        }
        let levels = 600
        #expect(depth(of: [UInt8](repeating: UInt8(ascii: "["), count: levels)[...]) == levels)
    }
}
