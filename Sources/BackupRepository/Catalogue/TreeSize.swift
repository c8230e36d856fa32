internal import GRDB

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

extension BackupStore {
    /// Measures a tree: in time that grows with its rows, not with its items. A directory within itself, which no hash
    /// allows, counts as empty there.
    func size(ofTree tree: Int64) throws(BackupError) -> TreeSize {
        try catalogue { database in
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
