import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Lines of a reader") struct ReaderLinesTests {
    private func lines(_ bytes: [UInt8]) throws -> [String] {
        try withContainer { container throws in
            try container.save(bytes, to: .documents / "a")
            let reader = try container.reader(of: .documents / "a")
            var lines: [String] = []
            while let line = try reader.nextLine() { lines.append(line) }
            #expect(reader.position == UInt64(bytes.count))
            return lines
        }
    }

    @Test(
        "Lines are without their ends",
        arguments: [
            ("", []), ("\n", [""]), ("a", ["a"]), ("a\nb\n", ["a", "b"]), ("a\r\n\r\nb", ["a", "", "b"]),
            ("\n\nä\u{2028}b", ["", "", "ä\u{2028}b"]), ("a\rb\n", ["a\rb"]),
        ])
    func ends(text: String, expected: [String]) throws {
        #expect(try lines(Array(text.utf8)) == expected)
    }

    @Test("Lines of any length across pieces are whole, also ones that are not UTF-8")
    func pieces() throws {
        let all = (0..<400).map { String(repeating: "x", count: $0 * 7) }
        #expect(try lines(Array(all.joined(separator: "\n").utf8)) == all)
        #expect(try lines([0x61, 0xff, 0x0a, 0x62]) == ["a\u{fffd}", "b"])
    }

    @Test("A line beyond the maximum is an error, and the position is at its start")
    func bound() throws {
        try withContainer { container throws in
            try container.save("abc\n" + String(repeating: "x", count: 2_000_000), to: .documents / "a")
            let reader = try container.reader(of: .documents / "a")
            #expect(try reader.nextLine(upTo: 3) == "abc")
            for _ in 0..<2 {
                let error = #expect(throws: ContainerError.self) { try reader.nextLine() }
                #expect(error?.code == .tooLarge && reader.position == 4)
            }
            #expect(try reader.nextLine(upTo: 2_000_000)?.count == 2_000_000)
            #expect(try reader.nextLine() == nil)
            reader.position = 1
            #expect(try reader.nextLine(upTo: 2) == "bc")
            reader.position = .max
            #expect(try reader.nextLine() == nil)
            reader.position = 0
            #expect(try reader.next(upTo: 2) == Data("ab".utf8))
            #expect(try reader.nextLine(upTo: 5) == "c", "pieces and lines share the position")
        }
    }
}
