/// `dates: vary`: not all files of the container have one and the same modification time, as they have after
/// an extraction that reset them. Answered when the whole container has been read.
struct DatesVaryTest: Test {
    static let key = "dates"
    static let cost = Cost.later

    private enum Word: String, CaseIterable { case vary }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("answer", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { [] }

    func isDecided(by signals: Signals) -> Bool { true }

    func holds(for subject: inout Subject) -> Bool { true }
}
