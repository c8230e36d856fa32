internal import Foundation
internal import GRDBSQLite

/// An error of SQLite.
struct DatabaseFailure: Error, CustomStringConvertible { let description: String }

/// Executes SQL statements in a database file with SQLite, without a program. A missing file is created.
///
/// Returns the rows as the program sqlite3 prints them: one line for each, with `|` between the values.
@discardableResult
package func executeSQL(_ statements: String, in path: String) throws -> String {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    func check(_ code: Int32, expecting expected: Int32) throws {
        guard code != expected else { return }
        throw DatabaseFailure(description: "\(path): \(String(cString: sqlite3_errmsg(connection)))")
    }
    try check(sqlite3_open(path, &connection), expecting: SQLITE_OK)
    var rows = ""
    try statements.withCString { start in
        var rest: UnsafePointer<CChar>? = start
        while let text = rest, text.pointee != 0 {
            var prepared: OpaquePointer?
            try check(sqlite3_prepare_v2(connection, text, -1, &prepared, &rest), expecting: SQLITE_OK)
            // Blanks and comments are no statement.
            guard let statement = prepared else { continue }
            defer { sqlite3_finalize(statement) }
            var code = sqlite3_step(statement)
            while code == SQLITE_ROW {
                let values = (0..<sqlite3_column_count(statement)).map { column in
                    sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
                }
                rows += values.joined(separator: "|") + "\n"
                code = sqlite3_step(statement)
            }
            try check(code, expecting: SQLITE_DONE)
        }
    }
    return rows
}
