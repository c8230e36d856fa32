internal import AppContainer
internal import ContainerTree

/// `marked: any` or `marked: only-legacy`: the item itself carries the do-not-back-up flag, or its old form alone.
struct MarkedTest: Test {
    static let key = "marked"
    static let cost = Cost.free

    private enum Word: String, CaseIterable {
        case any
        case onlyLegacy = "only-legacy"
    }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("mark", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .marked }

    func holds(for subject: inout Subject) -> Bool {
        let marks = subject.item.marks
        guard let mark = marks.first, word == .any || marks == [.legacy] else { return false }
        subject.note("attribute", mark.rawValue)
        return true
    }
}
