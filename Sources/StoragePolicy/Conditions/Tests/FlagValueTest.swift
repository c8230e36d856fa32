internal import AppContainer
internal import ContainerTree

/// `flag-value: odd`: the do-not-back-up flag's value is not the 61 bytes that macOS writes.
struct FlagValueTest: Test {
    static let key = "flag-value"
    static let cost = Cost.look

    private enum Word: String, CaseIterable { case odd }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("value", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .marked }

    func holds(for subject: inout Subject) -> Bool {
        for name in subject.item.attributes {
            guard let mark = ExclusionMark(attribute: name), mark == .modern || mark == .dosStream,
                let stored = subject.value(ofAttribute: name)
            else { continue }
            let value = mark.meaning(of: stored)
            guard value != ExclusionMark.value else { continue }
            subject.note("value", ExclusionMark.knownVariant(value) ?? "\(value.count) bytes in an unknown format")
            return true
        }
        return false
    }
}
