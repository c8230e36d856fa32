internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// Gathers the candidates of one directory while it is read.
struct EvidenceCollector {
    private(set) var directory: DirectoryEvidence
    /// Files by the hour in which they were modified.
    private(set) var hours: [Int64: Int] = [:]
    private var lastHour: (hour: Int64, count: Int) = (.min, 0)

    init(_ directory: Directory, carried: [Suppressions.Carried]) {
        self.directory = DirectoryEvidence(directory, carried: carried)
    }

    mutating func addSubdirectory(_ item: Item) { directory.addSubdirectory(item.name) }

    mutating func add(_ item: Item, in place: Directory, _ context: LintPlace, _ policy: Policy) {
        guard item.status.isFile, let vocabulary = policy.model?.vocabulary else { return }
        hours[item.status.modified.seconds / 3600, default: 0] += 1
        guard item.marks.isEmpty, !isDeclared(item, in: place, policy) else { return directory.addOther() }
        var traits = NameTraits(item.name, vocabulary)
        if let entry = entry(of: item, context, policy) {
            guard let entry else { return directory.addOther() }
            traits.registryEntry = entry
        }
        directory.add(item, traits, vocabulary)
    }

    /// Whether the configuration says what the file is, so that nothing is left to judge.
    private func isDeclared(_ item: Item, in place: Directory, _ policy: Policy) -> Bool {
        let configuration = policy.configuration
        guard configuration.says(Self.deciding) else { return false }
        let path = place.path(of: item)
        return Self.deciding.contains { configuration.declares(path, $0) }
    }

    private static let deciding: [Configuration.Word] = [.userData, .mustInclude, .ignore, .downloaded, .caches]

    /// The registry entry that bears on a file; the inner nil where the registry proves what it is.
    private func entry(of item: Item, _ context: LintPlace, _ policy: Policy) -> Int32?? {
        let matches = context.registry.matches(item.name, isDirectory: false)
        guard let first = matches.first else { return nil }
        let entries = policy.registry.entries
        if matches.contains(where: { entries[$0].isProof }) { return .some(nil) }
        let kept = matches.first { entries[$0].isKept }
        return .some(Int32(clamping: kept ?? first))
    }
}

extension RegistryEntry {
    /// Whether a public source shows what lies there.
    var isProof: Bool { verified != .layouts }
    /// Whether losing it would cost the user something.
    var isKept: Bool { holds == .userData || holds == .deviceBound || holds == .companion }
}
