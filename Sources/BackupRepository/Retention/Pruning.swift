internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage

extension Repository {
    /// Removes snapshots from the list, also on a full disk. Their content stays in the repository until it is pruned.
    ///
    /// Their files are marked first, so that no snapshot without a row is in a rebuilt catalogue.
    package func forget(_ numbers: [Int64]) throws(BackupError) {
        try SnapshotFile.markForgotten(numbers, in: folder)
        do throws(BackupError) {
            try delete(
                numbers,
                statements: [
                    "DELETE FROM incident WHERE snapshot = ?", "DELETE FROM label WHERE snapshot = ?",
                    "DELETE FROM snapshot WHERE id = ?",
                ])
        } catch {
            try? SnapshotFile.finishWriting(in: folder, queue)
            throw error
        }
        try SnapshotFile.remove(numbers, states: [.forgotten], in: folder)
    }

    /// The content that a pruning deletes, or would delete.
    package struct PruneResult: Sendable {
        package var objects = 0
        package var directories = 0
        /// The size of the content of the objects.
        package var bytes: UInt64 = 0
        /// The number of object files that interrupted runs left behind.
        package var leftovers = 0
        /// The number of packs that contain nothing that a row needs.
        package var deletedPacks = 0
        /// The number of packs that are written again without what no row needs.
        package var rewrittenPacks = 0
        /// The size of what no row needs in the packs that are not rewritten.
        package var unusedInPacks: UInt64 = 0
        /// Damaged snapshots; content that they may reference was kept.
        package var damaged: [SnapshotList.Damaged] = []
    }

    /// The most unused space that may stay in packs, which are rewritten to free it.
    package enum UnusedLimit: Sendable, Hashable {
        case bytes(UInt64)
        /// A part of the packs and objects after the pruning, from 0 to 100.
        case percent(Double)
        case unlimited
    }

    /// Deletes content that no snapshot references.
    ///
    /// Rows are deleted before their files, and directories before what they contain, so an interrupted pruning leaves
    /// every snapshot complete, and rows and files that the next one deletes. The catalogue is verified first. If the row of a snapshot is
    /// damaged, it may reference any tree, so all trees of containers are kept.
    ///
    /// - Parameters:
    ///   - changesNothing: True to report the result without deleting; then the repository may be opened for reading.
    ///   - limit: The most unused space that stays in packs with content that is needed.
    /// - Returns: The deleted content.
    /// - Throws: `readOnly`, `damaged`, `failed`.
    package func prune(
        changesNothing: Bool = false, keepingAtMost limit: UnusedLimit = .bytes(0)
    ) throws(BackupError) -> PruneResult {
        let verification = Verifier(self)
        try requireNone(of: verification.pageDamage())
        let doubtful = try mismatchedSnapshots()
        try withCatalogue { try Self.markLive(in: $0, withUnlistedTrees: !doubtful.isEmpty) }
        try requireNone(
            of: verification.directoryDamage(
                where: doubtful.isEmpty ? PackRecord.Kind.directory.neededCondition : "true"))
        try requireNone(of: verification.listDamage(where: "id IN (SELECT id FROM needed)"))
        let (leftovers, others) = try UnreferencedFiles(self).sorted(unreferencedFiles())
        var pruned = PruneResult(leftovers: leftovers.count, damaged: try damagedSnapshots())
        try withCatalogue { database in
            pruned.directories = try Self.count("directory WHERE id NOT IN (SELECT id FROM live)", in: database)
            pruned.objects = try Self.count("object WHERE id NOT IN (SELECT id FROM needed)", in: database)
            // A damaged row may contain any size.
            let sizes = try Double.fetchOne(
                database,
                sql: "SELECT total(max(size, 0)) FROM object WHERE id NOT IN (SELECT id FROM needed) AND form <> 2")
            pruned.bytes = UInt64(min(sizes ?? 0, 9e18))
        }
        try requirePacks()
        guard !changesNothing else {
            try previewCompaction(keepingAtMost: limit, &pruned)
            return pruned
        }
        try removeLeftoverSnapshotFiles()
        try deleteUnreferencedRows()
        try removeUnreferencedFiles(but: Set(others))
        try compactPacks(keepingAtMost: limit, &pruned)
        return pruned
    }

    /// Deletes the rows of directories and objects that are not in the temporary tables of `markLive`, with rows that belong
    /// to no directory or object, and returns free pages to the disk.
    private func deleteUnreferencedRows() throws(BackupError) {
        func numbers(_ query: String) throws(BackupError) -> [Int64] {
            try withCatalogue { try Int64.fetchAll($0, sql: query) }
        }
        // A directory has a larger number than its subdirectories.
        let directories = try numbers(
            """
            SELECT id FROM directory WHERE id NOT IN (SELECT id FROM live) UNION
            SELECT directory FROM entry WHERE directory NOT IN (SELECT id FROM live) ORDER BY 1 DESC
            """)
        try delete(
            directories, statements: ["DELETE FROM entry WHERE directory = ?", "DELETE FROM directory WHERE id = ?"])
        let objects = try numbers(
            """
            SELECT id FROM (SELECT id FROM object UNION SELECT object FROM part UNION SELECT object FROM frame)
            WHERE id NOT IN (SELECT id FROM needed) ORDER BY id NOT IN (SELECT object FROM part), id
            """)
        let deletions = ["part WHERE object", "frame WHERE object", "object WHERE id"].map { "DELETE FROM \($0) = ?" }
        try delete(objects, statements: deletions, isOfObjects: true)
        let attributes = try numbers(
            """
            SELECT id FROM (SELECT id FROM attributes UNION SELECT attributes FROM attribute)
            WHERE id NOT IN (SELECT id FROM usedAttributes)
            """)
        try delete(
            attributes,
            statements: ["DELETE FROM attribute WHERE attributes = ?", "DELETE FROM attributes WHERE id = ?"])
        let exclusions = try numbers(
            """
            SELECT id FROM (SELECT id FROM exclusions UNION SELECT exclusions FROM excluded)
            WHERE id NOT IN (SELECT id FROM usedExclusions)
            """)
        try delete(
            exclusions,
            statements: ["DELETE FROM excluded WHERE exclusions = ?", "DELETE FROM exclusions WHERE id = ?"])
        try shrinkCatalogue()
    }

    /// Refuses a damaged catalogue.
    ///
    /// - Throws: `damaged`.
    private func requireNone(of damage: [Damage]) throws(BackupError) {
        guard let first = damage.first else { return }
        throw BackupError(
            .damaged, what: "the catalogue is damaged and nothing was deleted: \(first.what): \(first.how)",
            hint: "`sandboxbackup verify` reports all damage")
    }

    private static func count(_ rows: String, in database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM \(rows)") ?? 0
    }

    private func removeUnreferencedFiles(but kept: Set<FilePath>) throws(BackupError) {
        let files = try unreferencedFiles().filter { !kept.contains($0) }
        do throws(FileSystemError) {
            for (directory, files) in Dictionary(grouping: files, by: { $0.removingLastComponent() }) {
                try objects.openFolder(noFollow: directory).remove(
                    files.compactMap { $0.lastComponent.map { FilePath(root: nil, [$0]) } })
            }
            if try folder.statusIfPresent(Staging.parent) != nil { try folder.remove(Staging.parent) }
        } catch { throw BackupError(error) }
    }

    /// Creates the temporary tables `live` (directories), `needed` (objects), `usedAttributes` and `usedExclusions` of all
    /// snapshots, or of some. The entry of a container is the only one without a name, which finds trees that no snapshot row
    /// references. With these, all lists of exclusions are used.
    static func markLive(
        in database: Database, of snapshots: [Int64]? = nil, withUnlistedTrees: Bool
    ) throws {
        let numbers = snapshots.map { "id IN (\($0.map(String.init).joined(separator: ",")))" } ?? "true"
        let exclusions =
            withUnlistedTrees
            ? "SELECT id FROM exclusions UNION SELECT exclusions FROM excluded"
            : "SELECT exclusions FROM snapshot WHERE typeof(exclusions) = 'integer' AND \(numbers)"
        let unlisted = withUnlistedTrees ? "UNION SELECT directory FROM entry WHERE name = x''" : ""
        try database.execute(
            sql: """
                DROP TABLE IF EXISTS temp.live; DROP TABLE IF EXISTS temp.needed;
                DROP TABLE IF EXISTS temp.usedAttributes; DROP TABLE IF EXISTS temp.usedExclusions;
                CREATE TEMP TABLE live(id INTEGER PRIMARY KEY);
                WITH RECURSIVE reached(id) AS (
                    SELECT tree FROM snapshot WHERE typeof(tree) = 'integer' AND \(numbers) \(unlisted) UNION
                    SELECT child FROM entry JOIN reached ON directory = reached.id WHERE child IS NOT NULL)
                INSERT INTO live SELECT id FROM reached;
                CREATE TEMP TABLE needed(id INTEGER PRIMARY KEY);
                INSERT OR IGNORE INTO needed
                    SELECT object FROM entry WHERE object IS NOT NULL AND directory IN (SELECT id FROM live);
                INSERT OR IGNORE INTO needed SELECT part FROM part WHERE object IN (SELECT id FROM needed);
                CREATE TEMP TABLE usedAttributes(id INTEGER PRIMARY KEY);
                INSERT OR IGNORE INTO usedAttributes
                    SELECT attributes FROM entry
                    WHERE typeof(attributes) = 'integer' AND directory IN (SELECT id FROM live);
                CREATE TEMP TABLE usedExclusions(id INTEGER PRIMARY KEY);
                INSERT OR IGNORE INTO usedExclusions \(exclusions);
                """)
    }
}

extension PackRecord.Kind {
    /// The SQL condition for the rows that are in the temporary tables of `markLive`.
    var neededCondition: String {
        switch self {
        case .parts: "form = 2 AND id IN (SELECT id FROM needed)"
        case .directory: "id IN (SELECT id FROM live)"
        case .attributes: "id IN (SELECT id FROM usedAttributes)"
        case .exclusions: "id IN (SELECT id FROM usedExclusions)"
        case .content, .snapshot: "false"
        }
    }
}

extension Repository {
    /// Returns the files in `objects` that no row references, sorted by path.
    ///
    /// - Throws: `damaged` if a row does not contain a valid hash: any file might be its object.
    func unreferencedFiles() throws(BackupError) -> [FilePath] {
        let known = try withCatalogue { database in
            let rows = try Row.fetchCursor(database, sql: "SELECT sha256 FROM object WHERE form = 1")
            var known: Set<String> = []
            while let row = try rows.next() {
                guard let hash = Data.fromDatabaseValue(row[0] as DatabaseValue), hash.count == 32 else {
                    throw BackupError(.damaged, what: "the catalogue contains an object with an invalid hash")
                }
                known.insert(ContentHash(bytes: Array(hash)).hexadecimal)
            }
            return known
        }
        var unnamed: [FilePath] = []
        do throws(FileSystemError) {
            for directory in try objects.names() {
                guard try objects.status(directory).kind == .directory else {
                    unnamed.append(directory)
                    continue
                }
                for name in try objects.openFolder(noFollow: directory).names()
                where !known.contains(name.string) || directory.string != name.string.prefix(2) {
                    unnamed.append(directory.appending(name.components))
                }
            }
        } catch { throw BackupError(error) }
        return unnamed.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
}

/// A classifier for files in `objects` that no row references. Not thread-safe.
final class UnreferencedFiles {
    /// The kind of an unreferenced file.
    enum Nature {
        /// A valid object that an interrupted run left behind.
        case leftover
        /// A file with the name of an object and invalid content.
        case damaged
        /// The content of a damaged or missing object, which `verify --repair` restores.
        case lost
        /// A file that does not belong to the repository.
        case foreign
    }

    private let repository: Repository
    private let reader: ObjectReader
    private let decompressor: Decompressor

    init(_ repository: Repository) throws(BackupError) {
        self.repository = repository
        reader = try ObjectReader(repository)
        decompressor = try Decompressor()
    }

    /// Returns the kind of a file that `unreferencedFiles` returned.
    func nature(of path: FilePath) throws(BackupError) -> Nature {
        let name = path.lastComponent?.string ?? ""
        let isPlaced =
            name.utf8.count == 64 && name.utf8.allSatisfy("0123456789abcdef".utf8.contains)
            && path.string == "\(name.prefix(2))/\(name)"
        let frame: [UInt8]
        do throws(FileSystemError) {
            guard try repository.objects.status(path).kind == .file else { return .foreign }
            frame = try repository.objects.open(path, followingLinks: false).contents(limit: 2 * ObjectWriter.partSize)
        } catch { return .foreign }
        guard let content = frame.withUnsafeBytes({ decompressor.content(of: $0, limit: ObjectWriter.partSize) }) else {
            return isPlaced ? .damaged : .foreign
        }
        let hash = ContentHash(of: content)
        if try isLost(hash) { return .lost }
        guard isPlaced else { return .foreign }
        return hash.hexadecimal == name ? .leftover : .damaged
    }

    /// Separates the files that `prune` deletes from those that stay.
    func sorted(_ files: [FilePath]) throws(BackupError) -> (leftovers: [FilePath], others: [FilePath]) {
        var (leftovers, others): ([FilePath], [FilePath]) = ([], [])
        for file in files {
            switch try nature(of: file) {
            case .leftover, .damaged: leftovers.append(file)
            case .lost, .foreign: others.append(file)
            }
        }
        return (leftovers, others)
    }

    /// Returns true if a row has this hash and its object is missing or damaged.
    private func isLost(_ hash: ContentHash) throws(BackupError) -> Bool {
        let object = try repository.withCatalogue { database in
            try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT id FROM object WHERE sha256 = ?"), arguments: [Data(hash.bytes)])
        }
        guard let object else { return false }
        do { try reader.read(object) { _, _ in } } catch {
            let error = BackupError(error)
            guard error.code == .damaged else { throw error }
            return true
        }
        return false
    }
}
