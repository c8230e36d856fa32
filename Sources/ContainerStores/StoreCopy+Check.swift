internal import GRDB

extension StoreCopy {
    /// What `quick_check` objects to, at most eight lines; empty where the database is sound.
    ///
    /// Lines that a sound database can have are left out: an order that only the app knows, a column that was
    /// declared NOT NULL when rows were there, an index of texts whose tokenizer only the app has.
    ///
    /// - Throws: `tooSlow`, `notUnderstood`, `noCopy`. A database that SQLite cannot read is a line, not an error.
    package func problems() throws(StoreError) -> [String] {
        do throws(StoreError) {
            let lines = try read { try String.fetchAll($0, sql: "PRAGMA quick_check(8)") }
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
