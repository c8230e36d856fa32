// The declarations of GRDB that the tests of the libraries use.

extension DatabaseMigrator {
    public enum ForeignKeyChecks: Sendable { case deferred, immediate }
    public mutating func registerMigration(
        _ identifier: String, foreignKeyChecks: ForeignKeyChecks = .deferred,
        migrate: @escaping @Sendable (Database) throws -> Void
    ) { stub() }
}

public struct ColumnInfo: Sendable {
    public var name: String { stub() }
}
extension Database {
    public func columns(in table: String, in schema: String? = nil) throws -> [ColumnInfo] { stub() }
}
extension Database {
    @discardableResult public func checkpoint(
        _ mode: CheckpointMode = .passive, on schema: String? = "main"
    ) throws -> (walFrameCount: Int, checkpointedFrameCount: Int) { stub() }
    public enum CheckpointMode: Sendable { case passive, full, restart, truncate }
}
extension DatabaseQueue {
    public func erase() throws { stub() }
}
extension DatabaseWriter {
    public func vacuum() throws { stub() }
}
extension ResultCode {
    public static let SQLITE_CONSTRAINT_UNIQUE = ResultCode(rawValue: 2067)
}

private func stub() -> Never { fatalError() }
