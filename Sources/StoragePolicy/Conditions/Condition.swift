/// What must hold for an item to be a finding: tests, joined by all, any and not.
indirect enum Condition: Sendable {
    case all([Condition])
    case any([Condition])
    case not(Condition)
    /// A test, and how a rule's file writes it.
    case test(any Test, text: String)

    /// A mapping: each key is a test, or `all`, `any`, `not`; several keys must all hold.
    init(_ value: YAMLValue) throws(SourceError) {
        if let recorder = value.recorder {
            // Conditions hold conditions; their schema has a name.
            self = recorder.ask(.reference(Self.schemaName), .all([]))
            return
        }
        var parts: [Condition] = []
        for (key, value) in try value.pairs() {
            let name = try key.string()
            switch name {
            case "all": parts.append(.all(try Self.list(value)))
            case "any": parts.append(.any(try Self.list(value)))
            case "not": parts.append(.not(try Condition(value)))
            default:
                guard let type = Tests.all.first(where: { $0.key == name }) else {
                    throw key.unknown("condition", name, among: Tests.all.map { $0.key } + ["all", "any", "not"])
                }
                parts.append(.test(try type.init(value), text: "\(name): \(value.json.flow)"))
            }
        }
        guard !parts.isEmpty else { throw value.error("expected a condition") }
        // What costs nothing decides first.
        self = parts.count == 1 ? parts[0] : .all(parts.sorted { $0.cost < $1.cost })
    }

    private static func list(_ value: YAMLValue) throws(SourceError) -> [Condition] {
        var conditions: [Condition] = []
        for part in value.list() { conditions.append(try Condition(part)) }
        return conditions.sorted { $0.cost < $1.cost }
    }

    private var cost: Cost {
        switch self {
        case .all(let parts), .any(let parts): parts.map(\.cost).max() ?? .free
        case .not(let part): part.cost
        case .test(let test, _): type(of: test).cost
        }
    }

    /// Every test in it.
    var tests: [any Test] {
        switch self {
        case .all(let parts), .any(let parts): parts.flatMap(\.tests)
        case .not(let part): part.tests
        case .test(let test, _): [test]
        }
    }

    /// Whether it holds; what decided is added to the subject's evidence.
    func holds(for subject: inout Subject) -> Bool {
        let before = subject.evidence.count
        switch self {
        case .all(let parts):
            for part in parts where !part.holds(for: &subject) {
                subject.evidence.removeSubrange(before...)
                return false
            }
            return true
        case .any(let parts):
            for part in parts where part.holds(for: &subject) { return true }
            return false
        case .not(let part):
            let holds = part.holds(for: &subject)
            subject.evidence.removeSubrange(before...)
            return !holds
        case .test(let test, _): return test.holds(for: &subject)
        }
    }

    /// The first test that keeps it from holding, as a rule's file writes it; nil where it holds.
    func refusal(for subject: inout Subject) -> String? {
        switch self {
        case .all(let parts):
            for part in parts {
                if let refusal = part.refusal(for: &subject) { return refusal }
            }
            return nil
        case .any(let parts):
            var refusals: [String] = []
            for part in parts {
                guard let refusal = part.refusal(for: &subject) else { return nil }
                refusals.append(refusal)
            }
            return refusals.count == 1 ? refusals[0] : "none of " + refusals.joined(separator: " | ")
        case .not(let part):
            let before = subject.evidence.count
            guard part.holds(for: &subject) else { return nil }
            subject.evidence.removeSubrange(before...)
            return "not { \(part.text) }"
        case .test(let test, let text): return test.holds(for: &subject) ? nil : text
        }
    }

    /// As YAML on one line.
    private var text: String {
        switch self {
        case .all(let parts): "all: [" + parts.map { "{ \($0.text) }" }.joined(separator: ", ") + "]"
        case .any(let parts): "any: [" + parts.map { "{ \($0.text) }" }.joined(separator: ", ") + "]"
        case .not(let part): "not: { \(part.text) }"
        case .test(_, let text): text
        }
    }

    /// Its name among the schemas.
    static let schemaName = "condition"
}

/// What it takes to answer a test.
enum Cost: Int, Comparable, Sendable {
    /// What the walk has already brought.
    case free
    /// One system call or a few.
    case look
    /// Reading content.
    case read
    /// What is known only when the directory, or the container, has been read.
    case later

    static func < (left: Cost, right: Cost) -> Bool { left.rawValue < right.rawValue }
}

/// One question about an item. Each is a type in a file of its own, named for the key that asks it in a rule.
protocol Test: Sendable {
    /// The key in a rule's `when`.
    static var key: String { get }
    /// What an answer takes.
    static var cost: Cost { get }
    init(_ value: YAMLValue) throws(SourceError)
    /// Signals without which the answer is no.
    func signals(_ slots: inout SignalSlots) -> Signals
    /// Whether the answer is yes wherever these signals are there, which are those that it asked for.
    func isDecided(by signals: Signals) -> Bool
    func holds(for subject: inout Subject) -> Bool
}

extension Test {
    func isDecided(by signals: Signals) -> Bool { false }
}

/// The tests that rules may use.
enum Tests {
    static let all: [any Test.Type] = [
        AgeTest.self,
        AheadTest.self,
        ArchiveTest.self,
        AttributeTest.self,
        AttributesTest.self,
        CollidesTest.self,
        CompanionTest.self,
        ContainerKindTest.self,
        ContainsTest.self,
        ContentTest.self,
        ContradictsTest.self,
        CookieTest.self,
        CopiedTest.self,
        DataValueTest.self,
        DatesVaryTest.self,
        DeclaredTest.self,
        DirectTest.self,
        DocumentTypeTest.self,
        DomainTest.self,
        DuplicateTest.self,
        EditedTest.self,
        EmptyTest.self,
        EntropyTest.self,
        ExceptionTest.self,
        ExpiredTest.self,
        ExtensionTest.self,
        ExternalDataTest.self,
        FetchedByAppTest.self,
        FlagMissingTest.self,
        FlagValueTest.self,
        ForeignMarkTest.self,
        FreePagesTest.self,
        FreshInstallTest.self,
        IdentityTest.self,
        InsideTest.self,
        KindTest.self,
        LiesInTest.self,
        LinkTest.self,
        LocationTest.self,
        MagicTest.self,
        MarkedTest.self,
        NameShapeTest.self,
        NameTest.self,
        NoteReferencesTest.self,
        OriginTest.self,
        ParentTest.self,
        PathTest.self,
        PrivateKeyTest.self,
        PropertyListTest.self,
        ProtectionTest.self,
        ReferencedTest.self,
        RegistryTest.self,
        SecretTest.self,
        SharedDocumentsTest.self,
        SiblingTest.self,
        SiblingsTest.self,
        SizeTest.self,
        StoreTest.self,
        StoredPathTest.self,
        SupersededTest.self,
        SystemDirectoryTest.self,
        URLCacheTest.self,
        UndeclaredTest.self,
        VerdictTest.self,
        WithoutAttributesTest.self,
    ]
}
