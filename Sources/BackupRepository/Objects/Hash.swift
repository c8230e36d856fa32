internal import Crypto

/// What an object, a directory and a snapshot are known by: the SHA-256 of some content (FIPS 180-4), or of a content
/// that is kept in parts what `PartList` says.
package struct ContentHash: Sendable, Hashable {
    /// 32 bytes.
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    package init(of content: UnsafeRawBufferPointer) { bytes = Array(SHA256.hash(data: content)) }

    package init(of content: [UInt8]) { bytes = Array(SHA256.hash(data: content)) }

    /// 64 digits.
    package var hexadecimal: String {
        String(decoding: bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
