internal import FileSystem
internal import GRDB

extension Repository {
    /// Changes the catalogue inside the transaction that an `ObjectWriter` began.
    ///
    /// When the disk is full, SQLite rolls the transaction back by itself, and a later row would be committed at once
    /// without its file. So the first failure is repeated for all later calls.
    func modifyCatalogue<Value>(_ body: (Database) throws -> Value) throws(BackupError) -> Value {
        try withCatalogue { database in
            if let failure = writeFailure.withLock({ $0 }) { throw failure }
            guard database.isInsideTransaction else {
                throw BackupError(
                    .failed, what: "nothing can be added to the catalogue: SQLite rolled the transaction back")
            }
            do { return try body(database) } catch {
                writeFailure.withLock { $0 = BackupError(error) }
                throw error
            }
        }
    }
}
