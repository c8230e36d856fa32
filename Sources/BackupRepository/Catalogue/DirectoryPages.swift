/// The entries of a directory, page by page: one may have more of them than there is memory for. None is given before all
/// are known to be those that were written.
package struct DirectoryPages {
    private let store: BackupStore
    private let directory: Int64
    private var isJudged = false
    /// After which name the next page begins.
    private var last: [UInt8]?
    private var isAtEnd = false

    private static let size = 256

    package init(of directory: Int64, in store: BackupStore) {
        self.store = store
        self.directory = directory
    }

    /// The next page; nil where none is left.
    ///
    /// - Throws: `damaged`.
    package mutating func next() throws(BackupError) -> [SnapshotEntry]? {
        guard !isAtEnd else { return nil }
        let page = try isJudged ? store.entries(of: directory, after: last, atMost: Self.size) : judge()
        isJudged = true
        isAtEnd = page.count < Self.size
        last = page.last?.name
        return page
    }

    /// Judges all pages, and gives the first: most directories have one, which is read once.
    private func judge() throws(BackupError) -> [SnapshotEntry] {
        var hash = DirectoryHash()
        let first = try store.entries(of: directory, after: nil, atMost: Self.size, addingTo: &hash)
        var page = first
        while page.count == Self.size {
            page = try store.entries(of: directory, after: page.last?.name, atMost: Self.size, addingTo: &hash)
        }
        guard try store.hash(of: directory) == hash.value else {
            throw BackupError(
                .damaged, "directory \(directory) is damaged: its entries are not those that were written")
        }
        return first
    }
}
