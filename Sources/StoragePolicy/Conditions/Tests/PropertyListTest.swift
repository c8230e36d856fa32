internal import ContainerTree
internal import PropertyLists

/// `property-list: broken`: the file should be a property list, by its name or its beginning, and cannot be read as one.
struct PropertyListTest: Test {
    static let key = "property-list"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case broken }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("state", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .file }

    func holds(for subject: inout Subject) -> Bool {
        guard case .broken(let error) = subject.facts[PropertyListFact.self] else { return false }
        switch error.code {
        case .notAPropertyList: subject.note("error", "it does not begin with the header of a property list")
        case .truncated: subject.note("error", "it is truncated")
        case .malformed: subject.note("error", "its offsets, sizes or tags are invalid")
        default:
            // More than this reader takes is not broken.
            subject.facts.leaveOut("property-list-beyond-limits")
            return false
        }
        return true
    }
}
