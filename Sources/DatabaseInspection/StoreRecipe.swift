internal import Foundation

/// A store to be made by SQLite itself, as an app or a power cut leaves it: for examples and tests.
package struct StoreRecipe: Sendable {
    /// What is run first and stands in the database itself.
    package var statements: [String]
    /// What is run next and stands in the write-ahead log alone.
    package var logged: [String]
    /// What is run in a transaction that never ends, so that its journal is hot.
    package var unfinished: [String]

    package init(_ statements: [String], logged: [String] = [], unfinished: [String] = []) {
        self.statements = statements
        self.logged = logged
        self.unfinished = unfinished
    }

    /// The content of the store's files, by what they are. The statements may come from someone else: they reach no file but
    /// the store's own, and are ended when they take longer than `seconds` together.
    ///
    /// - Throws: What SQLite objects to, `refused`, `tooSlow`, `tooLarge`, `noCopy`.
    package func files(seconds: Double = 20) throws(StoreError) -> [StoreFile: [UInt8]] {
        let scratch = try StoreScratch()
        defer { scratch.remove() }
        let database = try RecipeDatabase(at: scratch.path(of: .main), seconds: seconds)
        defer { database.close() }
        try database.run(statements)
        if !logged.isEmpty {
            try database.run(["PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0"])
            try database.run(logged)
        }
        guard !unfinished.isEmpty else { return try scratch.contents() }
        // With room for one page, changed pages go to the file before the transaction ends.
        try database.run(["PRAGMA cache_size = 1", "PRAGMA cache_spill = 1", "BEGIN"])
        try database.run(unfinished)
        return try scratch.contents()
    }
}

extension StoreScratch {
    /// The files that SQLite has made; their sizes together are bounded as those of a store to be looked at.
    fileprivate func contents() throws(StoreError) -> [StoreFile: [UInt8]] {
        var contents: [StoreFile: [UInt8]] = [:]
        var bytes: UInt64 = 0
        for file in StoreFile.allCases {
            guard let size = try? FileManager.default.attributesOfItem(atPath: path(of: file))[.size] as? NSNumber
            else { continue }
            bytes += size.uint64Value
            guard bytes <= StoreLimits().bytes else { throw StoreError(.tooLarge) }
            do { contents[file] = Array(try Data(contentsOf: URL(fileURLWithPath: path(of: file)))) } catch {
                throw StoreError(.unreadable, "\((error as NSError).code)")
            }
        }
        return contents
    }
}
