internal import FileSystem
internal import Foundation
internal import GRDB
internal import TextOutput

/// A reader for the tree of one snapshot. It verifies directories by their hashes, and it terminates on any catalogue.
/// Not thread-safe.
package final class TreeReader {
    package let snapshot: Snapshot
    private let repository: Repository
    /// The number of nested directories that are being read.
    private var depth = 0
    private var filesLeft: Int
    /// The number of items until the size of the tree is checked; nil after the check.
    private var itemsUntilCheck: Int?
    private let limit: TreeSize.Limit
    private var isTooLarge = false

    package convenience init(_ snapshot: Snapshot, of repository: Repository) {
        self.init(snapshot, of: repository, checkingAfter: 10_000)
    }

    init(
        _ snapshot: Snapshot, of repository: Repository, checkingAfter items: Int,
        limit: TreeSize.Limit = TreeSize.Limit()
    ) {
        self.repository = repository
        self.snapshot = snapshot
        filesLeft = snapshot.files
        itemsUntilCheck = items
        self.limit = limit
    }

    /// Returns the entry of the container itself, or of the directory that stands for it.
    ///
    /// - Throws: `damaged`; `notFound` without such a directory.
    package func container() throws(BackupError) -> SnapshotEntry {
        var entries: [SnapshotEntry] = []
        let isWhole = try read(snapshot.tree) { if entries.count < 2 { entries.append($0) } }
        guard isWhole, entries.count == 1, let container = entries.first, container.name.isEmpty,
            container.kind == .directory
        else {
            throw BackupError(
                .damaged, what: "the entry of the container in snapshot \(snapshot.number) is damaged",
                hint: "use another snapshot; `sandboxbackup verify` reports the damage")
        }
        return try snapshot.root.isEmpty ? container : root(in: container)
    }

    private func root(in container: SnapshotEntry) throws(BackupError) -> SnapshotEntry {
        var found = container
        for name in snapshot.root.split(separator: UInt8(ascii: "/")) {
            var inner: SnapshotEntry?
            let isWhole = try read(found.child) { if $0.name.elementsEqual(name) { inner = $0 } }
            // Each directory is read again by the caller.
            filesLeft = snapshot.files
            guard isWhole else { throw snapshot.damage(at: snapshot.root) }
            guard let inner, inner.kind == .directory else {
                throw BackupError(
                    .notFound,
                    what: "snapshot \(snapshot.number) has no directory “\(ByteText.escaped(snapshot.root))”",
                    hint: "`sandboxbackup ls` lists the items of a snapshot")
            }
            found = inner
        }
        found.name = []
        return found
    }

    /// Returns true if the row of the snapshot matches its hash.
    package func isSnapshotWhole() throws(BackupError) -> Bool {
        do throws(BackupError) {
            return try repository.withCatalogue { [snapshot] database in
                let hash = try Data.fetchOne(
                    database, sql: "SELECT sha256 FROM snapshot WHERE id = ?", arguments: [snapshot.number])
                return try hash == Data(Repository.hash(of: snapshot, in: database).bytes)
            }
        } catch {
            guard error.code == .damaged else { throw error }
            return false
        }
    }

    /// Calls `body` for the entries of a directory, by the bytes of their names. `body` may read subdirectories.
    ///
    /// - Returns: False if the directory is damaged; then usually none of its entries was reported.
    package func read(
        _ directory: Int64?, _ body: (SnapshotEntry) throws(BackupError) -> Void
    ) throws(BackupError) -> Bool {
        guard let directory, depth < SnapshotEntry.maximumDepth else { return false }
        depth += 1
        defer { depth -= 1 }
        var pages = DirectoryPages(of: directory, in: repository, depth: depth)
        while true {
            let page: [SnapshotEntry]?
            do throws(BackupError) { page = try pages.next() } catch {
                guard error.code == .damaged else { throw error }
                return false
            }
            guard let page else { return true }
            for entry in page {
                guard try isExpected(entry) else { return false }
                try body(entry)
            }
        }
    }

    /// Returns true if the tree may have one more entry. After the first false result, all further results are false.
    private func isExpected(_ entry: SnapshotEntry) throws(BackupError) -> Bool {
        if entry.kind == .file { filesLeft -= 1 }
        if let left = itemsUntilCheck {
            itemsUntilCheck = left > 0 ? left - 1 : nil
            if left == 0 { isTooLarge = try !limit.holds(repository.size(ofTree: snapshot.tree)) }
        }
        return filesLeft >= 0 && !isTooLarge
    }
}

/// The entries of a directory, page by page, since a directory may exceed the memory.
///
/// Either all pages are verified before the first is returned, and what exceeds the kept number of entries is read again. Or they
/// are verified together with the last one, so that all but this one may be damaged; then each is read once.
package struct DirectoryPages {
    private let repository: Repository
    private let directory: Int64
    /// The number of verified entries that are kept.
    private let mostKept: Int
    private let verifiesFirst: Bool
    private var isJudged = false
    private var hash = DirectoryHash()
    /// The number of all entries, after the last page.
    package private(set) var count = 0
    /// The last name of the previous page.
    private var last: [UInt8]?
    private var isAtEnd = false

    private static let size = 256

    /// The number of nested directories that may keep many entries. Hostile repositories have more.
    private static let outerDepth = 8

    /// - Parameters:
    ///   - directory: The number of the directory.
    ///   - repository: The repository.
    ///   - depth: The number of nested directories that are being read, with this one.
    ///   - verifiesFirst: True to verify all pages before the first is returned.
    package init(of directory: Int64, in repository: Repository, depth: Int, verifyingFirst verifiesFirst: Bool = true)
    {
        self.verifiesFirst = verifiesFirst
        self.repository = repository
        self.directory = directory
        mostKept = depth <= Self.outerDepth ? 4_096 : 0
    }

    /// Returns the next page; nil at the end.
    ///
    /// - Throws: `damaged`.
    package mutating func next() throws(BackupError) -> [SnapshotEntry]? {
        guard !isAtEnd else { return nil }
        if verifiesFirst, !isJudged {
            isJudged = true
            let kept = try judge()
            count = kept.count
            return kept
        }
        let page =
            verifiesFirst
            ? try repository.entries(of: directory, after: last, atMost: Self.size)
            : try repository.entries(of: directory, after: last, atMost: Self.size, addingTo: &hash)
        isAtEnd = page.count < Self.size
        last = page.last?.name
        count += page.count
        if isAtEnd, !verifiesFirst { try repository.require(hash.value, of: directory) }
        return page
    }

    /// Verifies all pages and returns the kept ones: all those of most directories, which are read once.
    private mutating func judge() throws(BackupError) -> [SnapshotEntry] {
        var hash = DirectoryHash()
        var kept = try repository.entries(of: directory, after: nil, atMost: Self.size, addingTo: &hash)
        var (last, isAtEnd) = (kept.last?.name, kept.count < Self.size)
        (self.last, self.isAtEnd) = (last, isAtEnd)
        var isKeeping = true
        while !isAtEnd {
            let page = try repository.entries(of: directory, after: last, atMost: Self.size, addingTo: &hash)
            (last, isAtEnd) = (page.last?.name ?? last, page.count < Self.size)
            isKeeping = isKeeping && kept.count + page.count <= mostKept
            guard isKeeping else { continue }
            kept += page
            (self.last, self.isAtEnd) = (last, isAtEnd)
        }
        try repository.require(hash.value, of: directory)
        return kept
    }
}

/// The number of items in a tree, and of the rows that describe it.
///
/// Equal directories share one row, so 60 rows can describe a billion items. A real container has such directories only
/// if all their files are hard links.
struct TreeSize {
    /// The number of entries, counting each directory once.
    var rows = 0
    /// The number of items that a walk meets, limited to `Int.max`.
    var items = 0

    /// The limit for reading, restoring or writing a tree.
    struct Limit {
        /// The number of items that is always allowed.
        var items = 250_000
        /// The number of further items per row.
        var itemsPerRow = 64

        /// Returns true if a real container may have a tree of this size.
        func holds(_ size: TreeSize) -> Bool {
            let (perRow, isOver) = size.rows.multipliedReportingOverflow(by: itemsPerRow)
            return isOver || size.items.subtractingReportingOverflow(items).partialValue <= perRow
        }
    }
}

extension Repository {
    /// Measures a tree in time proportional to its rows. A directory inside itself, which hashes prevent, counts as
    /// empty.
    func size(ofTree tree: Int64) throws(BackupError) -> TreeSize {
        try withCatalogue { database in
            let statement = try database.cachedStatement(sql: "SELECT child FROM entry WHERE directory = ?")
            var size = TreeSize()
            /// The number of items in each measured directory; 0 while a directory is being measured.
            var items: [Int64: Int] = [:]
            var open: [(directory: Int64, children: [Int64], items: Int)] = []
            func enter(_ directory: Int64) throws {
                items[directory] = 0
                var (children, count) = ([Int64](), 0)
                let rows = try Row.fetchCursor(statement, arguments: [directory])
                while let row = try rows.next() {
                    count += 1
                    if let child = Int64.fromDatabaseValue(row[0] as DatabaseValue) { children.append(child) }
                }
                size.rows += count
                open.append((directory, children, count))
            }
            try enter(tree)
            while let last = open.indices.last {
                if let child = open[last].children.last {
                    guard let known = items[child] else {
                        try enter(child)
                        continue
                    }
                    open[last].children.removeLast()
                    let (sum, isOver) = open[last].items.addingReportingOverflow(known)
                    open[last].items = isOver ? .max : sum
                } else {
                    items[open[last].directory] = open[last].items
                    size.items = open[last].items
                    open.removeLast()
                }
            }
            return size
        }
    }
}

extension Repository {
    /// Calls `body` for every item of a snapshot with its path, a directory before its content, and `damaged` for every
    /// damaged directory, whose content is skipped. An empty path stands for the container or the snapshot itself.
    ///
    /// - Throws: `damaged` if the entry of the container cannot be read; errors of `body`.
    package func visit(
        _ snapshot: Snapshot, _ body: (_ path: [UInt8], _ entry: SnapshotEntry) throws(BackupError) -> Void,
        damaged: (_ path: [UInt8]) -> Void = { _ in }
    ) throws(BackupError) {
        let tree = TreeReader(snapshot, of: self)
        let container = try tree.container()
        if try !tree.isSnapshotWhole() { damaged([]) }
        try Self.visit(container, at: [], in: tree, body, damaged)
    }

    private static func visit(
        _ entry: SnapshotEntry, at path: [UInt8], in tree: TreeReader,
        _ body: (_ path: [UInt8], _ entry: SnapshotEntry) throws(BackupError) -> Void,
        _ damaged: (_ path: [UInt8]) -> Void
    ) throws(BackupError) {
        try body(path, entry)
        guard entry.kind == .directory else { return }
        let isWhole = try tree.read(entry.child) { inner throws(BackupError) in
            let innerPath = path.isEmpty ? inner.name : path + [UInt8(ascii: "/")] + inner.name
            try visit(inner, at: innerPath, in: tree, body, damaged)
        }
        if !isWhole { damaged(path) }
    }

    /// Returns true if a snapshot has an item of a path.
    package func holds(_ path: [UInt8], in snapshot: Snapshot) throws(BackupError) -> Bool {
        try withCatalogue { database in
            let root = "SELECT child FROM entry WHERE directory = ? AND kind = ?"
            var found = try Row.fetchOne(
                database, sql: root, arguments: [snapshot.tree, Int(FileKind.directory.rawValue)])
            for name in (snapshot.root + [UInt8(ascii: "/")] + path).split(separator: UInt8(ascii: "/")) {
                guard let child = found.flatMap({ Int64.fromDatabaseValue($0[0]) }) else { return false }
                found = try Row.fetchOne(
                    database, sql: "SELECT child FROM entry WHERE directory = ? AND name = ?",
                    arguments: [child, Data(name)])
            }
            return found != nil
        }
    }
}
