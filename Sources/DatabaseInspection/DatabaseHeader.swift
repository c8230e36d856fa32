/// The header of an SQLite database: its first 100 bytes, read without SQLite. Changes in a write-ahead log are not
/// included.
///
/// Source: sqlite.org/fileformat.html, “The Database Header”.
package struct DatabaseHeader: Sendable, Hashable {
    /// The handling of unused pages.
    package enum Vacuum: Sendable, Hashable { case none, full, incremental }

    /// The page size in bytes: a power of two from 512 to 65,536.
    package let pageSize: Int
    /// True if changes are written to a write-ahead log.
    package let writesAhead: Bool
    /// The number of pages in the header. 0 for a database that was written by SQLite before 3.7.
    package let pages: UInt64
    /// The number of unused pages.
    package let freePages: UInt64
    package let vacuum: Vacuum

    /// The size of the header in bytes.
    package static let size = 100
    /// The bytes at the start of a database.
    package static let magic = Array("SQLite format 3\0".utf8)

    /// Returns nil if the bytes are not a header: a different start, too few bytes, an invalid page size, or more free
    /// pages than pages.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.size, bytes.starts(with: Self.magic) else { return nil }
        func number(_ offset: Int, _ width: Int) -> UInt64 {
            bytes[offset..<(offset + width)].reduce(0) { $0 << 8 | UInt64($1) }
        }
        let size = number(16, 2)
        pageSize = size == 1 ? 65_536 : Int(size)
        guard pageSize >= 512, pageSize & (pageSize - 1) == 0 else { return nil }
        writesAhead = bytes[19] == 2
        // The count is valid only if the version that wrote it also made the last change.
        pages = number(24, 4) == number(92, 4) ? number(28, 4) : 0
        freePages = number(36, 4)
        guard pages == 0 || freePages <= pages else { return nil }
        vacuum = number(52, 4) == 0 ? .none : number(64, 4) == 0 ? .full : .incremental
    }
}
