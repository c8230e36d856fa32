@testable import PolicyTexts
import Testing

@Suite("JSONStream") struct JSONStreamTests {
    /// Returns a reader that gets at most `piece` bytes at a time.
    private func stream(_ bytes: [UInt8], piece: Int = 5) -> JSONStream {
        var rest = bytes[...]
        return JSONStream(bufferSize: 16) { buffer in
            let next = rest.prefix(min(piece, buffer.count))
            rest = rest.dropFirst(next.count)
            buffer.copyBytes(from: next)
            return next.count
        }
    }

    private func texts(_ json: [UInt8]) throws -> [[UInt8]] {
        var (found, reader) = ([[UInt8]](), stream(json))
        try reader.elements { (stream) throws(JSONStream.Failure) in found.append(try stream.text(limit: 100).bytes) }
        return found
    }

    @Test("Members are read in any order, and what nobody reads is skipped")
    func members() throws {
        var reader = stream(
            Array(#" { "a": {"x": [1, {"y": "}"}], "z": []} , "b":[ "q" ,2.5e3, null],"c":"w"}  "#.utf8))
        var (names, text, numbers) = ([String](), [UInt8](), [Int?]())
        try reader.members { (stream, name) throws(JSONStream.Failure) in
            names.append(name)
            switch name {
            case "c": text = try stream.text(limit: 10).bytes
            case "b":
                try stream.elements { (stream) throws(JSONStream.Failure) in numbers.append(try stream.integer()) }
            default: break
            }
        }
        #expect(names == ["a", "b", "c"] && text == Array("w".utf8) && numbers == [nil, 2_500, nil])
    }

    @Test("Texts have their escapes replaced, also across pieces, and bytes that Python wrote as half pairs")
    func escapes() throws {
        let json = #"["a\n\"\\\/\u00fc\ud83d\ude00é", "\udcff\udc80\ud800x", "\ud83d\n"]"#
        #expect(
            try texts(Array(json.utf8)) == [
                Array("a\n\"\\/ü😀é".utf8), [0xff, 0x80] + Array("\u{fffd}x".utf8), Array("\u{fffd}\n".utf8),
            ])
    }

    @Test("A long text is cut at the limit and read to its end")
    func long() throws {
        let json = Array("[\"\(String(repeating: "long ", count: 1_000))\", \"next\"]".utf8)
        #expect(
            try texts(json) == [Array(repeating: Array("long ".utf8), count: 20).flatMap { $0 }, Array("next".utf8)])
    }

    @Test(
        "Truncated and malformed texts and too many levels are errors",
        arguments: [
            ("[\"a", JSONStream.Failure.ended), ("[1, {\"a\": ", .ended), ("[1 2]", .malformed(at: 3)),
            ("[[1, [}]]", .malformed(at: 6)), ("[\"\\u00g0\"]", .malformed(at: 6)),
            ("[" + String(repeating: "[", count: 10_000), .tooDeep), ("", .ended),
        ])
    func broken(text: String, failure: JSONStream.Failure) {
        var reader = stream(Array(text.utf8))
        #expect(throws: failure) {
            try reader.elements { (stream) throws(JSONStream.Failure) in try stream.skip() }
        }
    }

    @Test("An error of the source is an error")
    func unreadable() {
        var reader = JSONStream { _ in nil }
        #expect(throws: JSONStream.Failure.unreadable) { try reader.skip() }
    }
}
