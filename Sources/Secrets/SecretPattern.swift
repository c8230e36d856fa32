/// The form of a secret: literal bytes and runs of characters, such as `ghp_{a:36-255}`.
///
/// A run is `{class:minimum-maximum}`; `{class:n}` has exactly n characters, and `{class:n-}` at most 4,096. Matching takes time
/// proportional to the length of the runs. A pattern may begin with one run, which stands before the first literal. After `|`
/// begins the secret; what stands before it is its context.
struct SecretPattern: Sendable {
    /// A class of characters.
    enum Characters: Character {
        /// Letters, digits, `_` and `-`.
        case word = "w"
        /// Letters and digits.
        case alphanumeric = "a"
        /// Capital letters and digits.
        case upper = "U"
        /// Hexadecimal digits.
        case hexadecimal = "h"
        case digits = "d"
        /// Base 64 with padding.
        case base64 = "b"
        /// Base 58 of Bitcoin.
        case base58 = "8"
        /// The characters of a token in a header (token68 of RFC 9110), and percent encoding.
        case token = "t"
        /// The characters of an address up to a separator of its parts or to its end.
        case part = "p"

        func contains(_ byte: UInt8) -> Bool {
            switch self {
            case .word: Self.isAlphanumeric(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            case .alphanumeric: Self.isAlphanumeric(byte)
            case .upper: Self.isDigit(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= byte
            case .hexadecimal: Self.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")) ~= byte | 0x20
            case .digits: Self.isDigit(byte)
            case .base64: Self.isAlphanumeric(byte) || "+/=".utf8.contains(byte)
            case .base58: Self.isAlphanumeric(byte) && !"0OIl".utf8.contains(byte)
            case .token: Self.isAlphanumeric(byte) || "-._~+/=%".utf8.contains(byte)
            case .part: byte > 0x20 && byte != 0x7f && !"/?#@:\"'<>\\`{}|^&".utf8.contains(byte)
            }
        }

        static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte }
        static func isAlphanumeric(_ byte: UInt8) -> Bool {
            isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= byte | 0x20 && byte < 0x80
        }
    }

    private enum Part: Sendable {
        case literal([UInt8])
        case run(Characters, ClosedRange<Int>)
        /// The first byte of the secret.
        case secret
    }

    /// The run before the first literal.
    private let before: (characters: Characters, count: ClosedRange<Int>)?
    /// The first literal.
    let anchor: [UInt8]
    private let rest: [Part]

    /// Creates a pattern from a constant of `KnownSecrets`, never from data.
    ///
    /// - Precondition: The text is a pattern.
    init(_ text: String) {
        var parts: [Part] = []
        var rest = text[...]
        while let first = rest.first {
            guard first != "|" else {
                parts.append(.secret)
                rest = rest.dropFirst()
                continue
            }
            guard first == "{" else {
                let literal = rest.prefix { $0 != "{" && $0 != "|" }
                parts.append(.literal(Array(literal.utf8)))
                rest = rest[literal.endIndex...]
                continue
            }
            let run = rest.dropFirst().prefix { $0 != "}" }
            let bounds = run.dropFirst(2).split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard let name = run.first, let characters = Characters(rawValue: name), let least = bounds.first ?? nil
            else {
                preconditionFailure("“\(text)” is not a pattern")
            }
            let most = bounds.count == 1 ? least : bounds[1] ?? Self.longest
            parts.append(.run(characters, least...most))
            rest = rest[run.endIndex...].dropFirst()
        }
        if case .run(let characters, let count) = parts.first {
            before = (characters, count)
            parts.removeFirst()
        } else {
            before = nil
        }
        guard case .literal(let literal) = parts.first else { preconditionFailure("“\(text)” has no literal") }
        anchor = literal
        self.rest = Array(parts.dropFirst())
    }

    private static let longest = 4_096

    /// Returns the range of the secret whose first literal starts at `start`, or nil if the bytes do not match.
    ///
    /// A run that ends at its maximum must not be followed by another character of its class, and a first run must not follow
    /// one.
    func match(at start: Int, in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        var first = start
        if let before {
            while first > 0, start - first <= before.count.upperBound, before.characters.contains(bytes[first - 1]) {
                first -= 1
            }
            guard before.count.contains(start - first) else { return nil }
        }
        guard Self.has(anchor, at: start, in: bytes) else { return nil }
        var position = start + anchor.count
        for part in rest {
            switch part {
            case .secret: first = position
            case .literal(let literal):
                guard Self.has(literal, at: position, in: bytes) else { return nil }
                position += literal.count
            case .run(let characters, let count):
                var end = position
                let last = min(bytes.count, position + count.upperBound)
                while end < last, characters.contains(bytes[end]) { end += 1 }
                guard end - position >= count.lowerBound else { return nil }
                if end - position == count.upperBound, end < bytes.count, characters.contains(bytes[end]),
                    count.upperBound < Self.longest
                {
                    return nil
                }
                position = end
            }
        }
        return first..<position
    }

    static func has(_ literal: [UInt8], at start: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard start >= 0, start + literal.count <= bytes.count else { return false }
        for index in literal.indices where bytes[start + index] != literal[index] { return false }
        return true
    }
}
