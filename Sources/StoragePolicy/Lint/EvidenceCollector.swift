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
        _ item: Item, _ name: ScannedName, _ itemTraits: ItemTraits, among items: DirectoryItems,
        _ context: DirectoryContext, _ state: RunState
    ) -> FileAccount? {
        // No backup takes the content of an evicted file.
        guard item.status.isFile, !itemTraits.contains(.evicted), let vocabulary = state.run.model?.vocabulary else {
            return nil
        }
        let parent = items.directory
        hours.add(item.status.modified.seconds)
        if let database = Self.database(of: item, among: items) {
            return addPart(item, of: database, in: parent, context, state, vocabulary)
        }
        let account = FileAccount(
            of: item, isRegistered: itemTraits.contains(.registered), in: parent, context, state.run)
        let kind = vocabulary.kind(of: name.bytes, pathExtension: name.pathExtension)
        guard case .candidate(let entry) = account else {
            count(item, kind, account, in: parent, state)
            if account.isDecided, OwningDatabase.mayOwnDirectory(item.name) { directory.addDecided(item) }
            note(account, nil, item, in: parent, state)
            return account
        }
        var traits = NameTraits(name.bytes, kind: kind, vocabulary)
        traits.registryEntry = entry
        undeclared.add(item, in: parent, kind: kind, account)
        note(account, traits, item, in: parent, state)
        directory.add(item, traits, vocabulary)
        return account
    }

    /// Adds a part of a database, which is judged with it.
    private mutating func addPart(
        _ item: Item, of database: Item, in parent: Directory, _ context: DirectoryContext, _ state: RunState,
        _ vocabulary: Vocabulary
    ) -> FileAccount {
        let isExcluded = !item.marks.isEmpty
        note(isExcluded ? .excluded : .part, nil, item, in: parent, state)
        guard !isExcluded else { return .excluded }
        let account = FileAccount(
            of: database, isRegistered: context.isRegistered(database), in: parent, context, state.run)
        let kind = vocabulary.kind(of: database.name)
        guard case .candidate(let entry) = account else {
            let own = account == .excluded ? .part : account
            count(item, kind, own, in: parent, state)
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
        _ item: Item, _ kind: Int, _ account: FileAccount, in parent: Directory, _ state: RunState
    ) {
        if account.counts(onFreshInstall: state.run.isFreshInstall) {
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
        _ account: FileAccount, _ traits: NameTraits?, _ item: Item, in parent: Directory, _ state: RunState
    ) {
        guard let observer = state.observer, observer.observedItems.contains(parent.path(of: item)) else { return }
        observer.observe(account, traits, of: parent.path(of: item))
    }
}
