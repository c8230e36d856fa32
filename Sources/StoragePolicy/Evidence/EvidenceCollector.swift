internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// Gathers the candidates of one directory while it is read.
struct EvidenceCollector {
    private(set) var directory: DirectoryEvidence
    /// All files by the hour in which they were modified.
    private(set) var hours = TimeClusters(width: 3_600, most: 1_024)

    init(_ directory: Directory, carried: [Suppressions.Carried]) {
        self.directory = DirectoryEvidence(directory, carried: carried)
    }

    mutating func addSubdirectory(_ item: Item) { directory.addSubdirectory(item.name) }

    mutating func add(_ item: Item, in place: Directory, _ context: LintPlace, _ policy: Policy) {
        guard item.status.isFile, let vocabulary = policy.model?.vocabulary else { return }
        hours.add(item.status.modified.seconds)
        guard item.marks.isEmpty, !Self.isProven(item), !isDeclared(item, in: place, policy) else { return }
        var traits = NameTraits(item.name, vocabulary)
        if let entry = entry(of: item, context, policy) {
            guard let entry else { return }
            traits.registryEntry = entry
        }
        directory.add(item, traits, vocabulary)
    }

    /// Whether an attribute says who made the file, so that other rules judge it by proof.
    private static func isProven(_ item: Item) -> Bool {
        !item.attributes.isEmpty && item.attributes.contains(where: proofs.contains)
    }

    private static let proofs: Set<String> = [
        Provenance.makerAttribute, Provenance.originAttribute, FetchedByAppTest.quarantine,
    ]

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
