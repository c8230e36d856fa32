internal import FileSystem

/// The write-ahead log of a database, read without SQLite.
///
/// A log has no identity of its database: SQLite applies any log with valid checksums to the file beside it. It cannot be
/// proven that a log belongs to a database, only that no commit leads from the database to the log.
///
/// Source: sqlite.org/walformat.html; wal.c (`walChecksumBytes`), pager.c (`pager_write_changecounter`).
struct DatabaseLog {
    /// One page of a log.
    private struct Frame {
        /// The number of the page, from 1.
        let page: UInt32
        /// True for the last page of a transaction.
        let isCommit: Bool
        let content: [UInt8]
    }

    /// The size of the header in bytes. A log without a frame changes nothing.
    static let headerSize = 32
    private static let frameHeaderSize = 24

    private let file: OpenFile
    private let pageSize: Int
    private let isBigEndian: Bool
    private let salts: [UInt8]
    private var checksum: (UInt32, UInt32) = (0, 0)
    private var offset = UInt64(headerSize)

    /// Reads the header; nil for a file that SQLite does not apply.
    private init?(_ file: OpenFile) {
        guard let header = try? file.read(upTo: Self.headerSize), header.count == Self.headerSize else { return nil }
        let (magic, size) = (header.number(at: 0), Int(header.number(at: 8)))
        guard magic & ~1 == 0x377f_0682, header.number(at: 4) == 3_007_000,
            512...65_536 ~= size, size & (size - 1) == 0
        else { return nil }
        (self.file, pageSize, isBigEndian, salts) = (file, size, magic & 1 == 1, Array(header[16..<24]))
        sum(header, range: 0..<24)
        guard checksum == (header.number(at: 24), header.number(at: 28)) else { return nil }
    }

    /// Returns the next page; nil at the end of what SQLite applies, where salts or checksums do not match.
    private mutating func next() -> Frame? {
        let size = Self.frameHeaderSize + pageSize
        guard let bytes = try? file.read(upTo: size, from: offset), bytes.count == size,
            bytes[8..<16].elementsEqual(salts)
        else { return nil }
        sum(bytes, range: 0..<8)
        sum(bytes, range: Self.frameHeaderSize..<size)
        guard checksum == (bytes.number(at: 16), bytes.number(at: 20)), bytes.number(at: 0) > 0 else { return nil }
        offset += UInt64(size)
        return Frame(
            page: bytes.number(at: 0), isCommit: bytes.number(at: 4) > 0,
            content: Array(bytes[Self.frameHeaderSize...]))
    }

    private mutating func sum(_ bytes: [UInt8], range: Range<Int>) {
        var (first, second) = checksum
        bytes.withUnsafeBytes { bytes in
            for position in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
                let left = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
                let right = bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self)
                first &+= (isBigEndian ? left.bigEndian : left.littleEndian) &+ second
                second &+= (isBigEndian ? right.bigEndian : right.littleEndian) &+ first
            }
        }
        checksum = (first, second)
    }
}

extension DatabaseLog {
    /// Returns the proof that a log belongs to another database, or to another state of this one, as a clause about the
    /// log (“it”). Returns nil without a proof, and for a log without a complete transaction.
    ///
    /// The files must not change. The time is linear in the size of the log. The memory is a page, and the numbers of the
    /// pages that the log adds; beyond a million there is no proof.
    ///
    /// SQLite begins a log when the database has all earlier changes, so the database has either the page 1 with which
    /// the log begins, or one that was copied from the log. In the first case:
    ///
    /// - Page 1 of the first transaction that changes it has the change counter of the database or the next one. A
    ///   connection counts one change for all transactions until it reads page 1 again.
    /// - No earlier transaction has a page beyond the end of the database, since page 1 has the number of pages.
    /// - Without automatic vacuum, only VACUUM, an online backup into the database and a reset make it smaller. The first
    ///   two set the schema cookie to the next number; the last one leaves no table. With automatic vacuum, any
    ///   transaction may make it smaller, but none lowers the cookie. (`PRAGMA schema_version` may do so, in the same
    ///   transaction: SQLite warns against it, since it can damage a database.)
    /// - Each new page is in the log, except for unused ones and the one with SQLite's locks.
    static func mismatch(of log: OpenFile, with main: OpenFile) -> String? {
        guard var log = DatabaseLog(log), let page = try? main.read(upTo: log.pageSize), let base = DatabaseHeader(page)
        else { return nil }
        var proof: String?
        var isCompared = false
        var first: [UInt8]?
        var added: Set<UInt32> = []
        while let frame = log.next() {
            if frame.page == 1, frame.content == page { return nil }
            if !isCompared {
                if frame.page == 1 { first = frame.content }
                if base.pages > 0, UInt64(frame.page) > base.pages { added.insert(frame.page) }
            }
            guard added.count <= 1_000_000 else { return nil }
            guard frame.isCommit, !isCompared else { continue }
            guard log.pageSize == base.pageSize else {
                return "its pages have \(log.pageSize) bytes, and those of the database \(base.pageSize)"
            }
            if let first {
                guard let next = DatabaseHeader(first) else { return nil }
                proof = base.mismatch(with: next, adding: added)
            } else if let number = added.min() {
                proof = "it has page \(number) without adding one to the \(base.pages) of the database"
            } else {
                continue
            }
            if proof == nil { return nil }
            // A page 1 that was copied from the log may follow.
            (isCompared, added) = (true, [])
        }
        return proof
    }
}

extension DatabaseHeader {
    /// Returns the proof that no transaction leads from this page 1 to the next one of a log.
    fileprivate func mismatch(with next: DatabaseHeader, adding added: Set<UInt32>) -> String? {
        guard next.changeCounter == changeCounter || next.changeCounter == changeCounter &+ 1 else {
            return "it begins with change \(next.changeCounter), and the database has change \(changeCounter)"
        }
        // A database of an old version has no number of pages.
        guard pages > 0, next.pages > 0 else { return nil }
        let isPossible = vacuum == .none ? next.schemaCookie == schemaCookie &+ 1 : next.schemaCookie >= schemaCookie
        if next.pages < pages, next.hasSchema, !isPossible {
            return "it shrinks the database from \(pages) to \(next.pages) pages, but not as SQLite does"
        }
        let new = next.pages > pages ? next.pages - pages : 0
        let missing = new - min(new, UInt64(added.count { $0 <= next.pages }))
        guard missing <= next.freePages + 1 else {
            return "it adds \(new) pages to the \(pages) of the database, but has no content for \(missing) of them"
        }
        return nil
    }
}
