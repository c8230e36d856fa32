// The declarations of GRDB that the tests of the libraries use.

extension DatabaseMigrator {
    public enum ForeignKeyChecks: Sendable { case deferred, immediate }
    public mutating func registerMigration(
        _ identifier: String, foreignKeyChecks: ForeignKeyChecks = .deferred,
        migrate: @escaping @Sendable (Database) throws -> Void
    ) { stub() }
}

private func stub() -> Never { fatalError() }
