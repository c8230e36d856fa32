/// The limits for inspecting a database.
package struct DatabaseLimits: Sendable {
    /// The maximum size of all files together in bytes.
    package var bytes: UInt64 = 256 << 20
    /// The maximum time for SQLite in seconds, from opening to the last query.
    package var seconds = 20.0
    package var tables = 1_000
    package var columns = 64
    /// The maximum number of rows that are read from a table.
    package var rows = 1_000
    /// The maximum size of a text or BLOB in bytes.
    package var valueBytes = 65_536
    /// The maximum size of all values together in bytes.
    package var allBytes = 64 << 20

    package init() {}
}
