internal import Crypto
internal import Foundation
internal import TextOutput

/// A web address, reduced to what files are compared with and what a report may show.
struct WebAddress: Hashable, Sendable {
    /// The last component of the path, without percent encoding; empty where no file can have that name.
    let name: String
    /// Host and path without query, fragment, port and credentials. A component that may be a secret is shortened.
    let shown: String
    /// The beginnings of the MD5, SHA-1 and SHA-256 of the whole text.
    let digests: [UInt64]

    /// The address that a text is; nil for other texts.
    init?(_ text: String) {
        guard text.utf8.count <= Self.longest, let parts = Self.parts(of: text) else { return nil }
        let components = parts.path.split(separator: "/")
        let last = components.last.map { $0.removingPercentEncoding ?? String($0) } ?? ""
        name = last.utf8.count <= 255 && !last.contains("/") && !last.utf8.contains(0) ? last : ""
        let shown = ([parts.host] + components.map(Self.shortened)).joined(separator: "/")
        self.shown = ByteText.escaped(Array(shown.utf8.prefix(120)))
        let bytes = Data(text.utf8)
        digests = [
            Self.beginning(Insecure.MD5.hash(data: bytes)), Self.beginning(Insecure.SHA1.hash(data: bytes)),
            Self.beginning(SHA256.hash(data: bytes)),
        ]
    }

    /// A longer text is not taken for an address.
    private static let longest = 2_048

    /// The first 64 bits of a digest that a name gives in hexadecimal digits; nil for a name that is no digest.
    static func digest(named stem: some Collection<UInt8>) -> UInt64? {
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

    /// A component as reports show it. Long ones may be tokens; `@`, `=` and `;` join values that the user or the app
    /// put in.
    private static func shortened(_ component: Substring) -> String {
        if component.contains(where: { "@=;".contains($0) }) || SecretShape.hasStrong(String(component)) { return "…" }
        return component.utf8.count > 24 ? component.prefix(8) + "…" : String(component)
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
