internal import FileSystem
internal import GRDB
internal import SystemPackage

/// A file that occupies space for removals. SQLite needs space for its log, also to delete rows, so that nothing could
/// be removed from a repository on a full disk without it.
enum SpaceReserve {
    static let name: FilePath = "reserve"
    /// The log of a transaction on a few rows, each in several pages, and the index of the log.
    private static let size = 1 << 20

    /// Creates the file if it does not exist, or if a killed process left a part of it. Without space, it is not
    /// created.
    static func fill(in folder: Folder) {
        do throws(FileSystemError) {
            if let found = try folder.statusIfPresent(name) {
                guard found.size < size else { return }
                try folder.removeFile(name)
            }
            let file = try TemporaryFileRegistry.createFile(name, in: folder, permissions: Repository.privateFile)
            defer { TemporaryFileRegistry.unregister(name, in: folder) }
            // File systems may store zeros without blocks.
            var generator = SystemRandomNumberGenerator()
            let words = (0..<(size / 8)).map { _ in generator.next() }
            try file.write(words.withUnsafeBytes { Array($0) })
            try file.close()
        } catch { release(in: folder) }
    }

    /// Removes the file. Returns true if it existed.
    @discardableResult
    static func release(in folder: Folder) -> Bool {
        (try? folder.remove(name)) != nil
    }
}

extension Repository {
    /// Deletes rows by their numbers in steps, each in a transaction: all at once, or, if the disk is full, a few at a
    /// time with the space of the reserve. Every step must leave a valid catalogue.
    ///
    /// - Parameters:
    ///   - numbers: The numbers, in the order of the deletion.
    ///   - statements: The deletions for a number.
    ///   - isOfObjects: True if the files of the objects are deleted after each step on a full disk, which frees space for
    ///     the next one.
    /// - Throws: `full` if a single number needs more space than there is.
    func delete(_ numbers: [Int64], statements: [String], isOfObjects: Bool = false) throws(BackupError) {
        let (all, first) = (Int.max, 64)
        var (rest, limit) = (numbers[...], all)
        while !rest.isEmpty {
            let step = rest.prefix(limit)
            var files: [FilePath] = []
            do throws(BackupError) {
                try withCatalogue { database in
                    try database.inTransaction {
                        if isOfObjects, limit < all { files = try Self.files(of: step, in: database) }
                        let prepared = try statements.map { try database.cachedStatement(sql: $0) }
                        for number in step { for statement in prepared { try statement.execute(arguments: [number]) } }
                        return .commit
                    }
                }
            } catch {
                guard error.code == .full else { throw error }
                guard SpaceReserve.release(in: folder) || limit > 1 else { throw error }
                limit = limit == all ? first : max(1, limit / 4)
                try reuseLog()
                continue
            }
            rest = rest.dropFirst(limit)
            guard limit < all else { break }
            // The caller reports the error of files that cannot be deleted now.
            for file in files { try? objects.removeFile(file) }
            try reuseLog()
            limit = min(limit * 2, 1 << 16)
        }
    }

    /// Returns free pages to the disk, as many as there is space to move others.
    func shrinkCatalogue() throws(BackupError) {
        func vacuum(_ limit: String) throws(BackupError) {
            try withCatalogue { _ = try Row.fetchAll($0, sql: "PRAGMA incremental_vacuum\(limit)") }
        }
        do throws(BackupError) { return try vacuum("") } catch {
            guard error.code == .full else { throw error }
            SpaceReserve.release(in: folder)
        }
        var pages = 1
        do throws(BackupError) {
            while try withCatalogue({ try Int.fetchOne($0, sql: "PRAGMA freelist_count") }) ?? 0 > 0 {
                // The file becomes shorter when the log is written into it.
                try reuseLog()
                try vacuum("(\(pages))")
                pages *= 2
            }
        } catch {
            // The pages are used by the next snapshots.
            guard error.code == .full else { throw error }
        }
        try reuseLog()
    }

    private static func files(of numbers: ArraySlice<Int64>, in database: Database) throws -> [FilePath] {
        let statement = try database.cachedStatement(
            sql: "SELECT lower(hex(sha256)) FROM object WHERE id = ? AND form = 1")
        return try numbers.compactMap { number in
            try String.fetchOne(statement, arguments: [number]).map { FilePath("\($0.prefix(2))/\($0)") }
        }
    }

    /// Lets the next transaction overwrite the log, whose rows are now in the catalogue file.
    private func reuseLog() throws(BackupError) {
        try withCatalogue { _ = try Row.fetchAll($0, sql: "PRAGMA wal_checkpoint(RESTART)") }
    }
}
