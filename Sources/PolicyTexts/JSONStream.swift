/// A reader of JSON of any length in constant memory, which skips what nobody asks for.
///
/// `JSONTexts` finds the texts of JSON in memory; this type follows the structure of JSON that does not fit there. It accepts
/// JSON alone: a malformed or truncated text is an error, after everything before it was delivered. Source: RFC 8259.
package struct JSONStream {
    /// The reason why reading stopped.
    package enum Failure: Error, Hashable {
        /// The text ends before its outermost value does.
        case ended
        /// The text is no JSON at this byte.
        case malformed(at: UInt64)
        /// Values are nested more than `JSONStream.depth` levels deep.
        case tooDeep
        /// The bytes cannot be read.
        case unreadable
    }

    /// The next value by its first byte.
    package enum Kind { case object, array, text, other }

    /// The most nested levels.
    package static let depth = 256
    /// The most bytes that are kept of a name of a member.
    package static let longestName = 64

    private let read: (UnsafeMutableRawBufferPointer) -> Int?
    private var buffer: [UInt8]
    private var position = 0
    private var end = 0
    /// The number of bytes before the buffer.
    private var before: UInt64 = 0
    private var level = 0

    /// Creates a reader of the bytes that `read` puts into a buffer. It returns their number, 0 at the end, nil on an error.
    package init(bufferSize: Int = 1 << 18, _ read: @escaping (UnsafeMutableRawBufferPointer) -> Int?) {
        self.read = read
        buffer = [UInt8](repeating: 0, count: max(bufferSize, 16))
    }

    // MARK: - Values

    /// Returns the kind of the next value, or nil at the end of the text.
    package mutating func kind() throws(Failure) -> Kind? {
        switch try mark() {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .text
        case nil: nil
        default: .other
        }
    }

    /// Reads an object and calls `body` for each of its members, which may read the value. Another value is skipped.
    ///
    /// A name is passed up to its first `longestName` bytes.
    package mutating func members(_ body: (inout JSONStream, String) throws(Failure) -> Void) throws(Failure) {
        guard try kind() == .object else { return try skip() }
        try open()
        while try !closes(UInt8(ascii: "}")) {
            guard try mark() == UInt8(ascii: "\"") else { throw malformed }
            let name = String(decoding: try text(limit: Self.longestName).bytes, as: UTF8.self)
            guard try mark() == UInt8(ascii: ":") else { throw malformed }
            position += 1
            try element { stream throws(Failure) in try body(&stream, name) }
            try separator(UInt8(ascii: "}"))
        }
        level -= 1
    }

    /// Reads an array and calls `body` for each of its elements, which may read it. Another value is skipped.
    package mutating func elements(_ body: (inout JSONStream) throws(Failure) -> Void) throws(Failure) {
        guard try kind() == .array else { return try skip() }
        try open()
        while try !closes(UInt8(ascii: "]")) {
            try element(body)
            try separator(UInt8(ascii: "]"))
        }
        level -= 1
    }

    /// Returns a text, cut after `limit` bytes, and true if it is whole; for another value nothing, and the value is skipped.
    package mutating func text(limit: Int) throws(Failure) -> (bytes: [UInt8], isWhole: Bool) {
        var (bytes, isWhole): ([UInt8], Bool) = ([], true)
        try text { part in
            isWhole = isWhole && bytes.count + part.count <= limit
            bytes += part.prefix(limit - bytes.count)
        }
        return (bytes, isWhole)
    }

    /// Reads a text piece by piece. Another value is skipped.
    ///
    /// A text is UTF-8. The halves of surrogate pairs that Python writes for bytes that are no UTF-8 (U+DC80 to U+DCFF, PEP
    /// 383) become these bytes again; other halves become U+FFFD.
    package mutating func text(_ body: (UnsafeRawBufferPointer) -> Void) throws(Failure) {
        guard try kind() == .text else { return try skip() }
        position += 1
        while true {
            guard position < end else {
                guard try fill() else { throw .ended }
                continue
            }
            let start = position
            let stop = buffer.withUnsafeBytes { bytes in
                var next = start
                while next < end, bytes[next] != UInt8(ascii: "\""), bytes[next] != UInt8(ascii: "\\") { next += 1 }
                if next > start { body(UnsafeRawBufferPointer(rebasing: bytes[start..<next])) }
                return next
            }
            position = stop
            guard stop < end else { continue }
            position += 1
            if buffer[stop] == UInt8(ascii: "\"") { return }
            let escaped = try escape()
            escaped.withUnsafeBytes(body)
        }
    }

    /// Returns a number; nil for another value, which is skipped, and for a number that is no integer of 64 bits.
    package mutating func integer() throws(Failure) -> Int? {
        guard try kind() == .other else {
            try skip()
            return nil
        }
        var digits: [UInt8] = []
        while let byte = try peek(), !Self.isEnd(byte) {
            if digits.count < 24 { digits.append(byte) }
            position += 1
        }
        let text = String(decoding: digits, as: UTF8.self)
        return Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
    }

    /// Returns the bytes of a number, `true`, `false` or `null`, cut after `limit` bytes; nil for another value, which is
    /// skipped.
    package mutating func literal(limit: Int = 64) throws(Failure) -> [UInt8]? {
        guard try kind() == .other else {
            try skip()
            return nil
        }
        var bytes: [UInt8] = []
        while let byte = try peek(), !Self.isEnd(byte) {
            if bytes.count < limit { bytes.append(byte) }
            position += 1
        }
        guard !bytes.isEmpty else { throw malformed }
        return bytes
    }

    /// Skips the next value, however deep it is.
    package mutating func skip() throws(Failure) {
        var levels: [UInt8] = []
        repeat {
            guard let byte = try mark() else { throw .ended }
            switch byte {
            case UInt8(ascii: "\""): try text { _ in }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard level + levels.count < Self.depth else { throw .tooDeep }
                // The closing byte is two after the opening one.
                levels.append(byte + 2)
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard levels.popLast() == byte else { throw malformed }
                position += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard !levels.isEmpty else { throw malformed }
                position += 1
            default:
                let start = offset
                while let byte = try peek(), !Self.isEnd(byte) { position += 1 }
                guard offset > start else { throw malformed }
            }
        } while !levels.isEmpty
    }

    // MARK: - Bytes

    /// The number of bytes before the next one.
    private var offset: UInt64 { before + UInt64(position) }
    private var malformed: Failure { .malformed(at: offset) }

    private static func isEnd(_ byte: UInt8) -> Bool { byte <= 0x20 || ",:]}[{\"".utf8.contains(byte) }

    /// Returns the next byte without taking it; nil at the end.
    private mutating func peek() throws(Failure) -> UInt8? {
        while position >= end {
            guard try fill() else { return nil }
        }
        return buffer[position]
    }

    /// Returns the next byte that is no white space, without taking it; nil at the end.
    private mutating func mark() throws(Failure) -> UInt8? {
        while let byte = try peek() {
            // A byte order mark may begin the text.
            let isMark = before == 0 && position < 3 && [0xef, 0xbb, 0xbf].contains(byte)
            guard byte == 0x20 || (0x09...0x0d).contains(byte) || isMark else { return byte }
            position += 1
        }
        return nil
    }

    /// Reads the next bytes. Returns false at the end.
    private mutating func fill() throws(Failure) -> Bool {
        before += UInt64(end)
        (position, end) = (0, 0)
        guard let count = buffer.withUnsafeMutableBytes({ read($0) }) else { throw .unreadable }
        end = min(count, buffer.count)
        return end > 0
    }

    private mutating func open() throws(Failure) {
        guard level < Self.depth else { throw .tooDeep }
        level += 1
        position += 1
    }

    private mutating func closes(_ byte: UInt8) throws(Failure) -> Bool {
        guard let next = try mark() else { throw .ended }
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Lets `body` read a value, and skips it if `body` did not.
    private mutating func element(_ body: (inout JSONStream) throws(Failure) -> Void) throws(Failure) {
        guard try mark() != nil else { throw .ended }
        let start = offset
        try body(&self)
        if offset == start { try skip() }
    }

    /// Consumes the comma before the next value. The last value of an object or array has no comma after it.
    private mutating func separator(_ closing: UInt8) throws(Failure) {
        switch try mark() {
        case UInt8(ascii: ","): position += 1
        case closing: break
        case nil: throw .ended
        default: throw malformed
        }
    }

    /// Returns the bytes of an escape, after its backslash.
    private mutating func escape() throws(Failure) -> [UInt8] {
        guard let byte = try peek() else { throw .ended }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): return [0x0a]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "r"): return [0x0d]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0c]
        case UInt8(ascii: "u"): break
        default: return [byte]
        }
        var units = [try unit()]
        // The other half of a pair has an escape of its own.
        while let last = units.last, UTF16.isLeadSurrogate(last) {
            guard try peek() == UInt8(ascii: "\\") else { break }
            position += 1
            guard try peek() == UInt8(ascii: "u") else {
                return Self.utf8(units) + (try escape())
            }
            position += 1
            units.append(try unit())
        }
        return Self.utf8(units)
    }

    private static func utf8(_ units: [UInt16]) -> [UInt8] {
        if units.count == 1, (0xdc80...0xdcff).contains(units[0]) { return [UInt8(units[0] & 0xff)] }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    private mutating func unit() throws(Failure) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = try peek() else { throw .ended }
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { throw malformed }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}
