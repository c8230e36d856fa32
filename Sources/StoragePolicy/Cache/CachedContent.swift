internal import ContainerTree
internal import FileSystem

/// The properties of a file that change with its content, its attributes or its permissions.
///
/// Every change of a file sets its change time, which no program can set back (POSIX).
struct ContentState: Hashable, Sendable {
    let kind: FileKind
    let size: UInt64
    let modified: Timestamp
    let changed: Timestamp
    let device: UInt64
    let inode: UInt64

    init(_ status: FileStatus) {
        (kind, size, modified, changed) = (status.kind, status.size, status.modified, status.changed)
        (device, inode) = status.identity
    }

    /// Returns true if a change after `time` is sure to give the file another change time.
    ///
    /// The kernel takes the times from a clock that may advance only a hundred times a second, and file systems without
    /// nanoseconds store whole or every second second. Source: ktime_get_coarse_real_ts64 in Linux; the FAT specification.
    func isSettled(at time: Timestamp) -> Bool {
        let tick: Int64 = changed.nanoseconds == 0 && modified.nanoseconds == 0 ? 2_000_000_000 : 10_000_000
        let (seconds, isOver) = time.seconds.subtractingReportingOverflow(changed.seconds)
        guard !isOver, seconds >= 0 else { return false }
        guard seconds < 4 else { return true }
        return seconds * 1_000_000_000 + Int64(time.nanoseconds) - Int64(changed.nanoseconds) > tick
    }
}

/// The result of a predicate that reads content.
struct ContentOutcome: Sendable {
    /// The key of the predicate, mixed with what else it depends on.
    let key: UInt64
    let isMatch: Bool
    var evidence: [Evidence] = []
    var questions: [ContainerQuestion] = []
    /// The positions of its effects among those of the file.
    var effects: [Int] = []
}

/// The results of the predicates that read the content of one file, and the files that they depend on.
struct CachedContent: Sendable {
    /// A file, directory or missing entry beside the file.
    struct Sibling: Sendable, Hashable {
        let name: [UInt8]
        let state: ContentState?
    }

    let state: ContentState
    var siblings: [Sibling] = []
    var effects: [ContentEffect] = []
    var outcomes: [ContentOutcome] = []

    init(state: ContentState) { self.state = state }

    /// Returns true if neither the file nor what its results depend on has changed.
    func isValid(for item: Item) -> Bool {
        state == ContentState(item.status)
            && siblings.allSatisfy { $0.state == item.entry.status(ofSibling: $0.name).map(ContentState.init) }
    }
}

extension CacheWriter {
    mutating func add(_ content: CachedContent) {
        add(content.state)
        add(each: content.siblings) { writer, sibling in
            writer.add(sibling.name)
            writer.add(sibling.state == nil ? 0 : 1)
            if let state = sibling.state { writer.add(state) }
        }
        add(each: content.effects) { $0.add($1) }
        add(each: content.outcomes) { writer, outcome in
            writer.addFixed(outcome.key)
            let isPlain = outcome.evidence.isEmpty && outcome.questions.isEmpty && outcome.effects.isEmpty
            writer.add((outcome.isMatch ? 1 : 0) | (isPlain ? 2 : 0))
            guard !isPlain else { return }
            writer.add(each: outcome.evidence) { writer, evidence in
                writer.add(evidence.kind)
                writer.add(evidence.value)
            }
            writer.add(each: outcome.questions) { $0.add($1) }
            writer.add(each: outcome.effects) { $0.add($1) }
        }
    }

    mutating func add(_ state: ContentState) {
        add(Int(state.kind.rawValue))
        add(state.size)
        add(state.modified)
        add(state.changed)
        add(state.device)
        add(state.inode)
    }

    private mutating func add(_ question: ContainerQuestion) {
        switch question {
        case .isDuplicate: add(0)
        case .hasCopy: add(1)
        case .wasSeen(let name):
            add(2)
            add(name)
        case .isAnyMissing(let names):
            add(3)
            add(each: names) { $0.add($1) }
        case .isUnreferenced(let name):
            add(4)
            add(name)
        case .hasNoAttributes(let files):
            add(5)
            add(files)
        }
    }
}

extension CacheReader {
    mutating func content() throws(DamagedCache) -> CachedContent {
        var content = CachedContent(state: try state())
        content.siblings = try each { reader throws(DamagedCache) in
            let name = try reader.string()
            return CachedContent.Sibling(name: name, state: try reader.byte() == 1 ? try reader.state() : nil)
        }
        content.effects = try each { reader throws(DamagedCache) in try reader.effect() }
        let effects = content.effects.indices
        content.outcomes = try each { reader throws(DamagedCache) in
            let (key, form) = (try reader.fixed(), try reader.byte())
            var outcome = ContentOutcome(key: key, isMatch: form & 1 != 0)
            guard form & 2 == 0 else { return outcome }
            outcome.evidence = try reader.each { reader throws(DamagedCache) in
                Evidence(kind: try reader.text(), value: try reader.text())
            }
            outcome.questions = try reader.each { reader throws(DamagedCache) in try reader.question() }
            outcome.effects = try reader.each { reader throws(DamagedCache) in
                guard let position = Int(exactly: try reader.number()), effects.contains(position) else {
                    throw DamagedCache()
                }
                return position
            }
            return outcome
        }
        return content
    }

    mutating func state() throws(DamagedCache) -> ContentState {
        guard let kind = FileKind(rawValue: try byte()) else { throw DamagedCache() }
        let (size, modified, changed) = (try number(), try time(), try time())
        return ContentState(
            FileStatus(
                kind: kind, permissions: 0, links: 1, owner: (0, 0), size: size,
                identity: (try number(), try number()), modified: modified, changed: changed))
    }

    private mutating func question() throws(DamagedCache) -> ContainerQuestion {
        switch try byte() {
        case 0: return .isDuplicate
        case 1: return .hasCopy
        case 2: return .wasSeen(try text())
        case 3: return .isAnyMissing(try each { reader throws(DamagedCache) in try reader.text() })
        case 4: return .isUnreferenced(try text())
        case 5:
            guard let files = Int(exactly: try number()) else { throw DamagedCache() }
            return .hasNoAttributes(files: files)
        default: throw DamagedCache()
        }
    }
}
