internal import AppContainer
internal import ContainerTree

/// `parent: included`: no flag of a directory above keeps the item out of backups; `excluded`: one does.
struct ParentTest: Test {
    static let key = "parent"
    static let cost = Cost.free

    private enum Word: String, CaseIterable { case included, excluded }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("state", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { [] }

    func holds(for subject: inout Subject) -> Bool {
        (subject.directory.exclusion.state == .excluded) == (word == .excluded)
    }
}
