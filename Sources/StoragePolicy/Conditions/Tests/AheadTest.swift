internal import ContainerTree
internal import FileSystem

/// `dated-ahead: 1d`: the modification time is further than that after now.
struct AheadTest: Test {
    static let key = "dated-ahead"
    static let cost = Cost.free
    private let seconds: Int64

    init(_ value: YAMLValue) throws(SourceError) { seconds = try value.duration() }

    func signals(_ slots: inout SignalSlots) -> Signals { slots.ahead(seconds) }

    func isDecided(by signals: Signals) -> Bool { !signals.isEmpty }

    func holds(for subject: inout Subject) -> Bool {
        // What a file system gives may be any number, so nothing here may overflow.
        let (ahead, isHuge) = subject.item.status.modified.seconds.subtractingReportingOverflow(
            subject.policy.now.seconds)
        guard isHuge || ahead > seconds else { return false }
        subject.note("ahead") { isHuge ? "centuries" : AgeTest.text(ahead) }
        return true
    }
}
