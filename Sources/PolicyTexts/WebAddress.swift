internal import Crypto
internal import Foundation
internal import Secrets
internal import TextOutput

/// A web address, reduced to what files are compared with and what a report may show.
package struct WebAddress: Hashable, Sendable {
    /// The last component of the path, without percent encoding; empty where no file can have that name.
    package let name: String
    /// The host and the ordinary components of the path, and the file that contains the address. See `ShownAddress`.
    package private(set) var shown: String
    /// The beginnings of the MD5, SHA-1 and SHA-256 of the whole text.
    package let digests: [UInt64]

    /// The address that a text is; nil for other texts.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.longest, let parts = Self.parts(of: text) else { return nil }
        let components = parts.path.split(separator: "/")
        let last = components.last.map { $0.removingPercentEncoding ?? String($0) } ?? ""
        name = last.utf8.count <= 255 && !last.contains("/") && !last.utf8.contains(0) ? last : ""
        shown = ByteText.escaped(Array((ShownAddress(text)?.withoutScheme ?? "…").utf8))
        let bytes = Data(text.utf8)
        digests = [
            Self.beginning(Insecure.MD5.hash(data: bytes)), Self.beginning(Insecure.SHA1.hash(data: bytes)),
            Self.beginning(SHA256.hash(data: bytes)),
        ]
    }

    /// Returns the address as one that the file with a name contains.
    package func contained(inFile name: [UInt8]) -> WebAddress {
        var address = self
        address.shown += " in \(PieceOfEvidence.shown(name))"
        return address
    }

    /// True if the name is that of an archive.
    var isArchive: Bool {
        let name = name.lowercased()
        return [".zip", ".tgz", ".gz", ".tar", ".aar", ".7z", ".br", ".zst"].contains { name.hasSuffix($0) }
    }

    /// A longer text is not taken for an address.
    private static let longest = 2_048

    /// The first 64 bits of a digest that a name gives in hexadecimal digits; nil for a name that is no digest.
    package static func digest(named stem: some Collection<UInt8>) -> UInt64? {
        guard [32, 40, 64].contains(stem.count), stem.allSatisfy(isHexadecimal) else { return nil }
        return UInt64(String(decoding: stem.prefix(16), as: UTF8.self), radix: 16)
    }

    private static func parts(of text: String) -> (host: String, path: Substring)? {
        let start = ["https://", "http://"].first { text.hasPrefix($0) }
        guard let start, !text.utf8.contains(where: { $0 <= 0x20 }) else { return nil }
        let rest = text.dropFirst(start.count)
        let authority = rest.prefix { !"/?#".contains($0) }
        // Credentials stand before `@`.
        let host = (authority.split(separator: "@", omittingEmptySubsequences: false).last ?? "").prefix { $0 != ":" }
        guard !host.isEmpty else { return nil }
        return (String(host), rest[authority.endIndex...].prefix { !"?#".contains($0) })
    }

    private static func beginning(_ digest: some Sequence<UInt8>) -> UInt64 {
        digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}

/// The form of a numbered file's name: all but the number.
struct NumberedName: Hashable, Sendable {
    /// The name with `#` for the number.
    package let text: String

    /// The form of an address in which `{…}` stands for a number; nil for other addresses.
    init?(template name: String) {
        guard let open = name.firstIndex(of: "{"), let close = name[open...].firstIndex(of: "}"),
            name[name.index(after: close)...].contains(".")
        else { return nil }
        text = name[..<open] + "#" + name[name.index(after: close)...]
    }

    /// The form of a file's name; nil for one without a number.
    init?(_ name: [UInt8]) {
        let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
        let stem = name[..<(name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)]
        guard let last = stem.lastIndex(where: isDigit) else { return nil }
        let first = stem[...last].lastIndex { !isDigit($0) }.map { $0 + 1 } ?? 0
        text =
            String(decoding: name[..<first], as: UTF8.self) + "#" + String(decoding: name[(last + 1)...], as: UTF8.self)
    }
}
