internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage

/// One run, inside the transaction that makes the catalogue. Not thread-safe.
final class RebuildRun {
    private let folder: Folder
    private let objects: Folder
    private let database: Database
    private let progress: (Int) -> Void
    private let decompressor: Decompressor
    private var filesRead = 0
    /// The packs that were read last.
    private var packs: [(name: String, file: OpenFile)] = []
    /// The hashes of objects whose file is damaged.
    private var damagedFiles: Set<ContentHash> = []

    init(_ folder: Folder, objects: Folder, database: Database, _ progress: @escaping (Int) -> Void) throws {
        (self.folder, self.objects, self.database, self.progress) = (folder, objects, database, progress)
        decompressor = try Decompressor()
    }

    /// Fills the catalogue.
    ///
    /// - Returns: The reasons for snapshots that cannot be recovered, and the numbers of files that are of no snapshot, because
    ///   the run that was making it was interrupted.
    func fill() throws -> (failures: [Int64: String], unfinished: [Int64]) {
        try readPacks()
        try readObjects()
        return try addSnapshots()
    }

    private func count() throws {
        try Invocation.current.interruption.throwIfRequested()
        filesRead += 1
        progress(filesRead)
    }

    private func readPacks() throws {
        let names =
            try folder.statusIfPresent(Repository.packsName) == nil
            ? [] : folder.openFolder(noFollow: Repository.packsName).names()
        let placed = names.filter { ContentHash(hexadecimal: $0.string) != nil }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        func read(_ name: FilePath) -> [UInt8]? {
            let path = Repository.packsName.appending(name.components)
            guard let status = try? folder.statusIfPresent(path), status.kind == .file,
                let file = try? folder.open(path, followingLinks: false)
            else { return nil }
            return try? file.contents(limit: PackRecord.packLimit)
        }
        try PackIndex.make(in: database, names: placed, reading: read) { name, pack in
            try count()
            guard let pack, !pack.records.isEmpty, let hash = ContentHash(hexadecimal: name.string) else { return }
            try database.execute(
                sql: "INSERT INTO pack(sha256, size) VALUES(?, ?)", arguments: [Data(hash.bytes), pack.bytes.count])
            let id = database.lastInsertedRowID
            for record in pack.records where record.header.kind == .content {
                guard
                    let content = pack.bytes[record.frame].withUnsafeBytes({
                        decompressor.content(of: $0, limit: ObjectWriter.partSize)
                    }), let object = try insert(ContentHash(of: content), size: content.count, form: .frame)
                else { continue }
                try database.cachedStatement(
                    sql: "INSERT INTO frame(object, pack, position, size) VALUES(?, ?, ?, ?)"
                ).execute(arguments: [object, id, record.frame.lowerBound, record.frame.count])
            }
        }
    }

    private func readObjects() throws {
        for directory in try objects.names() where try objects.status(directory).kind == .directory {
            let inner = try objects.openFolder(noFollow: directory)
            for name in try inner.names() {
                try count()
                guard let hash = ContentHash(hexadecimal: name.string), name.string.hasPrefix(directory.string),
                    directory.string.utf8.count == 2, try inner.status(name).kind == .file
                else { continue }
                guard let file = try? inner.open(name, followingLinks: false),
                    let frame = try? file.contents(limit: PackRecord.packLimit),
                    let content = frame.withUnsafeBytes({ decompressor.content(of: $0, limit: ObjectWriter.partSize) }),
                    ContentHash(of: content) == hash
                else {
                    damagedFiles.insert(hash)
                    continue
                }
                _ = try insert(hash, size: content.count, form: .file)
            }
        }
    }

    /// Inserts the row of an object.
    ///
    /// - Returns: The number of the row; nil if there is one already.
    private func insert(_ hash: ContentHash, size: Int, form: ObjectForm) throws -> Int64? {
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO object(sha256, size, form) VALUES(?, ?, ?)")
            .execute(arguments: [Data(hash.bytes), size, form.rawValue])
        return database.changesCount > 0 ? database.lastInsertedRowID : nil
    }

    private func addSnapshots() throws -> (failures: [Int64: String], unfinished: [Int64]) {
        var (failures, unfinished) = ([Int64: String](), [Int64]())
        let path = SnapshotFile.directory
        let names = try folder.statusIfPresent(path) == nil ? [] : folder.openFolder(noFollow: path).names()
        let files = SnapshotFile.numbers(in: names).files
        for (number, states) in files.sorted(by: { $0.key < $1.key }) where !states.contains(.forgotten) {
            try count()
            guard states.contains(.current) else {
                unfinished.append(number)
                continue
            }
            // A snapshot with two files was being changed. The row of one was committed, or was about to be.
            let content =
                SnapshotFile.read(number, .new, in: folder, decompressor)
                ?? SnapshotFile.read(number, in: folder, decompressor)
            guard let content else {
                failures[number] = "its file is damaged"
                continue
            }
            do {
                try add(content, as: number)
            } catch let error as BackupError where error.code == .damaged {
                failures[number] = error.what
            }
        }
        return (failures, unfinished)
    }

    private func add(_ content: SnapshotFile.Content, as number: Int64) throws {
        var parser = RecordParser(content.bytes)
        func decimal<Value: FixedWidthInteger>(_: Value.Type) throws -> Value {
            guard let value = Value(try parser.string()) else { throw RecordParser.invalid }
            return value
        }
        let taken = Timestamp(seconds: try decimal(Int64.self), nanoseconds: try decimal(UInt32.self))
        let (bundle, kind, view) = (try parser.string(), try parser.string(), try parser.string())
        guard let tree = try parser.hash() else { throw RecordParser.invalid }
        let (files, bytes) = (try decimal(Int.self), try decimal(UInt64.self))
        let exclusionHash = try parser.text()
        var incidents: [Snapshot.Incident] = []
        var labels: [(name: String, value: String)] = []
        while !parser.isAtEnd {
            let (path, reason) = (try parser.text(), try parser.string())
            guard path.isEmpty, let count = Int(reason) else {
                incidents.append(Snapshot.Incident(path: path, reason: reason))
                continue
            }
            while labels.count < count, !parser.isAtEnd {
                labels.append((try parser.string(), try parser.string()))
            }
        }
        func label(_ name: String) -> String? { labels.first { $0.name == name }?.value }
        let snapshot = Snapshot(
            number: number, taken: taken, bundleIdentifier: bundle.isEmpty ? nil : bundle, kind: kind, view: view,
            tree: try directory(tree, depth: 0), files: files, bytes: bytes, incidents: incidents,
            exclusions: exclusionHash.isEmpty ? nil : try exclusions(ContentHash(bytes: exclusionHash)),
            labels: SnapshotLabels(
                tags: labels.filter { $0.name == "tag" }.map(\.value), host: label("host"), source: label("source")))
        guard try Repository.hash(of: snapshot, in: database) == content.hash else { throw RecordParser.invalid }
        try Repository.insert(snapshot, hash: content.hash, number: number, in: database)
    }

    // MARK: Items by their hashes

    /// Returns the row of an item that was inserted already.
    private func row(_ hash: ContentHash, in table: String) throws -> Int64? {
        let find = try database.cachedStatement(sql: "SELECT id FROM \(table) WHERE sha256 = ?")
        return try Int64.fetchOne(find, arguments: [Data(hash.bytes)])
    }

    /// Inserts a row for an item whose record is lost.
    private func insertLost(_ hash: ContentHash, in table: String) throws -> Int64 {
        try database.execute(sql: "INSERT INTO \(table)(sha256) VALUES(?)", arguments: [Data(hash.bytes)])
        return database.lastInsertedRowID
    }

    private func attributes(_ hash: ContentHash) throws -> Int64 {
        if let known = try row(hash, in: "attributes") { return known }
        guard let bytes = try bytes(.attributes, hash: hash), let set = try? Repository.attributes(in: bytes) else {
            return try insertLost(hash, in: "attributes")
        }
        return try Repository.insert(set, hash: hash, in: database)
    }

    private func exclusions(_ hash: ContentHash) throws -> Int64 {
        if let known = try row(hash, in: "exclusions") { return known }
        guard let bytes = try bytes(.exclusions, hash: hash), let list = try? Repository.exclusions(in: bytes) else {
            return try insertLost(hash, in: "exclusions")
        }
        return try Repository.insert(list, hash: hash, in: database)
    }

    /// Returns the row of the content of a file; one without content if the content is lost.
    private func object(_ hash: ContentHash, size: UInt64, mayHaveParts: Bool = true) throws -> Int64 {
        if let known = try row(hash, in: "object") { return known }
        guard mayHaveParts, let bytes = try bytes(.parts, hash: hash), bytes.count % 40 == 8 else {
            // A damaged file stays the file of its object, so that nothing removes it.
            return try insert(hash, size: Int(clamping: size), form: damagedFiles.contains(hash) ? .file : .frame) ?? 0
        }
        var parser = RecordParser(bytes)
        var parts: [(position: Int64, part: Int64)] = []
        for _ in 0..<(bytes.count / 40) {
            let position = try parser.number()
            let part = ContentHash(bytes: try parser.bytes(32))
            parts.append((position, try object(part, size: 0, mayHaveParts: false)))
        }
        guard let id = try insert(hash, size: Int(clamping: try parser.number()), form: .parts) else { return 0 }
        let insert = try database.cachedStatement(sql: "INSERT INTO part(object, position, part) VALUES(?, ?, ?)")
        for (position, part) in parts { try insert.execute(arguments: [id, position, part]) }
        return id
    }

    /// Returns the row of a directory, after those of its subdirectories; one without entries if its record is lost.
    private func directory(_ hash: ContentHash, depth: Int) throws -> Int64 {
        if let known = try row(hash, in: "directory") { return known }
        try Invocation.current.interruption.throwIfRequested()
        // Twice, so that the entries of a large directory are never all in memory.
        var isWhole = depth < SnapshotEntry.maximumDepth
        if isWhole {
            var hasher = DirectoryHash.Hasher()
            isWhole = try readPieces(.directory, hash: hash) { hasher.add($0) } && hasher.value == hash
        }
        guard isWhole else { return try insertLost(hash, in: "directory") }
        do {
            try readEntries(hash) { _, rows in
                if let child = rows.child { _ = try directory(ContentHash(bytes: child), depth: depth + 1) }
            }
            // No row of a damaged entry stays.
            let id = try insertLost(hash, in: "directory")
            try readEntries(hash) { entry, rows in
                var entry = entry
                entry.object = try rows.object.map { try object(ContentHash(bytes: $0), size: entry.size) }
                entry.child = try rows.child.map { try directory(ContentHash(bytes: $0), depth: depth + 1) }
                entry.attributes = try rows.attributes.map { try attributes(ContentHash(bytes: $0)) }
                try Repository.insert(entry, into: id, in: database)
            }
            return id
        } catch let error as BackupError where error.code == .damaged {
            return try row(hash, in: "directory") ?? insertLost(hash, in: "directory")
        }
    }

    private func readEntries(
        _ hash: ContentHash, _ body: (SnapshotEntry, DirectoryHash.Rows) throws -> Void
    ) throws {
        var rest: [UInt8] = []
        _ = try readPieces(.directory, hash: hash) { piece in
            rest += piece
            var end = 0
            while let (entry, rows, count) = try SnapshotEntry.parse(rest[end...]) {
                try body(entry, rows)
                end += count
            }
            rest.removeFirst(end)
        }
        guard rest.isEmpty else { throw RecordParser.invalid }
    }

    /// Returns the bytes of an item; nil if its record is lost.
    private func bytes(_ kind: PackRecord.Kind, hash: ContentHash) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        let isWhole = try readPieces(kind, hash: hash) { piece in
            guard bytes.count <= Self.mostBytes else { throw RecordParser.invalid }
            bytes += piece
        }
        return isWhole && PackIndex.hash(of: bytes, kind: kind) == hash ? bytes : nil
    }

    /// The limit for a list or a set in memory.
    private static let mostBytes = 256 << 20

    /// Calls `body` with the pieces of an item.
    ///
    /// - Returns: False if a piece is missing or damaged.
    private func readPieces(
        _ kind: PackRecord.Kind, hash: ContentHash, _ body: ([UInt8]) throws -> Void
    ) throws -> Bool {
        let find = try database.cachedStatement(
            sql: "SELECT last, pack, position, size FROM temp.record WHERE kind = ? AND sha256 = ? AND piece = ?")
        var piece = 0
        while true {
            guard
                let row = try Row.fetchOne(
                    find, arguments: [Int(kind.rawValue), Data(hash.bytes), piece]),
                let isLast = Bool.fromDatabaseValue(row[0] as DatabaseValue),
                let pack = String.fromDatabaseValue(row[1] as DatabaseValue),
                let position = UInt64.fromDatabaseValue(row[2] as DatabaseValue),
                let size = Int.fromDatabaseValue(row[3] as DatabaseValue),
                let frame = read(pack, size: size, at: position),
                let content = frame.withUnsafeBytes({ decompressor.content(of: $0, limit: PackRecord.pieceSize) })
            else { return false }
            try body(content)
            if isLast { return true }
            piece += 1
        }
    }

    private func read(_ pack: String, size: Int, at position: UInt64) -> [UInt8]? {
        if packs.first?.name != pack {
            if let kept = packs.firstIndex(where: { $0.name == pack }) {
                packs.insert(packs.remove(at: kept), at: 0)
            } else {
                let path = Repository.packsName.appending(pack)
                guard let file = try? folder.open(path, followingLinks: false) else { return nil }
                packs.insert((pack, file), at: 0)
                if packs.count > 8 { packs.removeLast() }
            }
        }
        return try? packs[0].file.read(upTo: size, from: position)
    }
}
