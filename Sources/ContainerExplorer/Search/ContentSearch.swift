package import AppContainer
package import ContainerTree
internal import FileSystem
internal import TextOutput

/// A search for a text or a key inside the files of a container: property lists, keyed archives, JSON, SQLite databases, and
/// texts in UTF-8 and UTF-16.
///
/// Reads only. Texts and keys are found, not numbers, dates or other binary content. A secret is never part of an excerpt, also
/// if it was searched for: the place is shown, and the kind of the secret. Time and memory are bounded for each file.
package struct ContentSearch: Sendable {
    /// The parts of a content that are searched.
    package enum Part: Sendable { case keysAndValues, keys, values }

    package struct Options: Sendable {
        package var part = Part.keysAndValues
        package var ignoresCase = true
        /// Larger files are not read, in bytes. A database may have four times this size.
        package var fileBytes: UInt64 = 64 << 20
        /// The rows of a table of a database that are read.
        package var rows = 100_000
        /// The time for one database, in seconds.
        package var databaseSeconds = 10.0
        /// The places of one file that are reported.
        package var hitsPerFile = 1_000

        package init() {}
    }

    /// A place in a file.
    package struct Hit: Sendable, Hashable {
        /// The path of the file in the container.
        package let path: [UInt8]
        /// The place, safe to show: `/recent/0`, `book.title row 12`, `line 3`. The path of a key ends with the key.
        package let place: String
        /// True if a key, or the name of a table or column, has the text; false for a value or a line.
        package let isKey: Bool
        /// The text around the match in one line, without secrets and control characters; at most about 160 characters.
        package let excerpt: String
    }

    /// The result of a search.
    package struct Summary: Sendable {
        /// The searched files.
        package var files = 0
        /// The reported places.
        package var hits = 0
        /// The number of files whose content is neither text nor structured, such as pictures.
        package var otherFiles = 0
        /// The files that were not searched, or not to their end, with the reason: at most 1,000.
        package var unread: [(path: [UInt8], reason: String)] = []
        /// The number of all such files.
        package var unreadCount = 0
        /// True if the search was cancelled.
        package var isCancelled = false

        mutating func add(_ path: [UInt8], reason: String) {
            unreadCount += 1
            if unread.count < 1_000 { unread.append((path, reason)) }
        }
    }

    private let needle: TextNeedle
    private let options: Options

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - text: The text, which a key, a value or a line contains.
    ///   - options: The extent.
    /// - Throws: `usage` for an empty text, or one of more than 4,096 bytes.
    package init(text: String, options: Options = Options()) throws(ExplorerError) {
        guard !text.isEmpty, text.utf8.count <= 4_096 else {
            throw ExplorerError(.usage, description: "the text to search for must have 1 to 4,096 bytes.")
        }
        needle = TextNeedle(text, ignoringCase: options.ignoresCase)
        self.options = options
    }

    /// Searches the files of a container in the order of their paths. Needs a stack of about 1 MiB.
    ///
    /// - Parameters:
    ///   - container: The container.
    ///   - index: Its index. Files that have vanished since are skipped.
    ///   - roots: The items to search with everything below them; the whole container by default.
    ///   - isCancelled: Returns true to end the search, asked often.
    ///   - progress: Receives the number of files that are done.
    ///   - found: Receives each place, after its file was read.
    /// - Returns: The counts, and what was not read.
    package func run(
        in container: Container, index: ContainerIndex, below roots: [Int] = [ContainerIndex.root],
        isCancelled: @escaping @Sendable () -> Bool = { false }, progress: (Int) -> Void = { _ in },
        found: (Hit) -> Void
    ) -> Summary {
        var summary = Summary()
        var (next, done) = (ContainerIndex.root, 0)
        for root in roots.sorted() {
            let range = index.subtree(of: root)
            guard range.upperBound > next else { continue }
            for item in max(next, range.lowerBound)..<range.upperBound where index.kind(of: item) == .file {
                guard !isCancelled() else {
                    summary.isCancelled = true
                    return summary
                }
                search(item, in: container, index: index, isCancelled: isCancelled, into: &summary, found)
                done += 1
                progress(done)
            }
            next = range.upperBound
        }
        summary.isCancelled = isCancelled()
        return summary
    }

    private func search(
        _ item: Int, in container: Container, index: ContainerIndex, isCancelled: @escaping @Sendable () -> Bool,
        into summary: inout Summary, _ found: (Hit) -> Void
    ) {
        let path = index.path(of: item)
        // Reading would make iCloud download the content.
        guard index.availability(of: item) != .evicted else {
            return summary.add(path, reason: "its content is not on this disk")
        }
        let file = SearchedFile(path, size: index[item].own.logical, in: container)
        var places = FoundPlaces(needle, options.part, most: options.hitsPerFile)
        switch file.search(options, isCancelled: isCancelled, into: &places) {
        case .searched: summary.files += 1
        case .notText: summary.otherFiles += 1
        case .vanished, .companion: return
        case .failed(let reason): summary.add(path, reason: reason)
        case .partly(let reason):
            summary.files += 1
            if !places.isFull { summary.add(path, reason: reason) }
        }
        if places.isFull {
            let most = Quantity.grouped(options.hitsPerFile)
            summary.add(path, reason: "it has more than \(most) matches; these are the first")
        }
        summary.hits += places.all.count
        for place in places.all {
            found(Hit(path: path, place: place.place, isKey: place.isKey, excerpt: place.excerpt))
        }
    }
}
