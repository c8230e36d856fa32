internal import ContainerTree
internal import FileSystem

/// `duplicate: content`: another item that this rule asks about has the same content and comes before it. Answered
/// when the whole container has been read; only files of one size are compared.
struct DuplicateTest: Test {
    static let key = "duplicate"
    static let cost = Cost.later

    private enum Word: String, CaseIterable { case content }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("duplicate", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .file }

    func holds(for subject: inout Subject) -> Bool { subject.ask(.isDuplicate) }
}
