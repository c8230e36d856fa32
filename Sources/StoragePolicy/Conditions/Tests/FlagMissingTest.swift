/// `flag: missing`: the file has no do-not-back-up flag, and four in five of at least five files of its directory that
/// are named like it have one. Such a file is put before the rules once more when its directory has been read.
struct FlagMissingTest: Test {
    static let key = "flag"
    static let cost = Cost.free

    private enum Word: String, CaseIterable { case missing }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("state", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .flagMissing }

    func holds(for subject: inout Subject) -> Bool { subject.signals.contains(.flagMissing) }
}
