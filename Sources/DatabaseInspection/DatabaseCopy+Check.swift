internal import GRDB

extension DatabaseCopy {
    /// Returns the problems that `quick_check` reports, or `integrity_check`, which also compares each index with its
    /// table. At most eight lines; empty if the database is intact.
    ///
    /// Omits lines that an intact database can cause: a collation that only the app has, a column that was declared NOT
    /// NULL after rows were inserted, a full-text index with a tokenizer that only the app has.
    ///
    /// - Throws: `tooSlow`, `notUnderstood`, `noCopy`. A database that SQLite cannot read is a line, not an error.
    package func problems(comparingIndexes: Bool = false) throws(DatabaseReadError) -> [String] {
        let check = comparingIndexes ? "integrity_check" : "quick_check"
        do throws(DatabaseReadError) {
            let lines = try read { try String.fetchAll($0, sql: "PRAGMA \(check)(8)") }
            return lines.filter { line in
                line != "ok" && !line.hasPrefix("NULL value in ") && !line.hasPrefix("unable to validate ")
                    && !(hasForeignOrder && line.contains("order"))
            }
        } catch {
            guard error.code == .damaged else { throw error }
            return [error.detail]
        }
    }
}
