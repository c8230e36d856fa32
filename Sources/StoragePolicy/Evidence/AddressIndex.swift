internal import Synchronization

/// The web addresses that an app's own databases, property lists and JSON files hold, and the files that manifests list.
///
/// A file whose name is that of an address, or the digest of one, was most likely fetched from there. Tables and files
/// about senders, recipients, messages or uploads are left out: servers delete chat media, and what the user uploaded
/// is the user's. Costs nothing where no text is read: texts come from files that other rules read anyway.
final class AddressIndex: Sendable {
    /// A file that a manifest lists beside checksums, entity tags or times of expiry.
    struct Listing: Hashable, Sendable {
        /// The directory of the manifest.
        let directory: [UInt8]
        let name: [UInt8]
    }

    private struct Kept {
        /// By the beginning of the SHA-256.
        var addresses: [UInt64: WebAddress] = [:]
        var listings: Set<Listing> = []
        var isFull = false
    }
    private let kept = Mutex(Kept())
    /// The most addresses, and the most listings, that are kept.
    private let limit: Int

    /// The most addresses that are read of one column of a database.
    static let mostOfColumn = 20_000

    init(limit: Int = 20_000) { self.limit = limit }

    /// Takes the addresses among the texts of one file.
    ///
    /// - Parameters:
    ///   - texts: All texts of the file.
    ///   - directory: The directory of the file.
    ///   - tables: The tables of a database, for their columns; empty for other files.
    func add(_ texts: [TextValue], in directory: [UInt8], tables: [String: [String]]) {
        let isManifest = tables.isEmpty && texts.contains { Self.isManifestKey($0.key) }
        let telling = texts.filter { $0.text.hasPrefix("http") || isManifest && Self.isFileName($0.text) }
        guard !telling.isEmpty else { return }
        let sensitive = Self.sensitiveParts(texts, tables)
        var (addresses, listings): ([WebAddress], [Listing]) = ([], [])
        for value in telling where !sensitive.contains(Self.part(value.pointer, isDatabase: !tables.isEmpty)) {
            if let address = WebAddress(value.text) {
                addresses.append(address)
            } else if isManifest, Self.isFileName(value.text) {
                let name = Array(value.text.utf8).split(separator: UInt8(ascii: "/")).last ?? []
                listings.append(Listing(directory: directory, name: Array(name)))
            }
        }
        add(addresses, listings)
    }

    /// Takes addresses that are known to stand among nothing of other people's.
    func add(_ addresses: [WebAddress], _ listings: [Listing] = []) {
        guard !addresses.isEmpty || !listings.isEmpty else { return }
        kept.withLock { kept in
            for address in addresses { kept.addresses[address.digests[2]] = address }
            kept.listings.formUnion(listings)
            if kept.addresses.count > limit + limit / 4 || kept.listings.count > limit + limit / 4 { trim(&kept) }
        }
    }

    /// Notes that a file holds addresses that were not read.
    func noteUnread() { kept.withLock { $0.isFull = true } }

    /// The addresses that files are compared with, and whether some were left out.
    func take() -> (names: AddressNames, isFull: Bool) {
        kept.withLock { kept in
            trim(&kept)
            return (AddressNames(kept.addresses.values, listings: kept.listings), kept.isFull)
        }
    }

    /// Keeps the first by their digests and names, so that the order of arrival does not show.
    private func trim(_ kept: inout Kept) {
        if kept.addresses.count > limit {
            kept.isFull = true
            for key in kept.addresses.keys.sorted().dropFirst(limit) { kept.addresses[key] = nil }
        }
        if kept.listings.count > limit {
            kept.isFull = true
            kept.listings = Set(
                kept.listings.sorted {
                    ($0.name + [0] + $0.directory).lexicographicallyPrecedes($1.name + [0] + $1.directory)
                }
                .prefix(limit))
        }
    }

    private static func isFileName(_ text: String) -> Bool {
        text.utf8.count <= 255 && text.utf8.contains(UInt8(ascii: ".")) && !text.contains(" ")
            && text.split(separator: "/").last.map { $0.utf8.count >= 4 && $0.utf8.first != UInt8(ascii: ".") } ?? false
    }

    // MARK: - What is left out

    /// The part of a file that a sensitive name spoils: a column of a database, any other file as a whole.
    private static func part(_ pointer: String, isDatabase: Bool) -> Substring {
        isDatabase ? pointer.prefix { $0 != "/" } : ""
    }

    /// The parts whose names are about what people send, receive or upload.
    private static func sensitiveParts(_ texts: [TextValue], _ tables: [String: [String]]) -> Set<Substring> {
        let isDatabase = !tables.isEmpty
        let spoilt = tables.filter { table, columns in ([table] + columns).contains(where: isSensitive) }.keys
            .map { $0 + "." }
        var (parts, seen): (Set<Substring>, Set<String>) = ([], [])
        for value in texts where seen.insert(value.pointer).inserted {
            let part = part(value.pointer, isDatabase: isDatabase)
            guard !parts.contains(part) else { continue }
            let isSpoilt =
                spoilt.contains { value.pointer.hasPrefix($0) } || isSensitive(value.pointer.dropFirst(part.count))
                || isSensitive(value.key)
            if isSpoilt { parts.insert(part) }
        }
        return parts
    }

    private static func isSensitive(_ name: some StringProtocol) -> Bool {
        var found = false
        var name = String(name)
        name.withUTF8 { bytes in
            NameWords.forEach(in: UnsafeRawBufferPointer(bytes)) { if sensitiveWords.contains($0) { found = true } }
        }
        return found
    }

    private static let sensitiveWords: Set<PackedWord> = Set(
        [
            "sender", "senders", "recipient", "recipients", "receiver", "receivers", "message", "messages", "msg",
            "chat", "chats", "conversation", "conversations", "attachment", "attachments", "inbox", "outbox", "mailbox",
            "upload", "uploads", "uploaded", "uploading", "publish", "published", "sent",
        ].compactMap { NameWords.packed($0) })

    private static func isManifestKey(_ key: String) -> Bool { manifestKeys.contains(key.filter(\.isLetter)) }

    private static let manifestKeys: Set<String> = [
        "etag", "checksum", "sha", "md", "crc", "maxage", "ttl", "expires", "expiresat", "fetchedat", "cdn",
        "remoteurl", "baseurl", "downloadurl", "cachecontrol", "lastmodified",
    ]
}

/// File names, and digests that serve as file names, by the addresses that explain them.
struct AddressNames: Sendable {
    private var byName: [String: String] = [:]
    private var byDigest: [UInt64: String] = [:]
    private let listings: Set<AddressIndex.Listing>
    var isEmpty: Bool { byDigest.isEmpty && listings.isEmpty }

    init(_ addresses: some Sequence<WebAddress>, listings: Set<AddressIndex.Listing>) {
        self.listings = listings
        for address in addresses {
            for digest in address.digests { byDigest[digest] = min(byDigest[digest] ?? address.shown, address.shown) }
            guard Self.isTelling(address.name) else { continue }
            byName[address.name] = min(byName[address.name] ?? address.shown, address.shown)
        }
    }

    /// The address that ends in this name.
    func address(of name: [UInt8]) -> String? { byName[String(decoding: name, as: UTF8.self)] }

    /// The address whose digest the name is.
    func address(withDigest digest: UInt64) -> String? { byDigest[digest] }

    /// Whether a manifest in one of some directories lists the name.
    func isListed(_ name: [UInt8], in directories: [[UInt8]]) -> Bool {
        !listings.isEmpty && directories.contains { listings.contains(.init(directory: $0, name: name)) }
    }

    /// Whether a name is rare enough to say something: `index.html` ends many addresses, and `IMG_0001.jpg` and
    /// `12.jpg` are names of users' own files as well.
    private static func isTelling(_ name: String) -> Bool {
        guard name.utf8.count >= 5, !common.contains(name.lowercased()) else { return false }
        let stem = Array((name.split(separator: ".").first ?? "").utf8)
        let digits = stem.count { (0x30...0x39).contains($0) }
        let isShortNumber = digits == stem.count && digits < 7
        let isCamera = ["IMG", "DSC", "MOV", "VID", "PXL"].contains { stem.starts(with: $0.utf8) } && stem.count < 13
        return !isShortNumber && !isCamera
    }

    private static let common: Set<String> = [
        "index.html", "index.php", "image.jpg", "image.png", "default.jpg", "default.png", "photo.jpg", "picture.jpg",
        "cover.jpg", "cover.png", "thumb.jpg", "icon.png", "logo.png", "avatar.png", "avatar.jpg", "data.json",
        "config.json", "video.mp4", "audio.mp3", "document.pdf", "file.pdf", "download.pdf", "favicon.ico",
        "index.json", "manifest.json", "video.mov", "audio.m4a", "image.jpeg", "photo.jpeg", "photo.png",
        "recording.m4a", "scan.pdf", "invoice.pdf", "receipt.pdf", "report.pdf",
    ]
}
