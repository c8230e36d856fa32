/// `copied: elsewhere`: another file of the container, outside the inbox, has the same content. Answered when the whole
/// container has been read.
struct CopiedTest: Test {
    static let key = "copied"
    static let cost = Cost.later

    private enum Word: String, CaseIterable { case elsewhere }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("location", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .file }

    func holds(for subject: inout Subject) -> Bool { subject.ask(.hasCopy) }
}
