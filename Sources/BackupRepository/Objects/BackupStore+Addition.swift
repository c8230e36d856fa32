internal import GRDB
internal import Synchronization

extension BackupStore {
    /// The one way by which an addition changes the catalogue: within the transaction that an `ObjectAdder` began.
    ///
    /// On a full disk SQLite rolls a transaction back by itself, and a row that is added after that is there for good at
    /// once, without the file that it names. So the first failure is that of all that comes after it.
    func addition<Value>(_ body: (Database) throws -> Value) throws(BackupError) -> Value {
        try catalogue { database in
            if let failure = brokenBy.withLock({ $0 }) { throw failure }
            guard database.isInsideTransaction else {
                throw BackupError(.failed, "nothing can be added to the catalogue: SQLite gave up what was under way")
            }
            do { return try body(database) } catch {
                brokenBy.withLock { $0 = BackupError(error) }
                throw error
            }
        }
    }
}
