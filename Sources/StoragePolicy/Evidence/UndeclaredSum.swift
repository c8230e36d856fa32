internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// The number, size and kinds of files that nothing accounts for.
struct UndeclaredSum: Sendable {
    /// The files of one kind.
    struct Kind: Sendable {
        /// By its number in the vocabulary.
        let number: Int
        fileprivate var sum: ItemSum
        var items: Int { sum.items }
        var bytes: UInt64 { sum.bytes }
    }

    private var sum = ItemSum()
    var items: Int { sum.items }
    var bytes: UInt64 { sum.bytes }
    /// Bytes that are proven to be re-downloadable.
    private(set) var regenerable: UInt64 = 0
    /// Bytes of files of which the input cannot tell whether they are excluded from backups.
    private(set) var uncertain: UInt64 = 0
    private(set) var kinds: [Kind] = []

    mutating func add(_ item: Item, in parent: Directory, kind: Int, _ account: FileAccount) {
        var own = ItemSum()
        own.add(bytes: item.status.size)
        sum.add(own)
        if account == .regenerable { regenerable = regenerable.addingSaturated(own.bytes) }
        if parent.exclusion(stateOf: item) == .unknown { uncertain = uncertain.addingSaturated(own.bytes) }
        add(Kind(number: kind, sum: own))
    }

    mutating func add(_ other: UndeclaredSum) {
        sum.add(other.sum)
        regenerable = regenerable.addingSaturated(other.regenerable)
        uncertain = uncertain.addingSaturated(other.uncertain)
        for kind in other.kinds { add(kind) }
    }

    /// Subtracts a part that was added before.
    mutating func subtract(_ part: UndeclaredSum) {
        sum.subtract(part.sum)
        regenerable -= min(regenerable, part.regenerable)
        uncertain -= min(uncertain, part.uncertain)
        for kind in part.kinds {
            guard let index = kinds.firstIndex(where: { $0.number == kind.number }) else { continue }
            kinds[index].sum.subtract(kind.sum)
        }
        kinds.removeAll { $0.items <= 0 }
    }

    private mutating func add(_ kind: Kind) {
        guard let index = kinds.firstIndex(where: { $0.number == kind.number }) else { return kinds.append(kind) }
        kinds[index].sum.add(kind.sum)
    }
}

extension FileAccount {
    /// Returns true if a file counts as undeclared. Directly after installation nothing is user data, and all that a
    /// backup takes counts, as in App Review.
    func counts(onFreshInstall isFreshInstall: Bool) -> Bool {
        switch self {
        case .candidate, .regenerable: true
        case .excluded, .system, .ignored: false
        case .declared, .userData: isFreshInstall
        }
    }
}
