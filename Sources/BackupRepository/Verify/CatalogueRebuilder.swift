internal import FileSystem
internal import Foundation
internal import GRDB
package import SystemPackage
internal import TextOutput

/// A maker of a new catalogue for a repository whose catalogue is missing, damaged or unreadable, from its packs, its objects and
/// the files of its snapshots.
///
/// The damaged catalogue is kept under another name. Items whose record is lost are in the new catalogue by their hashes alone,
/// and are reported as damaged.
package struct CatalogueRebuilder {
    private let path: FilePath
    private let lockWait: LockWait
    /// Called with the number of files of the repository that were read.
    package var progress: (_ files: Int) -> Void = { _ in }
    /// Called with the number of verified objects and of all objects, by several threads.
    package var verified: @Sendable (_ objects: Int, _ all: Int) -> Void = { _, _ in }

    package init(of path: FilePath, waiting wait: LockWait) { (self.path, lockWait) = (path, wait) }

    /// A snapshot in the new catalogue.
    package struct Recovered: Sendable {
        package let number: Int64
        /// The number of files of the snapshot.
        package var files = 0
        /// The number of its files and directories that were not recovered.
        package var lost = 0
        /// The reason if the snapshot was not recovered; nil for a recovered one.
        package var failure: String?
    }

    package struct Outcome: Sendable {
        /// The name of the replaced catalogue; nil if there was none, or if it is intact and was not replaced.
        package var replaced: String?
        /// False if the catalogue is intact, and nothing was changed.
        package var isRebuilt = false
        /// The repairs from the old catalogue before it was replaced.
        package var repaired: [Repairer.Repaired] = []
        package var snapshots: [Recovered] = []
        /// The verification of the repository afterwards.
        package var verification: Verifier.Outcome
    }

    /// Makes the catalogue, unless the existing one is intact.
    ///
    /// - Throws: `noRepository`, `locked`, `otherFormat`, `full`, `readOnly`, `failed`. Before the new catalogue is complete and
    ///   on disk, the old one is unchanged.
    package func rebuild() throws(BackupError) -> Outcome {
        var repaired: [Repairer.Repaired] = []
        do throws(BackupError) {
            // What only the old catalogue contains is saved first, as far as it matches its hashes.
            let repository = try Repository(at: path, for: .removing, command: Self.command, waiting: lockWait)
            var repairer = Repairer(repository)
            repairer.progress = verified
            let outcome = try repairer.repair()
            repaired = outcome.repaired
            try repository.close()
            if outcome.verification.damage.isEmpty {
                return Outcome(repaired: repaired, verification: outcome.verification)
            }
        } catch {
            guard error.code == .damaged || error.code == .otherFormat else { throw error }
            try requireCopies(after: error)
        }
        let (replaced, failures) = try make()
        return try report(replaced, failures, repaired)
    }

    private static let command = "repair --rebuild"

    /// Refuses a repository without the file of a snapshot, and one of another format, whose records are not those of this one.
    private func requireCopies(after error: BackupError) throws(BackupError) {
        let files: [Int64: Set<SnapshotFile.State>]
        let isReadable: Bool
        do {
            let folder = try Folder(opening: path)
            let names = (try? folder.openFolder(noFollow: SnapshotFile.directory).names()) ?? []
            files = SnapshotFile.numbers(in: names).files
            let decompressor = try Decompressor()
            isReadable = files.contains { number, states in
                states.contains { SnapshotFile.read(number, $0, in: folder, decompressor) != nil }
            }
        } catch { throw BackupError(error) }
        if error.code == .otherFormat, !isReadable { throw error }
        guard files.isEmpty else { return }
        throw BackupError(
            .damaged,
            "\(error.what); no catalogue can be made without the file of a snapshot, and nothing was changed",
            hint: "restore the repository from a copy")
    }

    /// Makes the new catalogue, and gives the old one another name.
    ///
    /// - Returns: The name, and the reasons for snapshots that were not recovered.
    private func make() throws(BackupError) -> (replaced: String?, failures: [Int64: String]) {
        var replaced: String?
        var failures: [Int64: String] = [:]
        do {
            let folder = try Folder(opening: path)
            try folder.createDirectories("objects", permissions: Repository.privateDirectory)
            let objects = try folder.openFolder("objects")
            let lock = try RepositoryLock(folder, objects, .removing, command: Self.command, waiting: lockWait)
            defer { lock.release() }
            try Repository.make(in: folder) { database in
                failures = try RebuildRun(folder, objects, database, progress).fill()
            } replacing: {
                replaced = try Self.setAside(in: folder)
            }
        } catch { throw BackupError(error) }
        return (replaced, failures)
    }

    /// Gives the old catalogue and its log another name.
    ///
    /// SQLite would apply the log to the new catalogue. The catalogue is renamed first: a repository without one is rebuilt
    /// again after an interruption, with a log beside it or not.
    private static func setAside(in folder: Folder) throws -> String? {
        let name = Repository.catalogueName
        var target = Repository.damagedName
        var number = 1
        while try folder.statusIfPresent(FilePath(target)) != nil {
            number += 1
            target = "\(Repository.damagedName)-\(number)"
        }
        var replaced: String?
        for suffix in ["", "-wal", "-shm", "-journal"] {
            guard try folder.statusIfPresent(FilePath(name + suffix)) != nil else { continue }
            try folder.rename(FilePath(name + suffix), to: FilePath(target + suffix), in: folder)
            if suffix.isEmpty { replaced = target }
        }
        try folder.sync()
        return replaced
    }

    /// Verifies the repository with the new catalogue.
    private func report(
        _ replaced: String?, _ failures: [Int64: String], _ repaired: [Repairer.Repaired]
    ) throws(BackupError) -> Outcome {
        let repository = try Repository(at: path, for: .reading, command: Self.command, waiting: lockWait)
        var verifier = Verifier(repository)
        verifier.progress = verified
        var outcome = Outcome(
            replaced: replaced, isRebuilt: true, repaired: repaired, verification: try verifier.verify())
        let bad = Set(outcome.verification.badObjects)
        var unusable = bad
        for occurrence in try ObjectReader(repository).occurrences(ofParts: { bad.contains($0) }) {
            unusable.insert(occurrence.object)
        }
        for snapshot in repository.readableSnapshots() {
            var one = Recovered(number: snapshot.number)
            do throws(BackupError) {
                try repository.visit(snapshot) { _, entry in
                    guard entry.kind == .file else { return }
                    one.files += 1
                    if let object = entry.object, unusable.contains(object) { one.lost += 1 }
                } damaged: { _ in
                    one.lost += 1
                }
            } catch {
                guard error.code == .damaged else { throw error }
                one.failure = error.what
            }
            outcome.snapshots.append(one)
        }
        outcome.snapshots += failures.map { Recovered(number: $0.key, failure: $0.value) }
        outcome.snapshots.sort { $0.number < $1.number }
        try repository.close()
        return outcome
    }
}

/// One run, inside the transaction that makes the catalogue. Not thread-safe.
private final class RebuildRun {
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

    init(_ folder: Folder, _ objects: Folder, _ database: Database, _ progress: @escaping (Int) -> Void) throws {
        (self.folder, self.objects, self.database, self.progress) = (folder, objects, database, progress)
        decompressor = try Decompressor()
    }

    /// Fills the catalogue.
    ///
    /// - Returns: The reasons for snapshots that cannot be recovered.
    func fill() throws -> [Int64: String] {
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
                    }), let object = try insert(ContentHash(of: content), content.count, .frame)
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
                _ = try insert(hash, content.count, .file)
            }
        }
    }

    /// Inserts the row of an object.
    ///
    /// - Returns: The number of the row; nil if there is one already.
    private func insert(_ hash: ContentHash, _ size: Int, _ form: ObjectForm) throws -> Int64? {
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO object(sha256, size, form) VALUES(?, ?, ?)")
            .execute(arguments: [Data(hash.bytes), size, form.rawValue])
        return database.changesCount > 0 ? database.lastInsertedRowID : nil
    }

    private func addSnapshots() throws -> [Int64: String] {
        var failures: [Int64: String] = [:]
        let path = SnapshotFile.directory
        let names = try folder.statusIfPresent(path) == nil ? [] : folder.openFolder(noFollow: path).names()
        let files = SnapshotFile.numbers(in: names).files
        for (number, states) in files.sorted(by: { $0.key < $1.key }) where !states.contains(.forgotten) {
            try count()
            // Of two files, the row of one was committed, or was about to be.
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
        return failures
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
        guard let bytes = try bytes(.attributes, hash), let set = try? Repository.attributes(in: bytes) else {
            return try insertLost(hash, in: "attributes")
        }
        return try Repository.insert(set, hash, in: database)
    }

    private func exclusions(_ hash: ContentHash) throws -> Int64 {
        if let known = try row(hash, in: "exclusions") { return known }
        guard let bytes = try bytes(.exclusions, hash), let list = try? Repository.exclusions(in: bytes) else {
            return try insertLost(hash, in: "exclusions")
        }
        return try Repository.insert(list, hash, in: database)
    }

    /// Returns the row of the content of a file; one without content if the content is lost.
    private func object(_ hash: ContentHash, size: UInt64, mayHaveParts: Bool = true) throws -> Int64 {
        if let known = try row(hash, in: "object") { return known }
        guard mayHaveParts, let bytes = try bytes(.parts, hash), bytes.count % 40 == 8 else {
            // A damaged file stays the file of its object, so that nothing removes it.
            return try insert(hash, Int(clamping: size), damagedFiles.contains(hash) ? .file : .frame) ?? 0
        }
        var parser = RecordParser(bytes)
        var parts: [(position: Int64, part: Int64)] = []
        for _ in 0..<(bytes.count / 40) {
            let position = try parser.number()
            let part = ContentHash(bytes: try parser.bytes(32))
            parts.append((position, try object(part, size: 0, mayHaveParts: false)))
        }
        guard let id = try insert(hash, Int(clamping: try parser.number()), .parts) else { return 0 }
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
            isWhole = try readPieces(.directory, hash) { hasher.add($0) } && hasher.value == hash
        }
        guard isWhole else { return try insertLost(hash, in: "directory") }
        do {
            try readEntries(hash) { _, rows in
                if let child = rows.child { _ = try directory(ContentHash(bytes: child), depth: depth + 1) }
            }
            // Of a damaged entry, no row stays.
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
        _ = try readPieces(.directory, hash) { piece in
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
    private func bytes(_ kind: PackRecord.Kind, _ hash: ContentHash) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        let isWhole = try readPieces(kind, hash) { piece in
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
        _ kind: PackRecord.Kind, _ hash: ContentHash, _ body: ([UInt8]) throws -> Void
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
                let frame = read(pack, size, at: position),
                let content = frame.withUnsafeBytes({ decompressor.content(of: $0, limit: PackRecord.pieceSize) })
            else { return false }
            try body(content)
            if isLast { return true }
            piece += 1
        }
    }

    private func read(_ pack: String, _ size: Int, at position: UInt64) -> [UInt8]? {
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
