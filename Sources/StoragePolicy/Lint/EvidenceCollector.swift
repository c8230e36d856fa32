internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import PolicyTexts

/// Gathers the candidates of one directory while it is read.
struct EvidenceCollector {
    private(set) var directory: DirectoryEvidence
    /// All files by the hour in which they were modified.
    private(set) var hours = TimeClusters(width: 3_600, most: 1_024)
    /// The files that nothing accounts for.
    private(set) var undeclared = UndeclaredSum()

    init(_ directory: Directory, carried: [CarriedSuppression]) {
        self.directory = DirectoryEvidence(directory, carried: carried)
    }

    mutating func addSubdirectory(_ item: Item) { directory.addSubdirectory(item.name) }

    /// Adds an item of the directory.
    ///
    /// - Returns: What accounts for a file; nil for another item.
    mutating func add(
        _ item: Item, name: ScannedName, itemTraits: ItemTraits, among items: DirectoryItems,
        context: DirectoryContext, state: RunState
    ) -> FileAccount? {
        // No backup takes the content of an evicted file.
        guard item.status.isFile, !itemTraits.contains(.evicted), let vocabulary = state.run.model?.vocabulary else {
            return nil
        }
        let parent = items.directory
        hours.add(item.status.modified.seconds)
        if let database = Self.database(of: item, among: items) {
            return addPart(item, of: database, in: parent, context: context, state: state, vocabulary: vocabulary)
        }
        let account = FileAccount(
            of: item, isRegistered: itemTraits.contains(.registered), in: parent, context, run: state.run)
        let kind = vocabulary.kind(of: name.bytes, pathExtension: name.pathExtension)
        guard case .candidate(let entry) = account else {
            count(item, kind: kind, account: account, in: parent, state: state)
            if account.isDecided, OwningDatabase.mayOwnDirectory(item.name) { directory.addDecided(item) }
            record(account, traits: nil, item: item, in: parent, state: state)
            return account
        }
        var traits = NameTraits(name.bytes, kind: kind, vocabulary: vocabulary)
        traits.registryEntry = entry
        undeclared.add(item, in: parent, kind: kind, account: account)
        record(account, traits: traits, item: item, in: parent, state: state)
        directory.add(item, traits: traits, vocabulary: vocabulary)
        return account
    }

    /// Adds a part of a database, which is judged with it.
    private mutating func addPart(
        _ item: Item, of database: Item, in parent: Directory, context: DirectoryContext, state: RunState,
        vocabulary: Vocabulary
    ) -> FileAccount {
        let isExcluded = !item.marks.isEmpty
        record(isExcluded ? .excluded : .part, traits: nil, item: item, in: parent, state: state)
        guard !isExcluded else { return .excluded }
        let account = FileAccount(
            of: database, isRegistered: context.isRegistered(database), in: parent, context, run: state.run)
        let kind = vocabulary.kind(of: database.name)
        guard case .candidate(let entry) = account else {
            let own = account == .excluded ? .part : account
            count(item, kind: kind, account: own, in: parent, state: state)
            return own
        }
        var traits = NameTraits(database.name, kind: kind, vocabulary: vocabulary)
        traits.registryEntry = entry
        undeclared.add(item, in: parent, kind: kind, account: account)
        directory.addPart(item, of: database, traits: traits)
        return account
    }

    /// Counts a file that is no candidate.
    private mutating func count(
        _ item: Item, kind: Int, account: FileAccount, in parent: Directory, state: RunState
    ) {
        if account.counts(onFreshInstall: state.run.isFreshInstall) {
            undeclared.add(item, in: parent, kind: kind, account: account)
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
    private func record(
        _ account: FileAccount, traits: NameTraits?, item: Item, in parent: Directory, state: RunState
    ) {
        guard let observer = state.observer, observer.observedItems.contains(parent.path(of: item)) else { return }
        observer.observe(account, traits: traits, of: parent.path(of: item))
    }
}
