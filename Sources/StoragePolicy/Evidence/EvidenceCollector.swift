internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// Gathers the candidates of one directory while it is read.
struct EvidenceCollector {
    private(set) var directory: DirectoryEvidence
    /// All files by the hour in which they were modified.
    private(set) var hours = TimeClusters(width: 3_600, most: 1_024)
    /// The sum of the files that neither a rule nor the configuration accounts for.
    private(set) var undeclared = UndeclaredSum()

    init(_ directory: Directory, carried: [Suppressions.Carried]) {
        self.directory = DirectoryEvidence(directory, carried: carried)
    }

    mutating func addSubdirectory(_ item: Item) { directory.addSubdirectory(item.name) }

    mutating func add(_ item: Item, in parent: Directory, _ context: DirectoryContext, _ policy: Policy) {
        guard item.status.isFile, let vocabulary = policy.model?.vocabulary else { return }
        hours.add(item.status.modified.seconds)
        let account = FileAccount(of: item, in: parent, context, policy)
        guard case .candidate(let entry) = account else {
            if account.counts(onFreshInstall: policy.isFreshInstall) {
                undeclared.add(item, in: parent, kind: vocabulary.kind(of: item.name), account)
            }
            note(account, nil, item, in: parent, policy)
            return
        }
        var traits = NameTraits(item.name, vocabulary)
        traits.registryEntry = entry
        undeclared.add(item, in: parent, kind: Int(traits.kind), account)
        note(account, traits, item, in: parent, policy)
        directory.add(item, traits, vocabulary)
    }

    /// Keeps what is known of the file that a run explains.
    private func note(
        _ account: FileAccount, _ traits: NameTraits?, _ item: Item, in parent: Directory, _ policy: Policy
    ) {
        guard let trace = policy.trace, trace.path == parent.path(of: item) else { return }
        trace.note(account, traits)
    }
}
