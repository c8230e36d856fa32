internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// The files of a container that nothing accounts for, added up by directory in bounded memory.
///
/// Sums are kept for each location and for the first two path components below it. A directory with more than
/// `mostChildren` children keeps its own sum only, which does not depend on the order in which they come. The sum of a
/// location is exact in any case.
final class UndeclaredAccumulator: Sendable {
    private let roots = LockedValue<[Location: UndeclaredNode]>([:])

    func add(_ sum: UndeclaredSum, in directory: Directory) {
        guard sum.items > 0 || sum.others > 0 else { return }
        let components = Self.components(of: directory.path, below: directory.location)
        roots.withLock { $0[directory.location, default: UndeclaredNode()].add(sum, at: components[...]) }
    }

    /// Adds a verdict to the sums of the directories that hold its files.
    func weigh(_ verdict: Verdict, of group: EvidenceGroup, in directory: DirectoryEvidence) {
        let components = Self.components(of: directory.path, below: directory.location)
        roots.withLock { $0[directory.location]?.weigh(verdict, bytes: group.bytes, at: components[...]) }
    }

    /// Counts files that are a part of a database with proof as decided.
    func decide(_ group: EvidenceGroup, in directory: DirectoryEvidence) {
        let components = Self.components(of: directory.path, below: directory.location)
        roots.withLock { $0[directory.location]?.decide(group.bytes, at: components[...]) }
    }

    /// The bytes of files that neither proof nor evidence decides.
    var undecidedBytes: UInt64 { roots.withLock { $0.values.reduce(0) { $0.addingSaturated($1.undecided) } } }

    /// Returns the sums of the locations for which `isIncluded` returns true, in the order of their paths.
    func removeAll(_ isIncluded: (Location) -> Bool) -> [(location: Location, node: UndeclaredNode)] {
        roots.withLock { roots in
            roots.filter { isIncluded($0.key) }.sorted { $0.key.path < $1.key.path }.map { ($0.key, $0.value) }
        }
    }

    private static func components(of path: [UInt8], below location: Location) -> [[UInt8]] {
        let slash = UInt8(ascii: "/")
        let rest = path.dropFirst(location.path.isEmpty ? 0 : location.path.utf8.count + 1)
        return rest.split(separator: slash, maxSplits: UndeclaredNode.depth).prefix(UndeclaredNode.depth)
            .map(Array.init)
    }
}

/// The undeclared files of a directory and of those below it.
struct UndeclaredNode: Sendable {
    /// The number of path components below a location that have their own sums.
    static let depth = 2
    static let mostChildren = 128

    private(set) var sum = UndeclaredSum()
    private(set) var children: [[UInt8]: UndeclaredNode] = [:]
    /// True if it has too many children to have separate sums.
    private(set) var isFull = false
    /// Bytes whose evidence was weighed, and the same times their probability.
    private(set) var weighed = 0.0
    /// Bytes of groups of files whose verdict is certain.
    private var decided: UInt64 = 0
    private(set) var expected = 0.0
    /// The least and the greatest probability of a group of files; nil where nothing was weighed.
    private(set) var range: ClosedRange<Double>?
    private var ownRange: ClosedRange<Double>?
    /// The verdict on the largest group of files.
    private(set) var leading: (bytes: UInt64, verdict: Verdict)?
    /// The same of the files directly in the directory.
    private var ownLeading: (bytes: UInt64, verdict: Verdict)?

    fileprivate mutating func add(_ more: UndeclaredSum, at components: ArraySlice<[UInt8]>) {
        sum.add(more)
        guard let name = components.first, !isFull else { return }
        if children[name] == nil, children.count >= Self.mostChildren {
            children = [:]
            isFull = true
            return
        }
        children[name, default: UndeclaredNode()].add(more, at: components.dropFirst())
    }

    fileprivate mutating func weigh(_ verdict: Verdict, bytes: UInt64, at components: ArraySlice<[UInt8]>) {
        weighed += Double(bytes)
        expected += Double(bytes) * verdict.probability
        if verdict.itemClass != .undecided { decided = decided.addingSaturated(bytes) }
        if leading.map({ bytes > $0.bytes }) ?? true { leading = (bytes, verdict) }
        range = range.extended(to: verdict.probability)
        guard let name = components.first else {
            ownRange = ownRange.extended(to: verdict.probability)
            if ownLeading.map({ bytes > $0.bytes }) ?? true { ownLeading = (bytes, verdict) }
            return
        }
        children[name]?.weigh(verdict, bytes: bytes, at: components.dropFirst())
    }

    fileprivate mutating func decide(_ bytes: UInt64, at components: ArraySlice<[UInt8]>) {
        decided = decided.addingSaturated(bytes)
        if let name = components.first { children[name]?.decide(bytes, at: components.dropFirst()) }
    }

    /// The files directly in the directory: all without those of its children.
    var own: UndeclaredNode {
        var own = self
        own.children = [:]
        own.leading = ownLeading
        own.range = ownRange
        for child in children.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }).map(\.value) {
            own.sum.subtract(child.sum)
            own.weighed -= child.weighed
            own.expected -= child.expected
        }
        return own
    }

    /// The word of the configuration that is true of all files, by proof or by evidence of at least 0.9; nil if they differ, or
    /// if the evidence does not decide.
    var certainWord: Configuration.Word? {
        let certain = ItemVerdict.certain
        let isProven = sum.regenerable > 0
        guard sum.unweighed == 0 else { return nil }
        if sum.others == 0, range?.lowerBound ?? (isProven ? 1 : 0) >= certain { return .downloaded }
        return !isProven && range?.upperBound ?? 1 <= 1 - certain ? .userData : nil
    }

    /// Bytes that neither proof nor evidence decides.
    var undecided: UInt64 { sum.bytes - min(sum.bytes, sum.regenerable.addingSaturated(decided)) }

    /// The share of the bytes that is re-downloadable by the weight of the evidence, from 0 to 1; nil where nothing
    /// was weighed.
    var probability: Double? {
        let proven = Double(sum.regenerable)
        let known = weighed + proven
        guard known >= 1 else { return leading?.verdict.probability }
        return min(1, max(0, (expected + proven) / known))
    }
}

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
    /// The number of files that are known not to be re-downloadable, and so not counted otherwise.
    private(set) var others = 0

    /// The number of files of which neither proof nor evidence says what they are.
    private(set) var unweighed = 0

    /// Counts a file that is known not to be re-downloadable.
    mutating func addOther() { others += 1 }

    mutating func add(_ item: Item, in parent: Directory, kind: Int, account: FileAccount) {
        var own = ItemSum()
        own.add(bytes: item.status.size)
        sum.add(own)
        if account == .fetched || account == .part { unweighed += 1 }
        if account == .regenerable { regenerable = regenerable.addingSaturated(own.bytes) }
        if parent.exclusion(stateOf: item) == .unknown { uncertain = uncertain.addingSaturated(own.bytes) }
        add(Kind(number: kind, sum: own))
    }

    mutating func add(_ other: UndeclaredSum) {
        sum.add(other.sum)
        others += other.others
        unweighed += other.unweighed
        regenerable = regenerable.addingSaturated(other.regenerable)
        uncertain = uncertain.addingSaturated(other.uncertain)
        for kind in other.kinds { add(kind) }
    }

    /// Subtracts a part that was added before.
    mutating func subtract(_ part: UndeclaredSum) {
        sum.subtract(part.sum)
        others -= part.others
        unweighed -= part.unweighed
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
        case .candidate, .regenerable, .fetched, .part: true
        case .excluded, .system, .ignored: false
        case .declared, .userData: isFreshInstall
        }
    }
}

extension ClosedRange<Double>? {
    fileprivate func extended(to value: Double) -> Self {
        map { min($0.lowerBound, value)...max($0.upperBound, value) } ?? value...value
    }
}
