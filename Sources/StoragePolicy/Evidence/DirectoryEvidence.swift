internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import PolicyTexts

/// The files of one directory that are candidates for a verdict, gathered while the directory is read.
struct DirectoryEvidence: Sendable {
    let path: [UInt8]
    let location: Location
    let exclusion: BackupExclusion
    /// Suppressions that this directory and those above it carry.
    let carried: [CarriedSuppression]
    private(set) var groups: [EvidenceGroup] = []
    /// The traits of each group. There are few, so that a search is faster than a hash table.
    private var keys: [NameTraits] = []
    /// True if there were too many groups, so that files are grouped only by their kind.
    private var isCoarse = false
    /// True if a log-structured database engine keeps its files here.
    private(set) var isEngineDatabase = false
    /// The stems of archives, and the names of subdirectories; nil where there are too many to compare.
    private var archives: Set<[UInt8]>? = []
    private var subdirectories: Set<[UInt8]>? = []
    private(set) var hasSubdirectories = false
    /// True if a repository of a version control system begins here.
    private(set) var isRepository = false
    /// The stems of archives beside which their unpacked copy lies.
    private(set) var unpackedStems: Set<[UInt8]> = []
    /// The directories that were unpacked from an archive of this directory.
    private(set) var unpacked: [[UInt8]] = []

    /// The possible paths of the database that keeps a part of its data here.
    let databases: [[UInt8]]
    /// Databases whose class is decided without evidence.
    private(set) var decidedDatabases: Set<[UInt8]> = []

    private static let mostGroups = 256
    private static let mostDatabases = 256
    private static let mostNames = 4_096
    private static let bundle = Array("bundle".utf8)

    init(_ directory: Directory, carried: [CarriedSuppression]) {
        path = directory.path
        location = directory.location
        exclusion = directory.exclusion
        self.carried = carried
        databases = OwningDatabase.paths(ofDirectory: directory.path)
    }

    mutating func add(_ item: Item, traits: NameTraits, vocabulary: Vocabulary) {
        if NameForm.isEngineMark(item.name) { isEngineDatabase = true }
        if vocabulary.archives.contains(Int(traits.kind)) {
            archives?.insert(Array(NameTraits.stem(of: item.name, Int(traits.kind), vocabulary: vocabulary)))
            if archives?.count ?? 0 > Self.mostNames { archives = nil }
        }
        let traits = isCoarse ? NameTraits(kind: traits.kind) : traits
        groups[index(of: traits)].add(item.name, status: item.status)
        if groups.count > Self.mostGroups { makeCoarse() }
    }

    /// Adds a part of a database with these traits.
    mutating func addPart(_ item: Item, of database: Item, traits: NameTraits) {
        let traits = isCoarse ? NameTraits(kind: traits.kind) : traits
        groups[index(of: traits)].addPart(item.name, bytes: item.status.size, of: database.name)
    }

    /// Adds a database whose class is decided without evidence.
    mutating func addDecided(_ item: Item) {
        if decidedDatabases.count < Self.mostDatabases { decidedDatabases.insert(path(of: Array(item.name))) }
    }

    private mutating func index(of traits: NameTraits) -> Int {
        if let index = keys.firstIndex(where: { $0.isSame(as: traits) }) { return index }
        keys.append(traits)
        groups.append(EvidenceGroup(traits: traits))
        return groups.count - 1
    }

    private mutating func makeCoarse() {
        let fine = groups
        (groups, keys, isCoarse) = ([], [], true)
        for group in fine { groups[index(of: NameTraits(kind: group.traits.kind))].add(group) }
    }

    mutating func addSubdirectory(_ name: UnsafeRawBufferPointer) {
        hasSubdirectories = true
        if name.first == UInt8(ascii: "."),
            DirectoryStructure.repositories.contains(where: { name.elementsEqual($0.utf8) })
        {
            isRepository = true
        }
        subdirectories?.insert(Array(name))
        if subdirectories?.count ?? 0 > Self.mostNames { subdirectories = nil }
    }

    /// Makes the record independent of the order in which files came, and drops what is needed only while they come.
    mutating func finish() {
        for index in groups.indices { groups[index].sort() }
        groups.sort { $0.traits.order.lexicographicallyPrecedes($1.traits.order) }
        let own = path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
        let hasMore = groups.reduce(0) { $0 + $1.items } > 1 || hasSubdirectories
        for stem in archives?.sorted(by: { $0.lexicographicallyPrecedes($1) }) ?? [] {
            let isBeside = subdirectories?.contains(stem) ?? false
            if isBeside { unpacked.append(path(of: stem)) }
            if own == stem || stem == Self.bundle && hasSubdirectories { unpacked.append(path) }
            if isBeside || own == stem && hasMore { unpackedStems.insert(stem) }
        }
        (keys, archives, subdirectories) = ([], nil, nil)
    }

    /// Keeps only the first names of each group.
    mutating func shorten() { for index in groups.indices { groups[index].shorten() } }

    /// The path of what has this name in the directory.
    func path(of name: [UInt8]) -> [UInt8] { path.isEmpty ? name : path + [UInt8(ascii: "/")] + name }

    /// The modification times of all candidates.
    var times: TimeClusters { groups.reduce(into: TimeClusters()) { $0.add($1.times) } }

    /// The memory that the record takes, roughly, in bytes.
    var footprint: Int {
        groups.reduce(path.count + 300) { $0 + $1.footprint }
            + (Array(unpackedStems) + unpacked + Array(decidedDatabases)).reduce(0) { $0 + $1.count + 48 }
    }
}

extension NameTraits {
    /// Equality that is inlined: each file is compared with the groups of its directory, and the `==` of another module
    /// is a call.
    @inline(__always)
    fileprivate func isSame(as other: NameTraits) -> Bool {
        kind == other.kind && head == other.head && themes == other.themes && shape.rawValue == other.shape.rawValue
            && registryEntry == other.registryEntry
    }
}
