internal import Foundation
@testable import PolicyFixes
@testable import PolicyRecords
internal import PolicyRules
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import Testing
internal import YAMLFiles

@Suite("YAML trees") struct YAMLTreeTests {
    /// A value of a tree, to compare it.
    indirect enum Value: Equatable {
        case text(String, isPlain: Bool, integer: Int?, boolean: Bool?)
        case sequence([Value])
        case mapping([Value])
    }

    private func value(_ node: YAMLNode) throws -> Value {
        if let text = node.text {
            return .text(text, isPlain: node.isPlain, integer: node.integer, boolean: node.boolean)
        }
        let members = try #require(node.members).map(value)
        return node.isMapping ? .mapping(members) : .sequence(members)
    }

    private static func plain(_ text: String, _ integer: Int? = nil, _ boolean: Bool? = nil) -> Value {
        .text(text, isPlain: true, integer: integer, boolean: boolean)
    }

    private static let cases: [(String, Value)] = [
        ("a: b", .mapping([plain("a"), plain("b")])),
        (
            "[1, -70000, 0x1f, yes, 'no']",
            .sequence([
                plain("1", 1), plain("-70000", -70_000), plain("0x1f", 31), plain("yes", nil, true),
                .text("no", isPlain: false, integer: nil, boolean: nil),
            ])
        ),
        (
            "- |\n  two\n  lines\n- ''\n- “é”",
            .sequence([
                .text("two\nlines\n", isPlain: false, integer: nil, boolean: nil),
                .text("", isPlain: false, integer: nil, boolean: nil), plain("“é”"),
            ])
        ),
        ("{a: [], b: {}}", .mapping([plain("a"), .sequence([]), plain("b"), .mapping([])])),
        (
            "a: &x [1]\nb: *x",
            .mapping([
                plain("a"), .sequence([plain("1", 1)]), plain("b"), .sequence([plain("1", 1)]),
            ])
        ),
        ("\(Int.min)", plain("\(Int.min)", .min)), ("\(Int.max)", plain("\(Int.max)", .max)),
    ]

    @Test("have the values of the text", arguments: cases)
    func values(text: String, expected: Value) throws {
        #expect(try value(YAMLTree(text).root) == expected)
    }

    @Test("have the positions of the text")
    func positions() throws {
        let members = try #require(YAMLTree("first: 1\nsecond:\n  - [a, bc]\n").root.members)
        #expect(members.map { [$0.line, $0.column] } == [[1, 1], [1, 8], [2, 1], [3, 3]])
        let inner = try #require(members[3].members?.first?.members)
        #expect(inner.map { [$0.line, $0.column] } == [[3, 6], [3, 9]])
    }

    @Test("of this build are those of its texts")
    func embedded() throws {
        let files = EmbeddedFiles.files.filter { $0.path.hasSuffix(".yml") }
        #expect(files.count > 150)
        for file in files { #expect(try YAMLTree(file.text).bytes == Array(file.tree.utf8), "\(file.path)") }
    }

    private static func nested(_ count: Int) -> String {
        (1...count).reduce("a0: &a0 [x]\n") { $0 + "a\($1): &a\($1) [*a\($1 - 1)]\n" }
    }

    private static func bomb(_ count: Int) -> String {
        (1...count).reduce("a0: &a0 [x]\n") {
            $0 + "a\($1): &a\($1) [" + repeatElement("*a\($1 - 1)", count: 10).joined(separator: ", ") + "]\n"
        }
    }

    private static let refused: [(String, String)] = [
        ("", "the file is empty"), (nested(1_000), "more than 128 levels of nesting"),
        (bomb(30), "the aliases expand to more than 2 MiB"), ("a: 1\na: 2", "duplicate key: a"),
        (String(repeating: "[", count: 65), "more than 64 levels of nesting"), ("a: [", "invalid YAML: "),
        ("#" + String(repeating: "x", count: 256 * 1024), "the file is larger than 256 KiB"),
    ]

    @Test("too large, too deep or invalid ones are refused", .timeLimit(.minutes(60)), arguments: refused)
    func limits(text: String, message: String) throws {
        let problem = try #require(throws: YAMLTree.Problem.self) { try YAMLTree(text) }
        #expect(problem.message.hasPrefix(message))
        #expect(problem.line > 0 && problem.column > 0)
    }

    @Test("damaged bytes are read within their limits")
    func damaged() throws {
        func count(_ node: YAMLNode) -> Int {
            (node.members ?? []).reduce(node.text?.utf8.count ?? 0) { $0 + count($1) }
        }
        let bytes = try YAMLTree("a: [1, yes, {b: 'text'}]\nc: |\n  lines\n").bytes
        for position in bytes.indices {
            _ = count(YAMLTree(bytes: Array(bytes[..<position])).root)
            for bit in 0..<8 {
                var damaged = bytes
                damaged[position] ^= 1 << bit
                // A member is never longer than what contains it, so that the text is at most the bytes of all levels.
                #expect(count(YAMLTree(bytes: damaged).root) <= bytes.count * bytes.count)
            }
        }
    }
}
