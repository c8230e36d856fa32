// The declarations of GRDB in use.
public import Foundation
public import GRDBSQLite

public typealias SQLiteConnection = OpaquePointer
public typealias SQLiteStatement = OpaquePointer

public struct ResultCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: CInt
    public init(rawValue: CInt) { self.rawValue = rawValue }
    public var description: String { stub() }
    public static func ~= (pattern: Self, code: Self) -> Bool { stub() }
    public static let SQLITE_OK = ResultCode(rawValue: 0)
    public static let SQLITE_PERM = ResultCode(rawValue: 3)
    public static let SQLITE_BUSY = ResultCode(rawValue: 5)
    public static let SQLITE_LOCKED = ResultCode(rawValue: 6)
    public static let SQLITE_NOMEM = ResultCode(rawValue: 7)
    public static let SQLITE_READONLY = ResultCode(rawValue: 8)
    public static let SQLITE_INTERRUPT = ResultCode(rawValue: 9)
    public static let SQLITE_IOERR = ResultCode(rawValue: 10)
    public static let SQLITE_CORRUPT = ResultCode(rawValue: 11)
    public static let SQLITE_FULL = ResultCode(rawValue: 13)
    public static let SQLITE_CANTOPEN = ResultCode(rawValue: 14)
    public static let SQLITE_PROTOCOL = ResultCode(rawValue: 15)
    public static let SQLITE_AUTH = ResultCode(rawValue: 23)
    public static let SQLITE_NOTADB = ResultCode(rawValue: 26)
    public static let SQLITE_IOERR_READ = ResultCode(rawValue: 266)
    public static let SQLITE_IOERR_SHORT_READ = ResultCode(rawValue: 522)
    public static let SQLITE_IOERR_SHMSIZE = ResultCode(rawValue: 4874)
    public static let SQLITE_IOERR_CORRUPTFS = ResultCode(rawValue: 8458)
}

public struct DatabaseError: Error, CustomStringConvertible {
    public init(resultCode: ResultCode = .SQLITE_OK, message: String? = nil, sql: String? = nil) { stub() }
    public var resultCode: ResultCode { stub() }
    public let extendedResultCode: ResultCode
    public let message: String?
    public let sql: String?
    public var description: String { stub() }
}

public struct DatabaseValue: Hashable, Sendable, DatabaseValueConvertible {
    public enum Storage: Sendable {
        case null
        case int64(Int64)
        case double(Double)
        case string(String)
        case blob(Data)
    }
    public let storage: Storage
    public var isNull: Bool { stub() }
    public static func == (left: Self, right: Self) -> Bool { stub() }
    public func hash(into hasher: inout Hasher) { stub() }
    public var databaseValue: DatabaseValue { stub() }
    public static func fromDatabaseValue(_ value: DatabaseValue) -> DatabaseValue? { stub() }
}

public protocol DatabaseValueConvertible {
    var databaseValue: DatabaseValue { get }
    static func fromDatabaseValue(_ value: DatabaseValue) -> Self?
}

extension DatabaseValueConvertible where Self: Hashable {
    public static func fetchSet(
        _ database: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Set<Self> { stub() }
}

extension DatabaseValueConvertible {
    public static func fetchOne(
        _ database: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Self? { stub() }
    public static func fetchOne(_ statement: Statement, arguments: StatementArguments? = nil) throws -> Self? { stub() }
    public static func fetchAll(
        _ database: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Self] { stub() }
    public static func fetchCursor(
        _ database: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> DatabaseValueCursor<Self> { stub() }
}

extension Bool: DatabaseValueConvertible {}
extension Int: DatabaseValueConvertible {}
extension Int64: DatabaseValueConvertible {}
extension UInt8: DatabaseValueConvertible {}
extension UInt16: DatabaseValueConvertible {}
extension UInt32: DatabaseValueConvertible {}
extension UInt64: DatabaseValueConvertible {}
extension Double: DatabaseValueConvertible {}
extension String: DatabaseValueConvertible {}
extension Data: DatabaseValueConvertible {}
extension Optional: DatabaseValueConvertible where Wrapped: DatabaseValueConvertible {}
extension DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { stub() }
    public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? { stub() }
}

public protocol Cursor<Element>: AnyObject {
    associatedtype Element
    func next() throws -> Element?
}

public final class DatabaseValueCursor<Value: DatabaseValueConvertible>: Cursor {
    public func next() throws -> Value? { stub() }
}

public final class RowCursor: Cursor {
    public func next() throws -> Row? { stub() }
}

public final class Row {
    public subscript(_ index: Int) -> (any DatabaseValueConvertible)? { stub() }
    public subscript<Value: DatabaseValueConvertible>(_ index: Int) -> Value { stub() }
    public subscript<Value: DatabaseValueConvertible>(_ name: String) -> Value { stub() }
    public var count: Int { stub() }
    public func dataNoCopy(atIndex index: Int) throws -> Data? { stub() }
    public func withUnsafeData<Value>(atIndex index: Int, _ body: (Data?) throws -> Value) throws -> Value { stub() }
    public static func fetchOne(
        _ database: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Row? { stub() }
    public static func fetchOne(_ statement: Statement, arguments: StatementArguments? = nil) throws -> Row? { stub() }
    public static func fetchAll(
        _ database: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Row] { stub() }
    public static func fetchAll(_ statement: Statement, arguments: StatementArguments? = nil) throws -> [Row] { stub() }
    public static func fetchCursor(
        _ database: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> RowCursor { stub() }
    public static func fetchCursor(
        _ statement: Statement, arguments: StatementArguments? = nil
    ) throws -> RowCursor { stub() }
}

public struct StatementArguments: Hashable, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    public init() { stub() }
    public init(_ sequence: some Sequence<(any DatabaseValueConvertible)?>) { stub() }
    public init(_ sequence: some Sequence<some DatabaseValueConvertible>) { stub() }
    public init(arrayLiteral elements: (any DatabaseValueConvertible)?...) { stub() }
    public init(dictionaryLiteral elements: (String, (any DatabaseValueConvertible)?)...) { stub() }
    public static func + (left: StatementArguments, right: StatementArguments) -> StatementArguments { stub() }
    public static func += (left: inout StatementArguments, right: StatementArguments) { stub() }
}

public final class Statement {
    public let sqliteStatement: SQLiteStatement
    init() { stub() }
    public var columnNames: [String] { stub() }
    public var isReadonly: Bool { stub() }
    public func execute(arguments: StatementArguments? = nil) throws { stub() }
}

public final class Database {
    public private(set) var sqliteConnection: SQLiteConnection?
    public let configuration: Configuration
    init() { stub() }
    public var lastInsertedRowID: Int64 { stub() }
    public var changesCount: Int { stub() }
    public var isInsideTransaction: Bool { stub() }
    public func execute(sql: String, arguments: StatementArguments = StatementArguments()) throws { stub() }
    public enum TransactionKind: Sendable { case deferred, immediate, exclusive }
    public enum TransactionCompletion: Sendable { case commit, rollback }
    public func inTransaction(
        _ kind: TransactionKind? = nil, _ operations: () throws -> TransactionCompletion
    ) throws { stub() }
    public func cachedStatement(sql: String) throws -> Statement { stub() }
    public func makeStatement(sql: String) throws -> Statement { stub() }

    public enum BusyMode: Sendable {
        case immediateError
        case timeout(TimeInterval)
        case callback(@Sendable (Int) -> Bool)
    }
}

public struct Configuration: Sendable {
    public init() { stub() }
    public var readonly: Bool
    public var allowsUnsafeTransactions: Bool
    public var foreignKeysEnabled: Bool
    public var acceptsDoubleQuotedStringLiterals: Bool
    public var busyMode: Database.BusyMode
    public var label: String?
    public var maximumReaderCount: Int
    public var automaticMemoryManagement: Bool
    public mutating func prepareDatabase(_ setup: @escaping @Sendable (Database) throws -> Void) { stub() }
}

public struct DatabaseBackupProgress: Sendable {
    public let remainingPageCount: Int
    public let totalPageCount: Int
    public var completedPageCount: Int { stub() }
    public let isCompleted: Bool
}

public protocol DatabaseReader: AnyObject, Sendable {
    func close() throws
    func read<T>(_ value: (Database) throws -> T) throws -> T
    func read<T: Sendable>(_ value: @escaping @Sendable (Database) throws -> T) async throws -> T
}

extension DatabaseReader {
    public func backup(
        to writer: any DatabaseWriter, pagesPerStep: CInt = -1,
        progress: ((DatabaseBackupProgress) throws -> Void)? = nil
    ) throws { stub() }
}

public protocol DatabaseWriter: DatabaseReader {
    func write<T>(_ updates: (Database) throws -> T) throws -> T
    func write<T: Sendable>(_ updates: @escaping @Sendable (Database) throws -> T) async throws -> T
    func writeWithoutTransaction<T>(_ updates: (Database) throws -> T) rethrows -> T
}

extension DatabaseWriter {
    public func close() throws { stub() }
    public func read<T>(_ value: (Database) throws -> T) throws -> T { stub() }
    public func read<T: Sendable>(_ value: @escaping @Sendable (Database) throws -> T) async throws -> T { stub() }
    public func write<T>(_ updates: (Database) throws -> T) throws -> T { stub() }
    public func write<T: Sendable>(_ updates: @escaping @Sendable (Database) throws -> T) async throws -> T { stub() }
    public func writeWithoutTransaction<T>(_ updates: (Database) throws -> T) rethrows -> T { stub() }
}

public final class DatabaseQueue: DatabaseWriter, @unchecked Sendable {
    public init(named name: String? = nil, configuration: Configuration = Configuration()) throws { stub() }
    public init(path: String, configuration: Configuration = Configuration()) throws { stub() }
    public func inDatabase<T>(_ updates: (Database) throws -> T) rethrows -> T { stub() }
}

public final class DatabasePool: DatabaseWriter, @unchecked Sendable {
    public init(path: String, configuration: Configuration = Configuration()) throws { stub() }
    public func invalidateReadOnlyConnections() { stub() }
    public func checkpoint(_ mode: CheckpointMode = .passive) throws { stub() }
    public enum CheckpointMode: Sendable { case passive, full, restart, truncate }
}

public struct DatabaseMigrator: Sendable {
    public init() { stub() }
    public func migrate(_ writer: any DatabaseWriter) throws { stub() }
    public func hasBeenSuperseded(_ database: Database) throws -> Bool { stub() }
}

private func stub() -> Never { fatalError() }
