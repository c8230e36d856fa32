internal import Foundation
internal import FileSystem

/// The web addresses that an app's own databases, property lists and JSON files hold, and the files that manifests list.
///
/// A file whose name is that of an address, or the digest of one, was most likely fetched from there. Tables and files
/// about senders, recipients, messages or uploads are left out: servers delete chat media, and what the user uploaded
/// is the user's. Costs nothing where no text is read: texts come from files that other rules read anyway.
package final class AddressIndex: Sendable {
    /// A file that a manifest lists beside checksums, entity tags or times of expiry.
    package struct Listing: Hashable, Sendable {
        /// The directory of the manifest.
        package let directory: [UInt8]
        package let name: [UInt8]
    }

    /// The evidence from the texts of one file.
    package struct Found: Sendable {
        package var addresses: [WebAddress] = []
        var listings: [Listing] = []
        /// Addresses by the file that the same record names: `cover.jpg`, or `Covers/cover.jpg`.
        package var files: [String: String] = [:]
        /// The files whose records have an entity tag as well, as clients of a server keep it of what they fetched.
        var tagged: Set<String> = []
        /// The files that records without an address name, in a store in which others have one.
        var unaddressed: [String: Bool] = [:]
        /// Addresses by the key of the record.
        package var keys: [String: String] = [:]
        /// Forms of numbered files' addresses: `https://example.com/tiles/{n}.png`.
        var series: [NumberedName: String] = [:]
        /// The directory of a description with an address, and whether that is an archive's.
        package var described: [[UInt8]: Bool] = [:]

        package var isEmpty: Bool { addresses.isEmpty && listings.isEmpty }

        package init(addresses: [WebAddress] = []) { self.addresses = addresses }
    }

    private struct Kept {
        /// By the beginning of the SHA-256.
        var addresses: [UInt64: WebAddress] = [:]
        var listings: Set<Listing> = []
        var files: [String: String] = [:]
        var tagged: Set<String> = []
        var unaddressed: [String: Bool] = [:]
        var keys: [String: String] = [:]
        var series: [NumberedName: String] = [:]
        var described: [[UInt8]: Bool] = [:]
        var isFull = false
    }
    private let kept = LockedValue(Kept())
    /// The most addresses, and the most listings, that are kept.
    private let limit: Int

    /// The most addresses that are read of one column of a database.
    package static let mostOfColumn = 20_000

    package init(limit: Int = 20_000) { self.limit = limit }

    package func add(_ found: Found) {
        guard !found.isEmpty else { return }
        kept.withLock { kept in
            for address in found.addresses {
                // If several files contain an address, the first by its name is shown.
                if let known = kept.addresses[address.digests[2]], known.shown <= address.shown { continue }
                kept.addresses[address.digests[2]] = address
            }
            kept.listings.formUnion(found.listings)
            kept.files.merge(found.files, uniquingKeysWith: min)
            kept.tagged.formUnion(found.tagged)
            kept.unaddressed.merge(found.unaddressed) { $0 || $1 }
            kept.keys.merge(found.keys, uniquingKeysWith: min)
            kept.series.merge(found.series, uniquingKeysWith: min)
            kept.described.merge(found.described) { $0 || $1 }
            let most = [
                kept.addresses.count, kept.listings.count, kept.files.count, kept.keys.count, kept.series.count,
                kept.described.count, kept.unaddressed.count,
            ].max()
            if most ?? 0 > limit + limit / 4 { trim(&kept) }
        }
    }

    /// Notes that a file holds addresses that were not read.
    package func noteUnread() { kept.withLock { $0.isFull = true } }

    /// The addresses that files are compared with, and whether some were left out.
    package func removeAll() -> (names: AddressNames, isFull: Bool) {
        kept.withLock { kept in
            trim(&kept)
            let names = AddressNames(
                kept.addresses.values, listings: kept.listings, files: kept.files, tagged: kept.tagged,
                unaddressed: kept.unaddressed, keys: kept.keys, series: kept.series, described: kept.described)
            return (names, kept.isFull)
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
        Self.trim(&kept.files, to: limit, isFull: &kept.isFull) { $0 < $1 }
        kept.tagged.formIntersection(kept.files.keys)
        Self.trim(&kept.unaddressed, to: limit, isFull: &kept.isFull) { $0 < $1 }
        Self.trim(&kept.keys, to: limit, isFull: &kept.isFull) { $0 < $1 }
        Self.trim(&kept.series, to: limit, isFull: &kept.isFull) { $0.text < $1.text }
        Self.trim(&kept.described, to: limit, isFull: &kept.isFull) { $0.lexicographicallyPrecedes($1) }
    }

    private static func trim<Key, Value>(
        _ entries: inout [Key: Value], to limit: Int, isFull: inout Bool, by areInOrder: (Key, Key) -> Bool
    ) {
        guard entries.count > limit else { return }
        isFull = true
        for key in entries.keys.sorted(by: areInOrder).dropFirst(limit) { entries[key] = nil }
    }

    /// The file that a text names: its name, after the name of its directory where the text gives a path.
    ///
    /// An identifier is a name only in a field that is about files, since records have identifiers as well.
    fileprivate static func namedFile(_ value: TextValue) -> String? {
        let text = value.text
        guard text.utf8.count <= 1_024, !text.hasPrefix("http"), !text.utf8.contains(where: { $0 < 0x20 }) else {
            return nil
        }
        let path = text.hasPrefix("file:") ? text.removingPercentEncoding ?? text : text
        let components = path.split(separator: "/").suffix(2)
        guard let name = components.last, name.utf8.count <= 255 else { return nil }
        guard let dot = name.lastIndex(of: ".") else {
            return isIdentifier(name) && isAboutFile(value.name) ? components.joined(separator: "/") : nil
        }
        guard dot != name.startIndex, (2...8).contains(name[dot...].utf8.count) else { return nil }
        return components.joined(separator: "/")
    }

    /// Returns true for a UUID, and for the digits of a hash.
    private static func isIdentifier(_ name: Substring) -> Bool {
        let digits = name.utf8.count { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
        let dashes = name.utf8.count { $0 == 0x2d }
        return digits + dashes == name.utf8.count && (digits == 32 && dashes == 4 || digits >= 16 && dashes == 0)
    }

    /// Returns true for a field that names a file: `localFile`, `relativePath`, `ZFILENAME`.
    private static func isAboutFile(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasSuffix("file") || name.hasSuffix("path") || name.contains("filename")
    }

    /// True if a key is rare enough to name a file: small numbers also name users' own files.
    fileprivate static func isTelling(key: String) -> Bool {
        (3...64).contains(key.utf8.count) && !key.contains("/") && key.contains(where: \.isNumber)
    }

    /// Returns true if an archive has the name of a directory: `sounds.tar` beside what was unpacked into `Sounds`.
    fileprivate static func names(_ archive: String, directory: [UInt8]) -> Bool {
        let own = directory.split(separator: UInt8(ascii: "/")).last ?? []
        return archive.lowercased().prefix { $0 != "." } == String(decoding: own, as: UTF8.self).lowercased()
    }

    fileprivate static func isFileName(_ text: String) -> Bool {
        text.utf8.count <= 255 && text.utf8.contains(UInt8(ascii: ".")) && !text.contains(" ")
            && text.split(separator: "/").last.map { $0.utf8.count >= 4 && $0.utf8.first != UInt8(ascii: ".") } ?? false
    }

    // MARK: - What is left out

    /// The part of a file that a sensitive name spoils: a column of a database, any other file as a whole.
    fileprivate static func part(_ pointer: ValuePointer, isDatabase: Bool) -> String {
        isDatabase ? pointer.column ?? "" : ""
    }

    /// The parts whose names are about what people send, receive or upload.
    fileprivate static func sensitiveParts(_ texts: [TextValue], tables: [String: [String]]) -> Set<String> {
        let isDatabase = !tables.isEmpty
        let spoilt = tables.filter { table, columns in ([table] + columns).contains(where: isSensitive) }.keys
            .map { $0 + "." }
        var parts: Set<String> = []
        var known: [String: Bool] = [:]
        var seen: Set<ObjectIdentifier> = []

        func isKnownSensitive(_ name: String) -> Bool {
            if let answer = known[name] { return answer }
            let answer = isSensitive(name) || isSensitive(name.lowercased())
            known[name] = answer
            return answer
        }
        for value in texts {
            let part = part(value.pointer, isDatabase: isDatabase)
            guard !parts.contains(part) else { continue }
            var isSpoilt = spoilt.contains(where: part.hasPrefix) || isKnownSensitive(value.name)
            value.pointer.forEachParent { parent in
                guard !isSpoilt, seen.insert(ObjectIdentifier(parent)).inserted else { return false }
                isSpoilt = isKnownSensitive(parent.name)
                return true
            }
            if isSpoilt { parts.insert(part) }
        }
        return parts
    }

    /// Returns true if a name has a word about what people send, receive or upload.
    package static func isSensitive(_ name: String) -> Bool {
        var found = false
        var name = name
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

    /// Returns true if the key of any text is a manifest's. Looks at each distinct name once.
    fileprivate static func hasManifestKey(_ texts: [TextValue]) -> Bool {
        var seen: Set<String> = []
        var last: String?
        return texts.contains { text in
            // The texts of a list have one name in a row.
            let name = text.name
            guard name != last else { return false }
            last = name
            return seen.insert(name).inserted && isManifestKey(name)
        }
    }

    /// Returns true for a name that manifests give to checksums, entity tags, times of expiry and sources.
    package static func isManifestKey(_ name: String) -> Bool {
        let letters = name.utf8.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            case UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...: byte
            default: nil
            }
        }
        return manifestKeys.contains(String(decoding: letters, as: UTF8.self))
    }

    /// Returns true for the name of an entity tag: `etag`, `eTag`, `ZETAG`.
    fileprivate static func isEntityTag(_ name: String) -> Bool {
        (4...5).contains(name.utf8.count) && ["etag", "zetag"].contains(name.lowercased())
    }

    private static let manifestKeys: Set<String> = [
        "etag", "checksum", "digest", "fingerprint", "hash", "hashes", "sha", "md", "crc", "maxage", "ttl", "expires",
        "expiresat", "fetchedat", "cdn", "remoteurl", "baseurl", "downloadurl", "cachecontrol", "lastmodified",
        "lastfetched",
    ]
}

extension AddressIndex.Found {
    /// The addresses among the texts of one file.
    ///
    /// - Parameters:
    ///   - texts: All texts of the file.
    ///   - name: The name of the file.
    ///   - directory: The directory of the file.
    ///   - tables: The tables of a database, for their columns; empty for other files.
    ///   - isSettings: True for settings in lines, which people write, so that they are no manifest.
    package init(
        _ texts: [TextValue], inFile name: [UInt8], of directory: [UInt8], tables: [String: [String]],
        isSettings: Bool = false
    ) {
        let isManifest = tables.isEmpty && !isSettings && AddressIndex.hasManifestKey(texts)
        let telling = texts.filter { $0.text.hasPrefix("http") || isManifest && AddressIndex.isFileName($0.text) }
        guard !telling.isEmpty else { return }
        let sensitive = AddressIndex.sensitiveParts(texts, tables: tables)
        func isLeftOut(_ value: TextValue) -> Bool {
            sensitive.contains(AddressIndex.part(value.pointer, isDatabase: !tables.isEmpty))
        }
        var records: [ObjectIdentifier?: String] = [:]
        for value in telling where !isLeftOut(value) {
            if let address = WebAddress(value.text)?.contained(inFile: name) {
                addresses.append(address)
                let record = value.pointer.record.map { ObjectIdentifier($0) }
                let shown = min(records[record] ?? address.shown, address.shown)
                records[record] = shown
                if let key = value.pointer.recordKey, AddressIndex.isTelling(key: key) { keys[key] = shown }
                let isArchive =
                    address.isArchive && (isManifest || AddressIndex.names(address.name, directory: directory))
                if isManifest || isArchive { described[directory] = described[directory] ?? false || isArchive }
                if let numbered = NumberedName(template: address.name) { series[numbered] = shown }
            } else if isManifest, AddressIndex.isFileName(value.text) {
                let listed = Array(value.text.utf8).split(separator: UInt8(ascii: "/")).last ?? []
                listings.append(AddressIndex.Listing(directory: directory, name: Array(listed)))
            }
        }
        guard !isEmpty else { return }
        let tags = Set(
            texts.lazy.filter { !$0.text.isEmpty && AddressIndex.isEntityTag($0.name) }
                .compactMap { $0.pointer.record.map { ObjectIdentifier($0) } })
        for value in texts {
            guard let file = AddressIndex.namedFile(value), !isLeftOut(value) else { continue }
            let record = value.pointer.record.map { ObjectIdentifier($0) }
            if let address = records[record] {
                files[file] = address
                if let record, tags.contains(record) { tagged.insert(file) }
            } else if !tables.isEmpty {
                unaddressed[file] = true
            }
        }
        if files.isEmpty { unaddressed = [:] }
    }
}
