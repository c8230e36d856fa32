internal import ContainerTree
internal import FileSystem
internal import PolicyTexts

/// The files of one directory that have equal traits, and so one verdict.
struct EvidenceGroup: Sendable {
    /// A file of the group.
    struct File: Sendable {
        let name: [UInt8]
        let bytes: UInt64
        /// The files that belong to a database: its log, and others beside it.
        fileprivate(set) var parts: [Part] = []

        /// The file itself and its parts.
        var all: [Part] { [Part(name: name, bytes: bytes)] + parts }
    }
    /// A file by its name and size.
    struct Part: Sendable {
        let name: [UInt8]
        let bytes: UInt64
    }

    let traits: NameTraits
    private var sum = ItemSum()
    /// The number of files, without the parts of databases.
    var items: Int { sum.items }
    /// The parts of databases, until they are with their files.
    private var loose: [(database: [UInt8], part: Part)] = []
    private var partSum = ItemSum()
    /// The number of files with the parts of databases.
    var allItems: Int { sum.items + partSum.items }
    /// The bytes of all files with the parts of databases.
    var bytes: UInt64 { sum.bytes.addingSaturated(partSum.bytes) }
    /// All files, or the first `sampled` by name of a group that has more than `mostFiles`.
    private(set) var files: [File] = []
    private(set) var times = TimeClusters()
    /// The oldest and the newest modification time, in seconds since 1970.
    private(set) var oldest = Int64.max
    private(set) var newest = Int64.min
    /// Files that are named one by one; of a larger group the directory is reported.
    static let mostFiles = 100
    /// Files whose names are kept of a larger group, for looking into their content.
    static let sampled = 8

    init(traits: NameTraits) { self.traits = traits }

    mutating func add(_ name: UnsafeRawBufferPointer, status: FileStatus) {
        let isListed = isListed
        sum.add(bytes: status.size)
        times.add(status.modified.seconds)
        oldest = min(oldest, status.modified.seconds)
        newest = max(newest, status.modified.seconds)
        if isListed {
            files.append(File(name: Array(name), bytes: status.size))
            if items > Self.mostFiles { sample() }
        } else if let last = files.last, last.name.withUnsafeBytes(name.precedes) {
            files.removeLast()
            let place = files.firstIndex { $0.name.withUnsafeBytes(name.precedes) } ?? files.count
            files.insert(File(name: Array(name), bytes: status.size), at: place)
        }
    }

    /// Adds a part of a database of the group. They are named one by one where the files are.
    mutating func addPart(_ name: UnsafeRawBufferPointer, bytes: UInt64, of database: UnsafeRawBufferPointer) {
        partSum.add(bytes: bytes)
        guard partSum.items <= 3 * Self.mostFiles else { return loose = [] }
        loose.append((Array(database), Part(name: Array(name), bytes: bytes)))
    }

    /// Adds the files of another group of the same directory.
    mutating func add(_ other: EvidenceGroup) {
        let isListed = isListed && other.isListed
        sum.add(other.sum)
        partSum.add(other.partSum)
        loose = partSum.items <= 3 * Self.mostFiles ? loose + other.loose : []
        times.add(other.times)
        (oldest, newest) = (min(oldest, other.oldest), max(newest, other.newest))
        files += other.files
        if !isListed || items > Self.mostFiles { sample() }
    }

    /// Keeps only the first names, so that the directory is reported in place of each file.
    mutating func shorten() { if files.count > Self.sampled { sample() } }

    private mutating func sample() {
        sort()
        files.removeLast(max(0, files.count - Self.sampled))
    }

    /// Puts the files into the order of their names, each with its parts.
    mutating func sort() {
        files.sort { $0.name.precedes($1.name) }
        guard isListed, !loose.isEmpty else { return }
        let parts = Dictionary(grouping: loose, by: \.database)
        for index in files.indices {
            files[index].parts += (parts[files[index].name] ?? []).map(\.part)
            files[index].parts.sort { $0.name.precedes($1.name) }
        }
        loose = []
    }

    /// The files at some indexes, which must be listed. They keep the times of the whole group.
    func part(_ isIncluded: (Int) -> Bool) -> EvidenceGroup {
        var part = self
        part.files = files.indices.filter(isIncluded).map { files[$0] }
        part.sum = part.files.reduce(into: ItemSum()) { $0.add(bytes: $1.bytes) }
        part.partSum = part.files.lazy.flatMap(\.parts).reduce(into: ItemSum()) { $0.add(bytes: $1.bytes) }
        return part
    }

    /// True if every file has its name here.
    var isListed: Bool { items == files.count }

    /// The seconds between the oldest and the newest file; the largest number where they are further apart.
    var timeSpan: Int64 {
        let (span, isOver) = newest.subtractingReportingOverflow(oldest)
        return items == 0 ? 0 : isOver ? .max : span
    }

    /// The memory that the record takes, roughly, in bytes.
    var footprint: Int {
        files.reduce(200 + times.footprint) { sum, file in
            file.parts.reduce(sum + file.name.count + 56) { $0 + $1.name.count + 40 }
        }
    }
}
