/// What the first 100 bytes of an SQLite database say of it, without SQLite. Changes that are still in its
/// write-ahead log are not in it.
///
/// Source: sqlite.org/fileformat.html, “The Database Header”.
package struct StoreHeader: Sendable, Hashable {
    /// How the database gives back pages that it no longer needs.
    package enum Vacuum: Sendable, Hashable { case none, full, incremental }

    /// Bytes of a page: a power of two from 512 to 65,536.
    package let pageSize: Int
    /// Whether changes go to a write-ahead log.
    package let writesAhead: Bool
    /// Pages as the header counts them; 0 where it was written by an SQLite before 3.7.
    package let pages: UInt64
    /// Pages that hold nothing.
    package let freePages: UInt64
    package let vacuum: Vacuum

    /// How many bytes are asked for.
    package static let size = 100
    /// What a database begins with.
    package static let magic = Array("SQLite format 3\0".utf8)

    /// Nil for what is no header: another beginning, fewer bytes, a page size that cannot be, more free pages than
    /// pages.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.size, bytes.starts(with: Self.magic) else { return nil }
        func number(_ offset: Int, _ width: Int) -> UInt64 {
            bytes[offset..<(offset + width)].reduce(0) { $0 << 8 | UInt64($1) }
        }
        let size = number(16, 2)
        pageSize = size == 1 ? 65_536 : Int(size)
        guard pageSize >= 512, pageSize & (pageSize - 1) == 0 else { return nil }
        writesAhead = bytes[19] == 2
        // The count holds only where the version that wrote it is the one that last changed the file.
        pages = number(24, 4) == number(92, 4) ? number(28, 4) : 0
        freePages = number(36, 4)
        guard pages == 0 || freePages <= pages else { return nil }
        vacuum = number(52, 4) == 0 ? .none : number(64, 4) == 0 ? .full : .incremental
    }
}
