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
extension ResultCode {
    public static let SQLITE_CONSTRAINT_UNIQUE = ResultCode(rawValue: 2067)
}

private func stub() -> Never { fatalError() }
