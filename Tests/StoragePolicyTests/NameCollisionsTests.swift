import FileSystem
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import Testing
import TextOutput

@Suite("Names that collide") struct NameCollisionsTests {
    private func collisions(_ names: [[UInt8]], limit: Int = 1 << 20) -> (found: [String], isFull: Bool) {
        var collisions = NameCollisions(limit: limit)
        for name in names {
            name.withUnsafeBytes { collisions.add($0, NameScan($0), FileStatus(kind: .file, size: 1)) }
        }
        return (
            collisions.collisions().map { "\(ByteText.escaped($0.name)) \(ByteText.escaped($0.other))" },
            collisions.isFull
        )
    }

    private func bytes(_ names: [String]) -> [[UInt8]] { names.map { Array($0.utf8) } }

    @Test(
        "All but one of several colliding names are found, in any order of arrival",
        arguments: [
            (["a", "b"], []), (["A", "b"], []), (["a", "A"], ["A a"]), (["READ.ME", "Read.me"], ["Read.me READ.ME"]),
            (["AB", "Ab", "ab"], ["AB ab", "Ab ab"]),
            (["caf\u{e9}", "cafe\u{301}"], ["caf\u{e9} cafe\u{301}"]),
            (["CAF\u{c9}", "cafe\u{301}"], ["cafe\u{301} CAF\u{c9}"]),
            (["stra\u{df}e", "STRASSE", "strasse"], ["STRASSE strasse", "stra\u{df}e strasse"]),
            (["\u{212a}", "k"], ["\u{212a} k"]), (["\u{131}", "i"], []), (["\u{3c3}", "\u{3c2}"], ["\u{3c3} \u{3c2}"]),
            (["abcdefgh", "abcdefghi", "ABCDEFGH"], ["ABCDEFGH abcdefgh"]),
        ])
    func found(names: [String], expected: [String]) {
        #expect(collisions(bytes(names)).found == expected)
        #expect(collisions(bytes(names.reversed())).found == expected)
    }

    @Test("A name that is not text is compared by its bytes")
    func bytesOnly() {
        #expect(collisions([[0xff, 0x41], [0xff, 0x61]]).found == ["%FFa %FFA"])
        #expect(collisions([[0xff, 0x41], [0xfe, 0x41]]).found.isEmpty)
    }

    @Test("Names above the limit are reported, not dropped silently")
    func limit() {
        #expect(collisions(bytes(["a", "b", "A"]), limit: 3).isFull == false)
        #expect(collisions(bytes(["a", "b", "A"]), limit: 2).isFull)
    }
}
