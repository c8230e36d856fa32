package import BackupRepository
internal import FileSystem

/// A writer for items of a snapshot as a tar archive in the pax format of POSIX.1-2001, which GNU tar, bsdtar and libarchive
/// read. Times have nanoseconds, names any bytes, and extended attributes are records of the form `SCHILY.xattr.user.NAME`.
///
/// Source: POSIX.1-2017, pax, “pax Interchange Format”.
package struct TarWriter {
    private let repository: Repository
    private let reader: ObjectReader
    private let output: ([UInt8]) throws -> Void
    /// The first name of each file with several names.
    private var names: [Link: [UInt8]] = [:]

    private struct Link: Hashable {
        let inode: UInt64
        let object: Int64?
    }

    private static let blockSize = 512

    /// - Parameters:
    ///   - repository: The repository of the items.
    ///   - output: Receives the archive in pieces.
    /// - Throws: Errors of opening the catalogue.
    package init(
        of repository: Repository, to output: @escaping ([UInt8]) throws -> Void
    ) throws(BackupError) {
        (self.repository, self.output) = (repository, output)
        reader = try ObjectReader(repository)
    }

    /// Adds an item. The bytes of a file are verified before they are written. The set-user-ID and set-group-ID bits are
    /// omitted.
    ///
    /// - Throws: `damaged`, possibly after a part of the item; errors of the output.
    package mutating func add(_ entry: SnapshotEntry, at path: [UInt8]) throws {
        var header = Header(entry, path: entry.kind == .directory ? path + [UInt8(ascii: "/")] : path)
        if let attributes = entry.attributes { header.attributes = try repository.attributes(attributes) }
        switch entry.kind {
        case .directory: header.type = UInt8(ascii: "5")
        case .symbolicLink:
            header.type = UInt8(ascii: "2")
            header.target = entry.target ?? []
        default:
            if entry.links > 1 {
                let link = Link(inode: entry.inode, object: entry.object)
                if let first = names[link] {
                    header.type = UInt8(ascii: "1")
                    header.target = first
                    return try output(header.bytes)
                }
                names[link] = path
            }
            // The stored content of a database in use may have another size than the file.
            header.size = try entry.object.map { object throws(BackupError) in try reader.size(of: object) } ?? 0
        }
        try output(header.bytes)
        guard header.size > 0 else { return }
        try repository.content(of: entry, by: reader) { piece in
            try output(piece)
            return true
        }
        try output([UInt8](repeating: 0, count: Self.padding(of: header.size)))
    }

    /// Writes the end of the archive.
    package func end() throws { try output([UInt8](repeating: 0, count: 2 * Self.blockSize)) }

    private static func padding(of size: UInt64) -> Int { Int((512 - size % 512) % 512) }

    /// The header of an item, with an extended header for what does not fit.
    private struct Header {
        let path: [UInt8]
        var type = UInt8(ascii: "0")
        var size: UInt64 = 0
        var target: [UInt8] = []
        var attributes: [Repository.Attribute] = []
        private let entry: SnapshotEntry

        init(_ entry: SnapshotEntry, path: [UInt8]) { (self.entry, self.path) = (entry, path) }

        /// The blocks of the extended header, if there is one, and of the header.
        var bytes: [UInt8] {
            let records = records
            guard !records.isEmpty else { return block(type, size: size) }
            let padding = [UInt8](repeating: 0, count: TarWriter.padding(of: UInt64(records.count)))
            return block(UInt8(ascii: "x"), size: UInt64(records.count)) + records + padding + block(type, size: size)
        }

        /// The values that do not fit in the fields of the header.
        private var records: [UInt8] {
            var records: [UInt8] = []
            if path.count > 100 { records += record("path", value: path) }
            if target.count > 100 { records += record("linkpath", value: target) }
            if size >= 1 << 33 { records += record("size", value: Array("\(size)".utf8)) }
            if entry.user >= 1 << 21 { records += record("uid", value: Array("\(entry.user)".utf8)) }
            if entry.group >= 1 << 21 { records += record("gid", value: Array("\(entry.group)".utf8)) }
            if entry.modified.nanoseconds != 0 || !(0..<(1 << 33)).contains(entry.modified.seconds) {
                records += record("mtime", value: Array(time.utf8))
            }
            for attribute in attributes {
                records += record("SCHILY.xattr.user.\(attribute.name)", value: attribute.value)
            }
            return records
        }

        /// The modification time as a decimal number. The nanoseconds count forward, also before 1970.
        private var time: String {
            let (seconds, nanoseconds) = (entry.modified.seconds, Int64(entry.modified.nanoseconds))
            let isNegative = seconds < 0 && nanoseconds > 0
            let (whole, part) = isNegative ? (-(seconds + 1), 1_000_000_000 - nanoseconds) : (seconds, nanoseconds)
            let digits = String(repeating: "0", count: 9 - "\(part)".count) + "\(part)"
            return (isNegative ? "-" : "") + "\(whole).\(digits)"
        }

        /// Returns a record with its length, which counts its own digits.
        private func record(_ key: String, value: [UInt8]) -> [UInt8] {
            let rest = [UInt8(ascii: " ")] + Array(key.utf8) + [UInt8(ascii: "=")] + value + [UInt8(ascii: "\n")]
            var length = rest.count + 1
            while "\(length)".utf8.count + rest.count > length { length += 1 }
            return Array("\(length)".utf8) + rest
        }

        private func block(_ type: UInt8, size: UInt64) -> [UInt8] {
            var block = [UInt8](repeating: 0, count: TarWriter.blockSize)
            func put(_ bytes: some Sequence<UInt8>, at offset: Int) {
                for (index, byte) in bytes.enumerated() { block[offset + index] = byte }
            }
            func number(_ value: UInt64, digits: Int, at offset: Int) {
                let text = String(value, radix: 8)
                put((String(repeating: "0", count: max(0, digits - text.count)) + text.suffix(digits)).utf8, at: offset)
            }
            put(path.suffix(100), at: 0)
            number(UInt64(entry.permissions & ~SnapshotEntry.setIDBits), digits: 7, at: 100)
            number(entry.user < 1 << 21 ? UInt64(entry.user) : 0, digits: 7, at: 108)
            number(entry.group < 1 << 21 ? UInt64(entry.group) : 0, digits: 7, at: 116)
            number(size < 1 << 33 ? size : 0, digits: 11, at: 124)
            number(
                (0..<(1 << 33)).contains(entry.modified.seconds) ? UInt64(entry.modified.seconds) : 0, digits: 11,
                at: 136)
            put(Array(repeating: UInt8(ascii: " "), count: 8), at: 148)
            block[156] = type
            if type != UInt8(ascii: "x") { put(target.suffix(100), at: 157) }
            put(Array("ustar\u{0}00".utf8), at: 257)
            number(UInt64(block.reduce(0) { $0 + Int($1) }), digits: 6, at: 148)
            block[154] = 0
            return block
        }
    }
}
