internal import ContainerTree
internal import FileSystem

/// `kind: special`: what the item is, where a rule's evidence differs by it.
struct KindTest: Test {
    static let key = "kind"
    static let cost = Cost.free
    private let kinds: [RuleScope.Kind]

    init(_ value: YAMLValue) throws(SourceError) { kinds = try value.words("kind", RuleScope.Kind.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { kinds.count == 1 ? kinds[0].signal : [] }

    func isDecided(by signals: Signals) -> Bool { kinds.count == 1 }

    func holds(for subject: inout Subject) -> Bool {
        let kind = RuleScope.Kind.of(subject.item.status.kind)
        guard kinds.contains(kind) else { return false }
        let found = subject.item.status.kind
        subject.note("kind") { "\(found)" }
        return true
    }
}
