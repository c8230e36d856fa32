internal import Crypto

/// The SHA-256 of the bytes of a body.
struct BodyDigest: Hashable, Sendable {
    private let words: SIMD4<UInt64>

    init(_ digest: SHA256.Digest) { words = digest.withUnsafeBytes { $0.loadUnaligned(as: SIMD4<UInt64>.self) } }
}

/// A computation of the digest of a body, piece by piece.
struct BodyHasher {
    private var hasher = SHA256()
    /// The number of bytes.
    private(set) var count: UInt64 = 0
    /// The bytes besides white space, and the different ones among them, as far as they matter.
    private var visible = 0
    private var different: [UInt8] = []

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        hasher.update(bufferPointer: bytes)
        count += UInt64(bytes.count)
        guard isTrivial else { return }
        for byte in bytes where byte > 0x20 {
            visible += 1
            if different.count < Self.fewestDifferent, !different.contains(byte) { different.append(byte) }
            if !isTrivial { return }
        }
    }

    private static let fewest = 16
    private static let fewestDifferent = 3

    /// True for bytes that agree with others by chance: fewer than 16, or only one or two different ones, such as zeros and
    /// empty brackets.
    var isTrivial: Bool { visible < Self.fewest || different.count < Self.fewestDifferent }

    /// The digest; nil for bytes that prove nothing.
    var digest: (digest: BodyDigest, size: UInt64)? {
        isTrivial ? nil : (BodyDigest(hasher.finalize()), count)
    }
}

/// The digest of the bytes of a body, and those of its parts if it is a form.
private struct BodyReading {
    private var whole = BodyHasher()
    private var parts: FormParts?

    /// Creates a reading of no bytes.
    init(mayBeForm: Bool) { parts = mayBeForm ? FormParts() : nil }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        whole.update(bytes)
        parts?.update(bytes)
    }

    var digests: [(digest: BodyDigest, size: UInt64)] { [whole.digest].compactMap(\.self) + (parts?.digests ?? []) }
}

/// The digests of a body that is recorded as text, before it is known in which encoding.
struct BodyText {
    /// The text in UTF-8.
    private var plain: BodyReading
    /// The text in ISO 8859-1, in which mitmproxy writes bytes that are no text; nil as long as it has the same bytes, and where
    /// it has none.
    private var latin: BodyReading?
    private var mayBeLatin = true
    private var lead: UInt8?
    private var base64: Base64Hasher?

    /// Creates the digests of no bytes. A form has parts, which are bodies as well.
    init(mayBeForm: Bool) {
        plain = BodyReading(mayBeForm: mayBeForm)
        base64 = Base64Hasher(reading: BodyReading(mayBeForm: mayBeForm))
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        updateLatin(bytes)
        plain.update(bytes)
        if base64?.update(bytes) == false { base64 = nil }
    }

    private mutating func updateLatin(_ bytes: UnsafeRawBufferPointer) {
        guard mayBeLatin else { return }
        var start = 0
        if latin == nil {
            guard let first = bytes.firstIndex(where: { $0 >= 0x80 }) else { return }
            latin = plain
            latin?.update(UnsafeRawBufferPointer(rebasing: bytes[..<first]))
            start = first
        }
        var converted: [UInt8] = []
        converted.reserveCapacity(bytes.count - start)
        for byte in bytes[start...] {
            switch (lead, byte) {
            case (nil, 0..<0x80): converted.append(byte)
            case (nil, 0xc2), (nil, 0xc3): lead = byte
            case (.some(let first), 0x80..<0xc0):
                converted.append(first << 6 | byte & 0x3f)
                lead = nil
            default:
                (mayBeLatin, latin) = (false, nil)
                return
            }
        }
        converted.withUnsafeBytes { latin?.update($0) }
    }

    /// Returns the digests of the body: of its bytes if the text is Base64, else of the text in its possible encodings.
    func digests(isBase64: Bool) -> [(digest: BodyDigest, size: UInt64)] {
        if isBase64 { return base64?.finished.digests ?? [] }
        return plain.digests + (lead == nil ? latin?.digests ?? [] : [])
    }
}

/// The digest of the bytes that a text in Base64 stands for. Source: RFC 4648, sections 4 and 5.
private struct Base64Hasher {
    private var reading: BodyReading
    private var pending: UInt32 = 0
    private var count = 0
    private var isPadded = false

    init(reading: BodyReading) { self.reading = reading }

    /// Returns false if the text is no Base64.
    mutating func update(_ text: UnsafeRawBufferPointer) -> Bool {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 3)
        for character in text {
            let value = Self.values[Int(character)]
            guard value < 64 else {
                if character == UInt8(ascii: "=") { isPadded = true }
                guard character == UInt8(ascii: "=") || (0x09...0x20).contains(character) else { return false }
                continue
            }
            guard !isPadded else { return false }
            pending = pending << 6 | UInt32(value)
            count += 1
            guard count == 4 else { continue }
            bytes.append(UInt8(truncatingIfNeeded: pending >> 16))
            bytes.append(UInt8(truncatingIfNeeded: pending >> 8))
            bytes.append(UInt8(truncatingIfNeeded: pending))
            (pending, count) = (0, 0)
        }
        bytes.withUnsafeBytes { reading.update($0) }
        return true
    }

    /// The reading with the bytes of the last, shorter group.
    var finished: BodyReading {
        var reading = reading
        let last: [UInt8] =
            switch count {
            case 2: [UInt8(truncatingIfNeeded: pending >> 4)]
            case 3: [UInt8(truncatingIfNeeded: pending >> 10), UInt8(truncatingIfNeeded: pending >> 2)]
            default: []
            }
        last.withUnsafeBytes { reading.update($0) }
        return reading
    }

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xff, count: 256)
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        (values[Int(UInt8(ascii: "-"))], values[Int(UInt8(ascii: "_"))]) = (62, 63)
        return values
    }()
}
