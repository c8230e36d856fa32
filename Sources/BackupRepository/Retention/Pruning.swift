internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage

extension Repository {
    /// Takes the snapshots with these numbers off the list. What they held stays in the store until it is pruned.
    package func forget(_ numbers: [Int64]) throws(BackupError) {
        try withCatalogue { database in
            try database.inTransaction {
                for number in numbers {
                    try database.execute(sql: "DELETE FROM incident WHERE snapshot = ?", arguments: [number])
                    try database.execute(sql: "DELETE FROM snapshot WHERE id = ?", arguments: [number])
                }
                return .commit
            }
        }
    }

    /// What a pruning takes, or would take, away.
    package struct PruneResult: Sendable {
        package var objects = 0
        package var directories = 0
        /// Of the objects' contents.
        package var bytes: UInt64 = 0
        /// Files of objects that runs which were ended left, whole or not.
        package var leftovers = 0
        /// Snapshots that are damaged; nothing was removed that one of them may need.
        package var damaged: [SnapshotList.Damaged] = []
    }

    /// Removes what no snapshot needs. The catalogue forgets it in one step before any file goes, so that a pruning
    /// that is ended leaves every snapshot whole, and files that the next one removes. What the catalogue says of the
    /// snapshots is judged first: what it names wrongly would be lost. A snapshot whose own row is damaged is named,
    /// and since its row may name another tree than it did, every tree stays then that is a container's.
    ///
    /// - Parameter changesNothing: Whether it is only told what would go; a store opened for reading does then.
    /// - Returns: What went, or would go.
    /// - Throws: `readOnly`, `damaged`, `failed`.
    package func prune(changesNothing: Bool = false) throws(BackupError) -> PruneResult {
        let verification = Verifier(self)
        try requireNone(of: verification.pageDamage())
        let doubtful = try mismatchedSnapshots()
        try withCatalogue { try Self.markLive(in: $0, withUnlistedTrees: !doubtful.isEmpty) }
        try requireNone(
            of: verification.directoryDamage(where: doubtful.isEmpty ? "id IN (SELECT id FROM live)" : "true"))
        try requireNone(of: verification.listDamage(where: "id IN (SELECT id FROM needed)"))
        let (leftovers, others) = try UnreferencedFiles(self).sorted(unreferencedFiles())
        var pruned = PruneResult(leftovers: leftovers.count, damaged: try damagedSnapshots())
        try withCatalogue { database in
            pruned.directories = try Self.count("directory WHERE id NOT IN (SELECT id FROM live)", in: database)
            pruned.objects = try Self.count("object WHERE id NOT IN (SELECT id FROM needed)", in: database)
            // Nothing of a row is believed: it may say any size.
            let sizes = try Double.fetchOne(
                database,
                sql: "SELECT total(max(size, 0)) FROM object WHERE id NOT IN (SELECT id FROM needed) AND form <> 2")
            pruned.bytes = UInt64(min(sizes ?? 0, 9e18))
        }
        if changesNothing { return pruned }
        try withCatalogue { database in
            try database.inTransaction {
                for statement in Self.deletions { try database.execute(sql: statement) }
                if doubtful.isEmpty {
                    for statement in Self.deletionsOfExclusions { try database.execute(sql: statement) }
                }
                return .commit
            }
            // Pages that hold nothing any more go back to the disk.
            _ = try Row.fetchAll(database, sql: "PRAGMA incremental_vacuum")
        }
        try removeUnreferencedFiles(but: Set(others))
        return pruned
    }

    /// - Throws: `damaged` where the catalogue does not say what it said when the snapshots were made.
    private func requireNone(of damage: [Damage]) throws(BackupError) {
        guard let first = damage.first else { return }
        throw BackupError(
            .damaged, "the catalogue is damaged, and nothing was removed: \(first.what): \(first.how)",
            hint: "`sandboxbackup verify` names all that is")
    }

    private static let deletions = [
        "DELETE FROM entry WHERE directory NOT IN (SELECT id FROM live)",
        "DELETE FROM directory WHERE id NOT IN (SELECT id FROM live)",
        "DELETE FROM part WHERE object NOT IN (SELECT id FROM needed)",
        "DELETE FROM frame WHERE object NOT IN (SELECT id FROM needed)",
        "DELETE FROM object WHERE id NOT IN (SELECT id FROM needed)",
        "DELETE FROM attribute WHERE attributes NOT IN (SELECT attributes FROM entry WHERE attributes IS NOT NULL)",
        "DELETE FROM attributes WHERE id NOT IN (SELECT attributes FROM entry WHERE attributes IS NOT NULL)",
    ]

    private static let deletionsOfExclusions = [
        "DELETE FROM excluded WHERE exclusions NOT IN (SELECT exclusions FROM snapshot WHERE exclusions IS NOT NULL)",
        "DELETE FROM exclusions WHERE id NOT IN (SELECT exclusions FROM snapshot WHERE exclusions IS NOT NULL)",
    ]

    private static func count(_ rows: String, in database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM \(rows)") ?? 0
    }

    private func removeUnreferencedFiles(but kept: Set<FilePath>) throws(BackupError) {
        let files = try unreferencedFiles().filter { !kept.contains($0) }
        do throws(FileSystemError) {
            for (place, files) in Dictionary(grouping: files, by: { $0.removingLastComponent() }) {
                try objects.folder(noFollow: place).remove(
                    files.compactMap { $0.lastComponent.map { FilePath(root: nil, [$0]) } })
            }
            if try folder.statusIfPresent("staging") != nil { try folder.remove("staging") }
        } catch { throw BackupError(error) }
    }

    /// Makes the lists of what the snapshots need: `live` directories and `needed` objects. A container's own entry is
    /// the only one without a name, which finds the trees that no row lists.
    private static func markLive(in database: Database, withUnlistedTrees: Bool) throws {
        let unlisted = withUnlistedTrees ? "UNION SELECT directory FROM entry WHERE name = x''" : ""
        try database.execute(
            sql: """
                DROP TABLE IF EXISTS temp.live; DROP TABLE IF EXISTS temp.needed;
                CREATE TEMP TABLE live(id INTEGER PRIMARY KEY);
                WITH RECURSIVE reached(id) AS (
                    SELECT tree FROM snapshot WHERE typeof(tree) = 'integer' \(unlisted) UNION
                    SELECT child FROM entry JOIN reached ON directory = reached.id WHERE child IS NOT NULL)
                INSERT INTO live SELECT id FROM reached;
                CREATE TEMP TABLE needed(id INTEGER PRIMARY KEY);
                INSERT OR IGNORE INTO needed
                    SELECT object FROM entry WHERE object IS NOT NULL AND directory IN (SELECT id FROM live);
                INSERT OR IGNORE INTO needed SELECT part FROM part WHERE object IN (SELECT id FROM needed);
                """)
    }
}

extension Repository {
    /// What lies among the objects and no row names, by path, sorted.
    ///
    /// - Throws: `damaged` where a row does not say which file it names: any might be that one.
    func unreferencedFiles() throws(BackupError) -> [FilePath] {
        let known = try withCatalogue { database in
            let rows = try Row.fetchCursor(database, sql: "SELECT sha256 FROM object WHERE form = 1")
            var known: Set<String> = []
            while let row = try rows.next() {
                guard let hash = Data.fromDatabaseValue(row[0] as DatabaseValue), hash.count == 32 else {
                    throw BackupError(.damaged, "the catalogue holds an object whose hash cannot be")
                }
                known.insert(ContentHash(bytes: Array(hash)).hexadecimal)
            }
            return known
        }
        var unnamed: [FilePath] = []
        do throws(FileSystemError) {
            for place in try objects.names() {
                guard try objects.status(place).kind == .directory else {
                    unnamed.append(place)
                    continue
                }
                for name in try objects.folder(noFollow: place).names()
                where !known.contains(name.string) || place.string != name.string.prefix(2) {
                    unnamed.append(place.appending(name.components))
                }
            }
        } catch { throw BackupError(error) }
        return unnamed.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
}

/// Tells of files among a store's objects that no row names what they are. For one thread.
final class UnreferencedFiles {
    /// What such a file is.
    enum Nature {
        /// A run that was ended left it where its content belongs.
        case leftover
        /// It has an object's place and holds none.
        case damaged
        /// It holds what a row has lost: `verify --repair` puts it where it belongs.
        case lost
        /// It is not the store's.
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

    /// What lies at a path that `unnamedFiles` gave.
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

    /// What `prune` removes of such files, and what stays.
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

    /// Whether a row has this hash, and what it names is not there or not whole.
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
