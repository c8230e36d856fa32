internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// One item as a rule sees it: what the walk brought, and what was asked of it so far.
struct Subject {
    /// What can be known of the item, shared by all rules.
    let facts: ItemFacts

    /// What the tests that held found.
    var evidence: [Evidence] = []
    /// What is taken for granted of the directory's other items, which are not all known yet.
    var assumedOfSiblings = false
    /// The question about the siblings that was asked.
    private(set) var asked: SiblingQuestion?
    /// What must turn out to be true of the container.
    private(set) var questions: [ContainerQuestion] = []

    /// Whether evidence is not wanted, since the finding is one of many that are told as one.
    var isQuiet = false

    init(_ facts: ItemFacts) { self.facts = facts }

    /// The same item before any test was put.
    var unasked: Subject { Subject(facts) }

    var place: LintPlace { facts.setting.place }
    var signals: Signals { facts.setting.signals }
    /// The location whose own directory the item is.
    var ownLocation: Location? { facts.setting.ownLocation }
    /// The item of the directory that has the same name to some file systems, where that is asked.
    var collidesWith: [UInt8]? { facts.setting.collidesWith }
    var item: Item { facts.item }
    var directory: Directory { facts.directory }
    var policy: Policy { facts.policy }
    /// Bytes relative to the container.
    var path: [UInt8] { directory.path(of: item) }

    mutating func note(_ kind: String, _ value: String) {
        if !isQuiet { evidence.append(Evidence(kind: kind, value: value)) }
    }

    /// The same where the text takes work to make.
    mutating func note(_ kind: String, _ value: () -> String) {
        if !isQuiet { evidence.append(Evidence(kind: kind, value: value())) }
    }

    mutating func ask(_ question: SiblingQuestion) -> Bool {
        asked = question
        return assumedOfSiblings
    }

    /// An attribute's value, of at most 4 KiB; nil where there is none.
    func value(ofAttribute name: String) -> [UInt8]? {
        guard let value = facts.attribute(name), value.count <= 4096 else { return nil }
        return value
    }

    /// The same as text.
    func text(ofAttribute name: String) -> String? {
        value(ofAttribute: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The line of the app's source that wrote the item, where it is recorded and can be shown.
    var source: CodeLocation? {
        guard let source = text(ofAttribute: CodeLocation.attribute).flatMap({ CodeLocation($0) }),
            (1...255) ~= source.fileID.utf8.count, source.line > 0
        else { return nil }
        return source
    }

    /// Asks something of the whole container; until that is known, the answer counts as yes.
    mutating func ask(_ question: ContainerQuestion) -> Bool {
        questions.append(question)
        return true
    }

    /// What the registry knows of the item: by its own name or by a directory above it.
    var registryEntries: [RegistryEntry] {
        place.registry.matches(item.name, isDirectory: item.status.kind == .directory)
            .map { policy.registry.entries[$0] }
    }

    /// Those of them that begin with the item: its directory is not of them.
    var registryEntriesBeginning: [RegistryEntry] {
        place.registry.matches(item.name, isDirectory: item.status.kind == .directory)
            .filter { !place.registry.taken.contains($0) }.map { policy.registry.entries[$0] }
    }
}

/// What is asked of an item's siblings, and answered when all have been seen.
enum SiblingQuestion: Hashable, Sendable {
    case appMade
    case hashNamed(atLeast: Int)
    case logs(atLeast: Int)
}

/// What is counted of a directory's items while they come.
struct Siblings: Sendable {
    var files = 0
    var hashNamed = 0
    var isAppMade = false
    var logs = LogNames()

    func answer(_ question: SiblingQuestion) -> Bool {
        switch question {
        case .appMade: isAppMade
        case .hashNamed(let least): hashNamed >= least && hashNamed * 2 > files
        case .logs(let least): logs.count >= least && logs.numbered * 2 > logs.count
        }
    }

    func evidence(of question: SiblingQuestion) -> Evidence {
        switch question {
        case .appMade: Evidence(kind: "siblings", value: "the app keeps its own files beside it")
        case .hashNamed:
            Evidence(kind: "siblings", value: "\(hashNamed) of \(files) files here are named by a hash")
        case .logs:
            Evidence(kind: "siblings", value: "\(logs.numbered) of \(logs.count) logs here are numbered or dated")
        }
    }
}
