internal import Foundation
internal import GRDB

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

    /// The content of the store's files, by what they are.
    ///
    /// - Throws: What SQLite objects to, `noCopy`.
    package func files() throws(StoreError) -> [StoreFile: [UInt8]] {
        let scratch = try StoreScratch()
        defer { scratch.remove() }
        do {
            var configuration = Configuration()
            configuration.foreignKeysEnabled = false
            let queue = try DatabaseQueue(path: scratch.path(of: .main), configuration: configuration)
            return try queue.inDatabase { database in
                for statement in statements { try database.execute(sql: statement) }
                if !logged.isEmpty {
                    try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
                    for statement in logged { try database.execute(sql: statement) }
                }
                guard !unfinished.isEmpty else { return try scratch.contents() }
                // With room for one page, changed pages go to the file before the transaction ends.
                try database.execute(sql: "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN")
                for statement in unfinished { try database.execute(sql: statement) }
                defer { try? database.execute(sql: "ROLLBACK") }
                return try scratch.contents()
            }
        } catch { throw StoreError(error) }
    }
}

extension StoreScratch {
    fileprivate func contents() throws -> [StoreFile: [UInt8]] {
        var contents: [StoreFile: [UInt8]] = [:]
        for file in StoreFile.allCases where FileManager.default.fileExists(atPath: path(of: file)) {
            contents[file] = Array(try Data(contentsOf: URL(fileURLWithPath: path(of: file))))
        }
        return contents
    }
}
