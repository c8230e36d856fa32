internal import ContainerTree

/// `direct: true`: the item lies in the location's own directory, not in one below it.
struct DirectTest: Test {
    static let key = "direct"
    static let cost = Cost.free
    private let answer: Bool

    init(_ value: YAMLValue) throws(SourceError) { answer = try value.boolean() }

    func signals(_ slots: inout SignalSlots) -> Signals { answer ? .direct : [] }

    func isDecided(by signals: Signals) -> Bool { answer }

    func holds(for subject: inout Subject) -> Bool { subject.directory.isLocation == answer }
}
