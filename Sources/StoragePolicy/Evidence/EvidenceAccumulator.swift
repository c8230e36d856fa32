internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// The candidates of a whole container, in bounded memory.
///
/// If the names of all files exceed the limit, only the first of each group are kept. Names that exceed it even so are
/// dropped from the end of the sorted paths, so that the result does not depend on the order in which directories were
/// read. Dropped directories are counted, and the report names that some were not weighed.
final class EvidenceAccumulator: Sendable {
    private struct Kept {
        var directories: [DirectoryEvidence] = []
        var size = 0
        /// True if only the first names of each group are kept.
        var isShort = false
        /// The first path of those that were dropped; nothing from it on is kept.
        var firstDropped: [UInt8]?
        var dropped = 0
        /// Files by the hour in which they were modified.
        var hours = TimeClusters(width: 3_600, most: 1_024)
    }
    private let kept = LockedValue(Kept())
    /// The most bytes of names and records, roughly.
    private let limit: Int

    init(limit: Int = 4 << 20) { self.limit = limit }

    func add(_ directory: DirectoryEvidence, hours: TimeClusters) {
        var directory = directory
        directory.settle()
        kept.withLock { kept in
            kept.hours.add(hours)
            guard !directory.groups.isEmpty || !directory.decidedDatabases.isEmpty else { return }
            if let first = kept.firstDropped, !directory.path.lexicographicallyPrecedes(first) {
                kept.dropped += 1
                return
            }
            if kept.isShort { directory.shorten() }
            kept.size += directory.footprint
            kept.directories.append(directory)
            if !kept.isShort, kept.size > limit { Self.shorten(&kept) }
            if kept.size > limit + limit / 2 { Self.trim(&kept, to: limit) }
        }
    }

    /// The candidates by path, whether most files share one hour, and the number of directories that were dropped.
    func take() -> (directories: [DirectoryEvidence], isFlat: Bool, dropped: Int) {
        kept.withLock { kept in
            Self.trim(&kept, to: limit)
            defer { kept.directories = [] }
            return (kept.directories, kept.hours.fullestShare > 0.5, kept.dropped)
        }
    }

    private static func shorten(_ kept: inout Kept) {
        kept.isShort = true
        for index in kept.directories.indices { kept.directories[index].shorten() }
        kept.size = kept.directories.reduce(0) { $0 + $1.footprint }
    }

    private static func trim(_ kept: inout Kept, to limit: Int) {
        kept.directories.sort { $0.path.lexicographicallyPrecedes($1.path) }
        while kept.size > limit, let last = kept.directories.popLast() {
            kept.size -= last.footprint
            kept.firstDropped = last.path
            kept.dropped += 1
        }
    }
}

/// Gathers the candidates of one directory while it is read.
struct EvidenceCollector {
    private(set) var directory: DirectoryEvidence
    /// All files by the hour in which they were modified.
    private(set) var hours = TimeClusters(width: 3_600, most: 1_024)
    /// The files that nothing accounts for.
    private(set) var undeclared = UndeclaredSum()

    init(_ directory: Directory, carried: [Suppressions.Carried]) {
        self.directory = DirectoryEvidence(directory, carried: carried)
    }

    mutating func addSubdirectory(_ item: Item) { directory.addSubdirectory(item.name) }

    /// Adds an item of the directory.
    ///
    /// - Returns: What accounts for a file; nil for another item.
    mutating func add(
        _ item: Item, _ name: ScannedName, _ itemTraits: ItemTraits, among items: DirectoryItems,
        _ context: DirectoryContext, _ policy: Policy
    ) -> FileAccount? {
        // No backup takes the content of an evicted file.
        guard item.status.isFile, !itemTraits.contains(.evicted), let vocabulary = policy.model?.vocabulary else {
            return nil
        }
        let parent = items.directory
        hours.add(item.status.modified.seconds)
        if let database = Self.database(of: item, among: items) {
            return addPart(item, of: database, in: parent, context, policy, vocabulary)
        }
        let account = FileAccount(
            of: item, isRegistered: itemTraits.contains(.registered), in: parent, context, policy)
        let kind = vocabulary.kind(of: name.bytes, pathExtension: name.pathExtension)
        guard case .candidate(let entry) = account else {
            count(item, kind, account, in: parent, policy)
            if account.isDecided, OwningDatabase.mayOwnDirectory(item.name) { directory.addDecided(item) }
            note(account, nil, item, in: parent, policy)
            return account
        }
        var traits = NameTraits(name.bytes, kind: kind, vocabulary)
        traits.registryEntry = entry
        undeclared.add(item, in: parent, kind: kind, account)
        note(account, traits, item, in: parent, policy)
        directory.add(item, traits, vocabulary)
        return account
    }

    /// Adds a part of a database, which is judged with it.
    private mutating func addPart(
        _ item: Item, of database: Item, in parent: Directory, _ context: DirectoryContext, _ policy: Policy,
        _ vocabulary: Vocabulary
    ) -> FileAccount {
        let isExcluded = !item.marks.isEmpty
        note(isExcluded ? .excluded : .part, nil, item, in: parent, policy)
        guard !isExcluded else { return .excluded }
        let account = FileAccount(
            of: database, isRegistered: context.isRegistered(database), in: parent, context, policy)
        let kind = vocabulary.kind(of: database.name)
        guard case .candidate(let entry) = account else {
            let own = account == .excluded ? .part : account
            count(item, kind, own, in: parent, policy)
            return own
        }
        var traits = NameTraits(database.name, kind: kind, vocabulary)
        traits.registryEntry = entry
        undeclared.add(item, in: parent, kind: kind, account)
        directory.addPart(item, of: database, traits)
        return account
    }

    /// Counts a file that is no candidate.
    private mutating func count(
        _ item: Item, _ kind: Int, _ account: FileAccount, in parent: Directory, _ policy: Policy
    ) {
        if account.counts(onFreshInstall: policy.isFreshInstall) {
            undeclared.add(item, in: parent, kind: kind, account)
        } else if account != .excluded {
            undeclared.addOther()
        }
    }

    /// Returns the database that a file is a part of; nil for other files, and where they are not in the same part of a
    /// large directory.
    private static func database(of item: Item, among items: DirectoryItems) -> Item? {
        for name in OwningDatabase.names(ofPart: item.name) {
            if let database = items.item(named: name), database.status.isFile { return database }
        }
        return nil
    }

    /// Tells the observer what is known of a file.
    private func note(
        _ account: FileAccount, _ traits: NameTraits?, _ item: Item, in parent: Directory, _ policy: Policy
    ) {
        guard let observer = policy.observer, observer.observedItems.contains(parent.path(of: item)) else { return }
        observer.observe(account, traits, of: parent.path(of: item))
    }
}
