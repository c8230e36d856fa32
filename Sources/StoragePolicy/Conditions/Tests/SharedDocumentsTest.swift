/// `shared-documents: [shared, unknown]`: whether people see Documents in the Files app, as the configuration's
/// `shares-documents` says.
struct SharedDocumentsTest: Test {
    static let key = "shared-documents"
    static let cost = Cost.free

    private enum Word: String, CaseIterable {
        case shared, hidden, unknown
    }
    private let words: [Word]

    init(_ value: YAMLValue) throws(SourceError) { words = try value.words("answer", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .documents }

    func holds(for subject: inout Subject) -> Bool {
        let word = subject.policy.configuration.sharesDocuments.map { $0 ? Word.shared : .hidden } ?? .unknown
        return words.contains(word)
    }
}
