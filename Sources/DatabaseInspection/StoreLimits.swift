/// How much of a store is looked at.
package struct StoreLimits: Sendable {
    /// Bytes of all its files together.
    package var bytes: UInt64 = 256 << 20
    /// Seconds that SQLite may take, from opening to the last answer.
    package var seconds = 20.0
    package var tables = 1_000
    package var columns = 64
    /// Rows of one table whose values are read.
    package var rows = 1_000
    /// Bytes of a text or of content that is read.
    package var valueBytes = 65_536
    /// Bytes of all values that are read.
    package var allBytes = 64 << 20

    package init() {}
}
