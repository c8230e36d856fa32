internal import ContainerTree
internal import Crypto
internal import Foundation
internal import Synchronization

/// The web addresses that an app's own databases, property lists and JSON files hold, by the file names they end in.
///
/// A file whose name is that of an address, or the digest of one, was most likely fetched from there. Tables and files
/// that speak of senders, recipients, messages or uploads are left out: servers delete chat media, and what the user
/// uploaded is the user's. Costs nothing where no text is read: texts come from files that other rules read anyway.
final class AddressIndex: Sendable {
    /// An address and the file that holds it.
    struct Address: Hashable, Sendable {
        /// The last component of the path, without percent encoding.
        let name: String
        /// Host and path, without query; at most 120 characters.
        let shown: String
        /// The whole address, for digests.
        let text: String
    }

    private struct Kept {
        var addresses: Set<Address> = []
        /// File names that a manifest lists beside checksums, entity tags or times of expiry.
        var listed: Set<String> = []
        var dropped = 0
    }
    private let kept = Mutex(Kept())
    /// The most addresses, and the most names of manifests, that are kept.
    private let limit: Int

    init(limit: Int = 20_000) { self.limit = limit }

    /// Takes the addresses among the texts of one file.
    ///
    /// - Parameter tables: The tables of a database, for their columns; empty for other files.
    func add(_ texts: [TextValue], tables: [String: [String]]) {
        let sensitive = Set(tables.filter { Self.isSensitive([$0.key] + $0.value) }.keys)
        if tables.isEmpty, Self.isSensitive(texts.lazy.map(\.key)) { return }
        let isManifest = texts.lazy.filter { Self.isManifestKey($0.key) }.prefix(2).count > 0
        var addresses: [Address] = []
        var listed: [String] = []
        for value in texts where value.text.utf8.count <= 2_048 {
            if !sensitive.isEmpty, let table = value.pointer.split(separator: ".").first,
                sensitive.contains(String(table))
            {
                continue
            }
            if let address = Self.address(value.text) {
                addresses.append(address)
            } else if isManifest, Self.isFileName(value.text) {
                listed.append(String(value.text.split(separator: "/").last ?? ""))
            }
        }
        guard !addresses.isEmpty || !listed.isEmpty else { return }
        kept.withLock { kept in
            kept.addresses.formUnion(addresses)
            kept.listed.formUnion(listed)
            guard kept.addresses.count > limit * 2 || kept.listed.count > limit * 2 else { return }
            Self.trim(&kept, to: limit)
        }
    }

    /// What files are compared with, and the number of addresses that were left out.
    func take() -> (names: AddressNames, dropped: Int) {
        kept.withLock { kept in
            Self.trim(&kept, to: limit)
            return (AddressNames(kept.addresses, listed: kept.listed), kept.dropped)
        }
    }

    private static func trim(_ kept: inout Kept, to limit: Int) {
        if kept.addresses.count > limit {
            kept.dropped += kept.addresses.count - limit
            kept.addresses = Set(kept.addresses.sorted { $0.text < $1.text }.prefix(limit))
        }
        if kept.listed.count > limit {
            kept.dropped += kept.listed.count - limit
            kept.listed = Set(kept.listed.sorted().prefix(limit))
        }
    }

    /// The address that a text is; nil for other texts, and for addresses that end in no file name.
    static func address(_ text: String) -> Address? {
        guard text.hasPrefix("https://") || text.hasPrefix("http://"),
            let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty
        else { return nil }
        let name = parts.path.split(separator: "/").last.map(String.init) ?? ""
        return Address(name: name, shown: String((host + parts.path).prefix(120)), text: text)
    }

    private static func isFileName(_ text: String) -> Bool {
        text.utf8.count <= 255 && text.utf8.contains(UInt8(ascii: ".")) && !text.contains(" ")
            && text.split(separator: "/").last.map { $0.utf8.count >= 4 && $0.utf8.first != UInt8(ascii: ".") } ?? false
    }

    /// Whether names of tables, columns or keys speak of what people send, receive or upload.
    private static func isSensitive(_ names: some Sequence<String>) -> Bool {
        names.contains { name in
            var found = false
            Array(name.utf8).withUnsafeBytes { bytes in
                NameWords.forEach(in: bytes) { if sensitiveWords.contains($0) { found = true } }
            }
            return found
        }
    }

    private static let sensitiveWords = packed([
        "sender", "senders", "recipient", "recipients", "receiver", "message", "messages", "msg", "chat", "chats",
        "conversation", "conversations", "upload", "uploads", "uploaded", "outbox", "published", "publish", "mailbox",
    ])

    private static func isManifestKey(_ key: String) -> Bool { manifestKeys.contains(key.filter(\.isLetter)) }

    private static let manifestKeys: Set<String> = [
        "etag", "checksum", "sha", "md", "crc", "maxage", "ttl", "expires", "expiresat", "fetchedat", "cdn",
        "remoteurl",
        "baseurl", "downloadurl", "cachecontrol", "lastmodified",
    ]

    private static func packed(_ words: [String]) -> Set<PackedWord> { Set(words.compactMap { NameWords.packed($0) }) }
}

/// File names, and digests that serve as file names, by the addresses that explain them.
struct AddressNames: Sendable {
    private let byName: [String: String]
    private let listed: Set<String>
    private let addresses: Set<AddressIndex.Address>
    var isEmpty: Bool { byName.isEmpty && listed.isEmpty }

    init(_ addresses: Set<AddressIndex.Address>, listed: Set<String>) {
        self.addresses = addresses
        self.listed = listed
        var byName: [String: String] = [:]
        for address in addresses where Self.isTelling(address.name) {
            byName[address.name] = min(byName[address.name] ?? address.shown, address.shown)
        }
        self.byName = byName
    }

    /// The addresses by their MD5, SHA-1 and SHA-256 as small hexadecimal digits.
    func byDigest() -> [String: String] {
        var digests: [String: String] = [:]
        for address in addresses {
            let bytes = Data(address.text.utf8)
            for digest in [
                Self.hexadecimal(Insecure.MD5.hash(data: bytes)), Self.hexadecimal(Insecure.SHA1.hash(data: bytes)),
                Self.hexadecimal(SHA256.hash(data: bytes)),
            ] {
                digests[digest] = min(digests[digest] ?? address.shown, address.shown)
            }
        }
        return digests
    }

    /// The address that ends in this name.
    func address(of name: [UInt8]) -> String? { byName[String(decoding: name, as: UTF8.self)] }

    /// Whether a manifest lists the name.
    func isListed(_ name: [UInt8]) -> Bool { listed.contains(String(decoding: name, as: UTF8.self)) }

    /// Whether a name is rare enough to say something: `index.html` ends many addresses.
    private static func isTelling(_ name: String) -> Bool {
        name.utf8.count >= 5 && !common.contains(name.lowercased())
    }

    private static let common: Set<String> = [
        "index.html", "index.php", "image.jpg", "image.png", "default.jpg", "default.png", "photo.jpg", "picture.jpg",
        "cover.jpg", "cover.png", "thumb.jpg", "icon.png", "logo.png", "avatar.png", "avatar.jpg", "data.json",
        "config.json", "video.mp4", "audio.mp3", "document.pdf", "file.pdf", "download.pdf", "favicon.ico",
    ]

    private static func hexadecimal(_ digest: some Sequence<UInt8>) -> String {
        digest.map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}
