internal import ContainerTree
internal import FileSystem
internal import Secrets

/// The form of a private key that a file holds; nil for none. Reads 64 KiB.
///
/// Sources: RFC 7468 (PEM), RFC 5208 (PKCS #8), RFC 7292 (PKCS #12), RFC 8017 (RSA keys), RFC 5915 (elliptic keys),
/// and OpenJDK's JavaKeyStore and JceKeyStore for the keystores' first bytes.
enum PrivateKeyFact: Fact {
    static let name = "private key"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> String? {
        guard let bytes = facts.bytes(64 << 10, at: 0) else { return nil }
        return form(of: bytes)
    }

    static func form(of bytes: [UInt8]) -> String? {
        switch bytes.prefix(4) {
        case [0xfe, 0xed, 0xfe, 0xed], [0xce, 0xce, 0xce, 0xce]: return "a Java keystore"
        case let first where first.first == 0x30: return encoded(bytes[...])
        default: break
        }
        if bytes.starts(with: "PuTTY-User-Key-File-".utf8) { return "a PuTTY key" }
        let secrets = bytes.withUnsafeBytes { SecretShape.matches(in: $0, most: 100) }
        return secrets.contains { $0.shape == .privateKey } ? "a private key in PEM format" : nil
    }

    /// Returns the kind of a DER sequence, by its first element.
    private static func encoded(_ bytes: ArraySlice<UInt8>) -> String? {
        guard let content = element(bytes)?.content, let first = element(content) else { return nil }
        let rest = content.dropFirst(first.length)
        guard let second = element(rest) else { return nil }
        switch (first.tag, Array(first.content.prefix(2)), second.tag) {
        case (0x02, [3], 0x30):
            return isObject(second.content, beginning: [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07])
                ? "a PKCS #12 file" : nil
        case (0x02, [0], 0x30), (0x02, [1], 0x30):
            return isObject(second.content, beginning: []) ? "a private key in PKCS #8 format" : nil
        case (0x02, [0], 0x02): return second.content.count >= 64 ? "an RSA private key" : nil
        case (0x02, [1], 0x04): return (16...66).contains(second.content.count) ? "an elliptic-curve private key" : nil
        case (0x30, _, 0x04):
            // An algorithm of PKCS #5 or #12, and what it made.
            let isLocked =
                isObject(first.content, beginning: [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05])
                || isObject(first.content, beginning: [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x0c])
            return isLocked ? "an encrypted private key in PKCS #8 format" : nil
        default: return nil
        }
    }

    private static func isObject(_ content: ArraySlice<UInt8>, beginning start: [UInt8]) -> Bool {
        guard let identifier = element(content), identifier.tag == 0x06 else { return false }
        return identifier.content.starts(with: start)
    }

    private typealias Element = (tag: UInt8, content: ArraySlice<UInt8>, length: Int)

    /// Returns the element at the start, with the part of its content that was read.
    private static func element(_ bytes: ArraySlice<UInt8>) -> Element? {
        guard bytes.count >= 2, let tag = bytes.first else { return nil }
        let short = Int(bytes[bytes.startIndex + 1])
        var (header, count) = (2, short)
        if short > 0x80 {
            let digits = bytes.dropFirst(2).prefix(short - 0x80)
            guard short <= 0x84, digits.count == short - 0x80 else { return nil }
            count = digits.reduce(0) { $0 << 8 | Int($1) }
            header += digits.count
        } else if short == 0x80 {
            // BER allows a value without a length, which ends with the data.
            count = bytes.count - header
        }
        return (tag, bytes.dropFirst(header).prefix(count), header + count)
    }
}
