internal import Foundation

/// A recipe for a database that SQLite creates in the state that an app or a power loss leaves, for examples and tests.
package struct DatabaseRecipe: Sendable {
    /// The statements whose changes are stored in the database itself.
    package var statements: [String]
    /// The statements whose changes are only in the write-ahead log.
    package var logged: [String]
    /// The statements of a transaction that does not end, so that its journal is hot.
    package var unfinished: [String]

    package init(_ statements: [String], logged: [String] = [], unfinished: [String] = []) {
        self.statements = statements
        self.logged = logged
        self.unfinished = unfinished
    }

    /// Creates the database and returns the content of its files. The statements may be untrusted: they cannot access
    /// other files, and are stopped after `seconds` in total.
    ///
    /// - Throws: The errors of SQLite, `refused`, `tooSlow`, `tooLarge`, `noCopy`.
    package func files(seconds: Double = 20) throws(DatabaseReadError) -> [DatabaseFile: [UInt8]] {
        let scratch = try DatabaseScratch()
        defer { scratch.remove() }
        let database = try RecipeConnection(at: scratch.path(of: .main), seconds: seconds)
        defer { database.close() }
        try database.run(statements)
        if !logged.isEmpty {
            try database.run(["PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0"])
            try database.run(logged)
        }
        guard !unfinished.isEmpty else { return try scratch.contents() }
        // With a cache of one page, changed pages are written to the file before the transaction ends.
        try database.run(["PRAGMA cache_size = 1", "PRAGMA cache_spill = 1", "BEGIN"])
        try database.run(unfinished)
        return try scratch.contents()
    }
}

extension DatabaseScratch {
    /// Returns the files that SQLite created. Their total size is limited as for an inspection.
    fileprivate func contents() throws(DatabaseReadError) -> [DatabaseFile: [UInt8]] {
        var contents: [DatabaseFile: [UInt8]] = [:]
        var bytes: UInt64 = 0
        for file in DatabaseFile.allCases {
            guard let size = try? FileManager.default.attributesOfItem(atPath: path(of: file))[.size] as? NSNumber
            else { continue }
            bytes += size.uint64Value
            guard bytes <= DatabaseLimits().bytes else { throw DatabaseReadError(.tooLarge) }
            do { contents[file] = Array(try Data(contentsOf: URL(fileURLWithPath: path(of: file)))) } catch {
                throw DatabaseReadError(.unreadable, "\((error as NSError).code)")
            }
        }
        return contents
    }
}
