internal import FileSystem
internal import Foundation
internal import GRDB

/// Goes down the tree of one snapshot, whose directories are judged by their hashes, and comes to an end whatever the
/// catalogue says. For one thread.
package final class TreeReader {
    package let snapshot: Snapshot
    private let repository: Repository
    /// How many directories are being shown, each within the one before.
    private var depth = 0
    private var filesLeft: Int
    /// How many items may still come before the size of the tree is looked at; nil once it has been.
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

    /// The entry of the container itself.
    ///
    /// - Throws: `damaged`.
    package func container() throws(BackupError) -> SnapshotEntry {
        var entries: [SnapshotEntry] = []
        let isWhole = try read(snapshot.tree) { if entries.count < 2 { entries.append($0) } }
        guard isWhole, entries.count == 1, let container = entries.first, container.name.isEmpty,
            container.kind == .directory
        else {
            throw BackupError(
                .damaged, "what snapshot \(snapshot.number) says of the container is damaged",
                hint: "take another snapshot; `sandboxbackup verify` names what is damaged")
        }
        return container
    }

    /// Whether the catalogue says of the snapshot, and of which tree is its own, what was written.
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

    /// Shows the entries of a directory by the bytes of their names; `body` may read directories that these name.
    ///
    /// - Returns: Whether that was all of it: false where the directory is damaged, and mostly nothing of it was shown.
    package func read(
        _ directory: Int64?, _ body: (SnapshotEntry) throws(BackupError) -> Void
    ) throws(BackupError) -> Bool {
        guard let directory, depth < SnapshotEntry.maximumDepth else { return false }
        depth += 1
        defer { depth -= 1 }
        var pages = DirectoryPages(of: directory, in: repository)
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

    /// Whether there may be one more such entry; after the first that may not be, none may.
    private func isExpected(_ entry: SnapshotEntry) throws(BackupError) -> Bool {
        if entry.kind == .file { filesLeft -= 1 }
        if let left = itemsUntilCheck {
            itemsUntilCheck = left > 0 ? left - 1 : nil
            if left == 0 { isTooLarge = try !limit.holds(repository.size(ofTree: snapshot.tree)) }
        }
        return filesLeft >= 0 && !isTooLarge
    }
}

/// The entries of a directory, page by page: one may have more of them than there is memory for. None is given before all
/// are known to be those that were written.
package struct DirectoryPages {
    private let repository: Repository
    private let directory: Int64
    private var isJudged = false
    /// After which name the next page begins.
    private var last: [UInt8]?
    private var isAtEnd = false

    private static let size = 256

    package init(of directory: Int64, in repository: Repository) {
        self.repository = repository
        self.directory = directory
    }

    /// The next page; nil where none is left.
    ///
    /// - Throws: `damaged`.
    package mutating func next() throws(BackupError) -> [SnapshotEntry]? {
        guard !isAtEnd else { return nil }
        let page = try isJudged ? repository.entries(of: directory, after: last, atMost: Self.size) : judge()
        isJudged = true
        isAtEnd = page.count < Self.size
        last = page.last?.name
        return page
    }

    /// Judges all pages, and gives the first: most directories have one, which is read once.
    private func judge() throws(BackupError) -> [SnapshotEntry] {
        var hash = DirectoryHash()
        let first = try repository.entries(of: directory, after: nil, atMost: Self.size, addingTo: &hash)
        var page = first
        while page.count == Self.size {
            page = try repository.entries(of: directory, after: page.last?.name, atMost: Self.size, addingTo: &hash)
        }
        guard try repository.hash(of: directory) == hash.value else {
            throw BackupError(
                .damaged, "directory \(directory) is damaged: its entries are not those that were written")
        }
        return first
    }
}

/// How large a snapshot's tree is, and how much of the catalogue it takes to say so.
///
/// Directories that hold the same are one row, so that 60 rows may stand for a billion items. A container has such
/// directories only where all that they hold has several names.
struct TreeSize {
    /// Entries of the directories, each directory counted once.
    var rows = 0
    /// Items that a walk through the tree meets, or the greatest number.
    var items = 0

    /// The most that is read, restored or written of a tree.
    struct Limit {
        /// So many items a tree may have in any case.
        var items = 250_000
        /// So many more for each of its rows.
        var itemsPerRow = 64

        /// Whether a tree of this size is one that some container may have had.
        func holds(_ size: TreeSize) -> Bool {
            let (perRow, isOver) = size.rows.multipliedReportingOverflow(by: itemsPerRow)
            return isOver || size.items.subtractingReportingOverflow(items).partialValue <= perRow
        }
    }
}

extension Repository {
    /// Measures a tree: in time that grows with its rows, not with its items. A directory within itself, which no hash
    /// allows, counts as empty there.
    func size(ofTree tree: Int64) throws(BackupError) -> TreeSize {
        try withCatalogue { database in
            let statement = try database.cachedStatement(sql: "SELECT child FROM entry WHERE directory = ?")
            var size = TreeSize()
            /// The items in each directory that has been counted, and 0 in those that are being counted.
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
    /// Shows every item of a snapshot with its path, a directory before what lies in it, and which directories are damaged,
    /// of which nothing more is shown; an empty path also where the snapshot itself is.
    ///
    /// - Throws: `damaged` where nothing is known of the container; what `body` throws.
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
            for name in path.split(separator: UInt8(ascii: "/")) {
                guard let child = found.flatMap({ Int64.fromDatabaseValue($0[0]) }) else { return false }
                found = try Row.fetchOne(
                    database, sql: "SELECT child FROM entry WHERE directory = ? AND name = ?",
                    arguments: [child, Data(name)])
            }
            return found != nil
        }
    }
}
