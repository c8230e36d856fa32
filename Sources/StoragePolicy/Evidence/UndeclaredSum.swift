internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// The number, size and kinds of files that nothing accounts for.
struct UndeclaredSum: Sendable {
    /// The files of one kind.
    struct Kind: Sendable {
        /// By its number in the vocabulary.
        let number: Int
        fileprivate(set) var items: Int
        fileprivate(set) var bytes: UInt64
    }

    private(set) var items = 0
    private(set) var bytes: UInt64 = 0
    /// Bytes that are proven to be re-downloadable.
    private(set) var regenerable: UInt64 = 0
    /// Bytes of files of which the input cannot tell whether they are excluded from backups.
    private(set) var uncertain: UInt64 = 0
    private(set) var kinds: [Kind] = []

    mutating func add(_ item: Item, in parent: Directory, kind: Int, _ account: FileAccount) {
        let size = item.status.size
        items += 1
        bytes = Self.sum(bytes, size)
        if account == .regenerable { regenerable = Self.sum(regenerable, size) }
        if parent.exclusion(stateOf: item) == .unknown { uncertain = Self.sum(uncertain, size) }
        add(Kind(number: kind, items: 1, bytes: size))
    }

    mutating func add(_ other: UndeclaredSum) {
        items += other.items
        bytes = Self.sum(bytes, other.bytes)
        regenerable = Self.sum(regenerable, other.regenerable)
        uncertain = Self.sum(uncertain, other.uncertain)
        for kind in other.kinds { add(kind) }
    }

    /// Takes out what was added before.
    mutating func subtract(_ other: UndeclaredSum) {
        items -= other.items
        bytes = bytes < other.bytes ? 0 : bytes - other.bytes
        regenerable = regenerable < other.regenerable ? 0 : regenerable - other.regenerable
        uncertain = uncertain < other.uncertain ? 0 : uncertain - other.uncertain
        for kind in other.kinds {
            guard let index = kinds.firstIndex(where: { $0.number == kind.number }) else { continue }
            kinds[index].items -= kind.items
            kinds[index].bytes = kinds[index].bytes < kind.bytes ? 0 : kinds[index].bytes - kind.bytes
        }
        kinds.removeAll { $0.items <= 0 }
    }

    private mutating func add(_ kind: Kind) {
        guard let index = kinds.firstIndex(where: { $0.number == kind.number }) else { return kinds.append(kind) }
        kinds[index].items += kind.items
        kinds[index].bytes = Self.sum(kinds[index].bytes, kind.bytes)
    }

    /// A file system may claim any size, so that sums saturate.
    private static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
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
