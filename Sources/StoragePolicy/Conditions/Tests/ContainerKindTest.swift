internal import AppContainer

/// `container: group`: the container belongs to a group of apps, or to an app.
struct ContainerKindTest: Test {
    static let key = "container"
    static let cost = Cost.free

    private enum Word: String, CaseIterable { case application, group }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("kind of container", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { word == .group ? .group : [] }

    func isDecided(by signals: Signals) -> Bool { word == .group }

    func holds(for subject: inout Subject) -> Bool {
        (subject.policy.kind == .group) == (word == .group)
    }
}
