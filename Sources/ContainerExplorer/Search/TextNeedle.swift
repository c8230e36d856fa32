internal import AppContainer
internal import FileSystem
internal import Foundation

/// A text that is searched for in names and contents. Canonically equal texts match: a composed letter is found where it is
/// decomposed.
struct TextNeedle: Sendable {
    /// The text in composed form, in lower case if case is ignored.
    private let bytes: [UInt8]
    private let ignoresCase: Bool
    private let isASCII: Bool
    /// True for a text without characters.
    var isEmpty: Bool { bytes.isEmpty }

    init(_ text: String, ignoringCase ignoresCase: Bool = true) {
        self.ignoresCase = ignoresCase
        isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        bytes = Self.folded(Array(text.utf8), ignoringCase: ignoresCase)
    }

    private static func folded(_ bytes: [UInt8], ignoringCase ignoresCase: Bool) -> [UInt8] {
        let composed = NameSpelling.composed(bytes)
        return ignoresCase ? Array(String(decoding: composed, as: UTF8.self).lowercased().utf8) : composed
    }

    /// Returns true if the text occurs in bytes. Bytes that are not UTF-8 are compared as they are.
    func isFound(in other: some Sequence<UInt8>) -> Bool {
        let other = Array(other)
        if isASCII { return other.withUnsafeBytes { range(in: $0, from: 0) != nil } }
        return Self.folded(other, ignoringCase: ignoresCase).withUnsafeBytes { $0.position(of: bytes) != nil }
    }

    func isFound(in text: String) -> Bool {
        var text = text
        guard isASCII else { return isFound(in: text.utf8) }
        return text.withUTF8 { range(in: UnsafeRawBufferPointer($0), from: 0) != nil }
    }

    /// Returns the range of the first occurrence in a text, for an excerpt; nil also for one that only folding finds.
    func range(in text: String) -> Range<String.Index>? {
        text.range(of: String(decoding: bytes, as: UTF8.self), options: ignoresCase ? [.caseInsensitive] : [])
    }

    /// Returns the next line of a text that contains it, at or after `start`, which begins a line; nil without one.
    func line(in text: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
        if isASCII {
            guard let found = range(in: text, from: start) else { return nil }
            var first = found
            while first > start, text[first - 1] != UInt8(ascii: "\n") { first -= 1 }
            return first..<(text.position(of: UInt8(ascii: "\n"), from: found) ?? text.count)
        }
        var first = start
        while first < text.count {
            let end = text.position(of: UInt8(ascii: "\n"), from: first) ?? text.count
            let line = UnsafeRawBufferPointer(rebasing: text[first..<end])
            // A line without other letters than those of ASCII cannot have the text.
            if line.contains(where: { $0 >= 0x80 }), isFound(in: line) { return first..<end }
            first = end + 1
        }
        return nil
    }

    /// Returns the position of the first occurrence of a text in ASCII.
    private func range(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard ignoresCase else { return text.position(of: bytes, from: start) }
        guard let first = bytes.first else { return start }
        let upper = Self.upper(first)
        return bytes.withUnsafeBufferPointer { wanted in
            var position = start
            let end = text.count - wanted.count
            while position <= end {
                let byte = text[position]
                if byte == first || byte == upper {
                    var length = 1
                    while length < wanted.count, Self.lower(text[position + length]) == wanted[length] { length += 1 }
                    if length == wanted.count { return position }
                }
                position += 1
            }
            return nil
        }
    }

    private static func upper(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte & 0xdf : byte
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
