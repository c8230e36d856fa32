internal import ContainerTree

/// `contradicts: extension`: the content is of a known format, and the name's extension belongs to others.
struct ContradictsTest: Test {
    static let key = "contradicts"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case pathExtension = "extension" }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("contradiction", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .filled }

    func holds(for subject: inout Subject) -> Bool {
        guard let expected = Magic.formats(ofExtension: PathExtension.word(of: subject.item.name)),
            let format = subject.facts[MagicFact.self], !expected.contains(format)
        else { return false }
        subject.note("content", format.title)
        return true
    }
}
