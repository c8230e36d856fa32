internal import GRDB

extension StoreCopy {
    /// What `quick_check` objects to, or `integrity_check`, which also compares each index with its table: at most
    /// eight lines; empty where the database is sound.
    ///
    /// Lines that a sound database can have are left out: an order that only the app knows, a column that was
    /// declared NOT NULL when rows were there, an index of texts whose tokenizer only the app has.
    ///
    /// - Throws: `tooSlow`, `notUnderstood`, `noCopy`. A database that SQLite cannot read is a line, not an error.
    package func problems(comparingIndexes: Bool = false) throws(StoreError) -> [String] {
        let check = comparingIndexes ? "integrity_check" : "quick_check"
        do throws(StoreError) {
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
