// The declarations of GRDB for records, tables and requests that the example apps use.
public import Foundation

public protocol SQLExpressible {
    var sqlExpression: SQLExpression { get }
}
public protocol SQLSpecificExpressible: SQLExpressible {}
public struct SQLExpression: SQLSpecificExpressible, Sendable {
    public struct AssociativeBinaryOperator: Hashable, Sendable {
        public static let concat = AssociativeBinaryOperator()
    }
    public var sqlExpression: SQLExpression { stub() }
}
extension SQLExpressible where Self: DatabaseValueConvertible {
    public var sqlExpression: SQLExpression { stub() }
}
extension DatabaseValue: SQLExpressible {}
extension Int: SQLExpressible {}
extension Int64: SQLExpressible {}
extension String: SQLExpressible {}
extension Date: DatabaseValueConvertible, SQLExpressible {}

public struct Column: SQLSpecificExpressible, Hashable, Sendable {
    public init(_ name: String) { stub() }
    public init(_ key: some CodingKey) { stub() }
    public var sqlExpression: SQLExpression { stub() }
    public func set(to value: (any SQLExpressible)?) -> ColumnAssignment { stub() }
}
public struct ColumnAssignment: Sendable {}

public protocol SQLOrderingTerm {}
extension SQLExpression: SQLOrderingTerm {}
extension Column: SQLOrderingTerm {}
public struct SQLOrdering: SQLOrderingTerm, Sendable {}

extension SQLSpecificExpressible {
    public var desc: SQLOrdering { stub() }
    public func like(_ pattern: some SQLExpressible, escape: (any SQLExpressible)? = nil) -> SQLExpression { stub() }
}
public func == (left: some SQLSpecificExpressible, right: (any SQLExpressible)?) -> SQLExpression { stub() }
public func < (left: some SQLSpecificExpressible, right: some SQLExpressible) -> SQLExpression { stub() }
public func >= (left: some SQLSpecificExpressible, right: some SQLExpressible) -> SQLExpression { stub() }
public func length(_ value: some SQLSpecificExpressible) -> SQLExpression { stub() }
extension ClosedRange where Bound: SQLExpressible {
    public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression { stub() }
}
extension Collection where Element == SQLExpression {
    public func joined(operator: SQLExpression.AssociativeBinaryOperator) -> SQLExpression { stub() }
}

public protocol FetchableRecord {
    init(row: Row) throws
}
extension FetchableRecord where Self: Decodable {
    public init(row: Row) throws { stub() }
}

public protocol TableRecord {
    static var databaseTableName: String { get }
}
extension TableRecord {
    public static var databaseTableName: String { stub() }
    public static func filter(_ predicate: some SQLSpecificExpressible) -> QueryInterfaceRequest<Self> { stub() }
    public static func belongsTo<Other: TableRecord>(_ other: Other.Type) -> BelongsToAssociation<Self, Other> {
        stub()
    }
    public static func hasMany<Other: TableRecord>(_ other: Other.Type) -> HasManyAssociation<Self, Other> { stub() }
}

public struct PersistenceContainer: Sendable {}
public protocol EncodableRecord {
    func encode(to container: inout PersistenceContainer) throws
}
extension EncodableRecord where Self: Encodable {
    public func encode(to container: inout PersistenceContainer) throws { stub() }
}

public struct InsertionSuccess: Sendable {
    public var rowID: Int64 { stub() }
}
public protocol MutablePersistableRecord: EncodableRecord, TableRecord {
    func willSave(_ database: Database) throws
    mutating func didInsert(_ inserted: InsertionSuccess)
}
extension MutablePersistableRecord {
    public func willSave(_ database: Database) throws { stub() }
    public mutating func didInsert(_ inserted: InsertionSuccess) { stub() }
    public mutating func insert(_ database: Database) throws { stub() }
    public func update(_ database: Database) throws { stub() }
    @discardableResult public func delete(_ database: Database) throws -> Bool { stub() }
    public func request<Other: TableRecord>(
        for association: BelongsToAssociation<Self, Other>
    ) -> QueryInterfaceRequest<Other> { stub() }
    public func request<Other: TableRecord>(
        for association: HasManyAssociation<Self, Other>
    ) -> QueryInterfaceRequest<Other> { stub() }
}
public protocol PersistableRecord: MutablePersistableRecord {
    func didInsert(_ inserted: InsertionSuccess)
}
extension PersistableRecord {
    public func didInsert(_ inserted: InsertionSuccess) { stub() }
    public func insert(_ database: Database) throws { stub() }
}
public struct BelongsToAssociation<Origin, Other>: Sendable {}
public struct HasManyAssociation<Origin, Other>: Sendable {}

public enum RecordError: Error {
    case recordNotFound(databaseTableName: String, key: [String: DatabaseValue])
}

extension TableRecord {
    public static func select(_ columns: Column...) -> QueryInterfaceRequest<Self> { stub() }
    public static func fetchCount(_ database: Database) throws -> Int { stub() }
    @discardableResult public static func deleteAll(_ database: Database) throws -> Int { stub() }
}
extension FetchableRecord where Self: TableRecord {
    public static func fetchAll(_ database: Database) throws -> [Self] { stub() }
}
extension DatabaseValueConvertible {
    public static func fetchAll<Record>(
        _ database: Database, _ request: QueryInterfaceRequest<Record>
    ) throws -> [Self] { stub() }
}

public struct QueryInterfaceRequest<RowDecoder> {
    public func filter(_ predicate: some SQLSpecificExpressible) -> Self { stub() }
    public func order(_ orderings: any SQLOrderingTerm...) -> Self { stub() }
    @discardableResult public func updateAll(_ database: Database, _ changes: ColumnAssignment...) throws -> Int {
        stub()
    }
    @discardableResult public func deleteAll(_ database: Database) throws -> Int { stub() }
}
extension QueryInterfaceRequest where RowDecoder: FetchableRecord {
    public func fetchOne(_ database: Database) throws -> RowDecoder? { stub() }
    public func fetchAll(_ database: Database) throws -> [RowDecoder] { stub() }
}

extension Database {
    public struct ColumnType: Hashable, Sendable {
        public static let text = ColumnType()
        public static let datetime = ColumnType()
    }
    public enum ForeignKeyAction: Sendable { case cascade }
    public func create(table name: String, body: (TableDefinition) throws -> Void) throws { stub() }
}
public final class TableDefinition {
    @discardableResult public func autoIncrementedPrimaryKey(_ name: String) -> ColumnDefinition { stub() }
    @discardableResult public func column(_ name: String, _ type: Database.ColumnType? = nil) -> ColumnDefinition {
        stub()
    }
    @discardableResult public func belongsTo(
        _ name: String, onDelete action: Database.ForeignKeyAction? = nil
    ) -> ForeignKeyDefinition { stub() }
}
public final class ColumnDefinition {
    @discardableResult public func notNull() -> Self { stub() }
    @discardableResult public func unique() -> Self { stub() }
    @discardableResult public func indexed() -> Self { stub() }
    @discardableResult public func check(_ condition: (Column) -> any SQLExpressible) -> Self { stub() }
}
public final class ForeignKeyDefinition {
    @discardableResult public func notNull() -> Self { stub() }
}

private func stub() -> Never { fatalError() }
