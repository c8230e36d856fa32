internal import ContainerTree

/// `referenced: nowhere`: nothing that was read names the item. Only what `note-references` has noted counts. Answered
/// when the container has been read.
struct ReferencedTest: Test {
    static let key = "referenced"
    static let cost = Cost.later

    private enum Word: String, CaseIterable { case nowhere }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("answer", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { [] }

    func holds(for subject: inout Subject) -> Bool {
        subject.ask(.isUnreferenced(String(decoding: subject.item.name, as: UTF8.self)))
    }
}
