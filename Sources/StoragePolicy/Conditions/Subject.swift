internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// One item as the rules see it: what the walk brought, and what was asked of it so far.
struct Subject {
    let item: Item
    let directory: Directory
    let place: LintPlace
    let policy: Policy
    let signals: Signals
    /// The location whose own directory the item is.
    let ownLocation: Location?

    /// What the tests that held found.
    var evidence: [Evidence] = []
    /// What is taken for granted of the directory's other items, which are not all known yet.
    var assumedOfSiblings = false
    /// The question about the siblings that was asked.
    private(set) var asked: SiblingQuestion?

    private var magicAnswer: Magic??

    init(
        item: Item, directory: Directory, place: LintPlace, policy: Policy, signals: Signals, ownLocation: Location?
    ) {
        self.item = item
        self.directory = directory
        self.place = place
        self.policy = policy
        self.signals = signals
        self.ownLocation = ownLocation
    }

    mutating func note(_ kind: String, _ value: String) { evidence.append(Evidence(kind: kind, value: value)) }

    mutating func ask(_ question: SiblingQuestion) -> Bool {
        asked = question
        return assumedOfSiblings
    }

    /// An attribute's value, of at most 4 KiB; nil where there is none.
    func value(ofAttribute name: String) -> [UInt8]? {
        guard item.attributes.contains(name), let value = item.source.attribute(name), value.count <= 4096 else {
            return nil
        }
        return value
    }

    /// The same as text.
    func text(ofAttribute name: String) -> String? {
        value(ofAttribute: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The format that the content shows; read once.
    var magic: Magic? {
        mutating get {
            if let magicAnswer { return magicAnswer }
            let isEnough = item.status.size >= Magic.shortest
            let answer = isEnough ? item.source.firstBytes(Magic.length).flatMap { Magic($0) } : nil
            magicAnswer = .some(answer)
            return answer
        }
    }

    /// What the registry knows of the item: by its own name or by a directory above it.
    var registryEntries: [RegistryEntry] {
        place.registry.matches(item.name, isDirectory: item.status.kind == .directory)
            .map { policy.registry.entries[$0] }
    }
}

/// What is asked of an item's siblings, and answered when all have been seen.
enum SiblingQuestion: Hashable, Sendable {
    case appMade
    case hashNamed(atLeast: Int)
}

/// What is counted of a directory's items while they come.
struct Siblings: Sendable {
    var files = 0
    var hashNamed = 0
    var isAppMade = false

    func answer(_ question: SiblingQuestion) -> Bool {
        switch question {
        case .appMade: isAppMade
        case .hashNamed(let least): hashNamed >= least && hashNamed * 2 > files
        }
    }

    func evidence(of question: SiblingQuestion) -> Evidence {
        switch question {
        case .appMade: Evidence(kind: "siblings", value: "the app keeps files of its own beside it")
        case .hashNamed:
            Evidence(kind: "siblings", value: "\(hashNamed) of \(files) files here are named by a hash")
        }
    }
}
