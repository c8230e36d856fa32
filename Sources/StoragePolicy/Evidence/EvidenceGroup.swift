internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// The files of one directory that have equal traits, and so one verdict.
struct EvidenceGroup: Sendable {
    /// A file of the group.
    struct File: Sendable {
        let name: [UInt8]
        let bytes: UInt64
    }

    let traits: NameTraits
    /// The number of files.
    private(set) var items = 0
    /// Their sizes added up.
    private(set) var bytes: UInt64 = 0
    /// All files, sorted by name once the directory is settled; of more than `mostFiles` the first by name.
    private(set) var files: [File] = []
    private(set) var times = TimeClusters()
    /// The oldest and the newest modification time, in seconds since 1970.
    private(set) var oldest = Int64.max
    private(set) var newest = Int64.min
    /// Files that are named one by one; of a larger group the directory is reported.
    static let mostFiles = 100

    init(traits: NameTraits) { self.traits = traits }

    mutating func add(_ name: UnsafeRawBufferPointer, _ status: FileStatus) {
        items += 1
        bytes = bytes.addingReportingOverflow(status.size).partialValue
        times.add(status.modified.seconds)
        oldest = min(oldest, status.modified.seconds)
        newest = max(newest, status.modified.seconds)
        guard items > Self.mostFiles else { return files.append(File(name: Array(name), bytes: status.size)) }
        if items == Self.mostFiles + 1 {
            settle()
            files.removeSubrange(Self.sampled...)
        }
        // Which names come first is chance, so that those are kept that are first by name.
        guard let last = files.last, name.lexicographicallyPrecedes(last.name) else { return }
        let place = files.firstIndex { name.lexicographicallyPrecedes($0.name) } ?? files.endIndex
        files.insert(File(name: Array(name), bytes: status.size), at: place)
        files.removeLast()
    }

    /// Sorts the files by name, so that the order in which they came does not show.
    mutating func settle() { files.sort { $0.name.lexicographicallyPrecedes($1.name) } }

    /// Files whose names are kept of a group that is too large to list, for looking into their content.
    private static let sampled = 8

    /// Keeps only these of the listed files.
    mutating func keep(_ kept: [File]) {
        files = kept
        items = kept.count
        bytes = kept.reduce(0) { $0.addingReportingOverflow($1.bytes).partialValue }
    }

    /// Whether every file has its name here.
    var isListed: Bool { items == files.count }
}

/// Modification times as clusters of one minute, in constant memory.
struct TimeClusters: Sendable {
    private var clusters: [(start: Int64, count: Int)] = []
    private(set) var count = 0
    private static let most = 8
    /// The time within which files count as written together, in seconds.
    static let span: Int64 = 60

    mutating func add(_ time: Int64) { add(time, 1) }

    mutating func add(_ other: TimeClusters) {
        for cluster in other.clusters { add(cluster.start, cluster.count) }
        count += other.count - other.clusters.reduce(0) { $0 + $1.count }
    }

    private mutating func add(_ time: Int64, _ number: Int) {
        count += number
        for index in clusters.indices
        where abs(clusters[index].start.subtractingReportingOverflow(time).partialValue)
            <= Self.span
        {
            clusters[index].count += number
            return
        }
        if clusters.count < Self.most { clusters.append((time, number)) }
    }

    /// The number of different times, up to a bound.
    var distinct: Int { clusters.count }

    /// The share of the files that were written within one minute, from 0 to 1.
    var largestShare: Double {
        guard count > 0 else { return 0 }
        return Double(clusters.map(\.count).max() ?? 0) / Double(count)
    }
}

/// The files of one directory that are candidates for a verdict, gathered while the directory is read.
struct DirectoryEvidence: Sendable {
    let path: [UInt8]
    let location: Location
    let exclusion: BackupExclusion
    /// Suppressions that this directory and those above it carry.
    let carried: [Suppressions.Carried]
    private(set) var groups: [EvidenceGroup] = []
    private var places: [NameTraits: Int] = [:]
    /// Whether a log-structured database engine keeps its files here.
    private(set) var isEngineDatabase = false
    /// The stems of archives in this directory, and the names of its subdirectories.
    private var archives: [[UInt8]] = []
    private var subdirectories: Set<[UInt8]> = []
    private(set) var hasSubdirectories = false
    /// The files that are no candidates: declared, excluded or known otherwise.
    private(set) var others = 0

    /// More groups of one directory are taken together as one without traits.
    private static let mostGroups = 256
    private static let mostNames = 1_000

    init(_ directory: Directory, carried: [Suppressions.Carried]) {
        path = directory.path
        location = directory.location
        exclusion = directory.exclusion
        self.carried = carried
    }

    mutating func add(_ item: Item, _ traits: NameTraits, _ vocabulary: Vocabulary) {
        var traits = traits
        if NameForm.isEngineMark(item.name) { isEngineDatabase = true }
        if vocabulary.archives.contains(Int(traits.kind)), archives.count < Self.mostNames {
            archives.append(Array(NameTraits.stem(of: item.name, Int(traits.kind), vocabulary)))
        }
        if places[traits] == nil, groups.count >= Self.mostGroups {
            traits = NameTraits(kind: UInt8(clamping: vocabulary.kinds.count - 1))
        }
        if let place = places[traits] { return groups[place].add(item.name, item.status) }
        places[traits] = groups.count
        groups.append(EvidenceGroup(traits: traits))
        groups[groups.count - 1].add(item.name, item.status)
    }

    mutating func addOther() { others += 1 }

    mutating func addSubdirectory(_ name: UnsafeRawBufferPointer) {
        hasSubdirectories = true
        if subdirectories.count < Self.mostNames { subdirectories.insert(Array(name)) }
    }

    /// The directories of which an archive lies beside or within: this directory's own path, or those of
    /// subdirectories.
    var unpacked: [[UInt8]] {
        archives.flatMap { stem -> [[UInt8]] in
            var found: [[UInt8]] = []
            if subdirectories.contains(stem) { found.append(path + [UInt8(ascii: "/")] + stem) }
            let own = path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
            if own == stem || stem == Array("bundle".utf8) && hasSubdirectories { found.append(path) }
            return found
        }
    }

    /// Whether an archive of that stem lies beside what was unpacked from it.
    func isUnpacked(_ stem: [UInt8]) -> Bool {
        subdirectories.contains(stem)
            || path.split(separator: UInt8(ascii: "/")).last.map(Array.init) == stem && (items > 1 || hasSubdirectories)
    }

    /// The number of candidates.
    var items: Int { groups.reduce(0) { $0 + $1.items } }
    /// The modification times of all candidates.
    var times: TimeClusters { groups.reduce(into: TimeClusters()) { $0.add($1.times) } }
    /// Sorts the groups, so that the order in which files came does not show.
    mutating func settle() {
        places = [:]
        for index in groups.indices { groups[index].settle() }
        groups.sort { $0.traits.order.lexicographicallyPrecedes($1.traits.order) }
    }
}

extension NameTraits {
    /// Traits without any mark but the kind.
    init(kind: UInt8) { self.kind = kind }

    /// A total order of traits.
    var order: [Int] { [Int(kind), Int(head), Int(themes), Int(shape.rawValue), Int(registryEntry)] }
}
