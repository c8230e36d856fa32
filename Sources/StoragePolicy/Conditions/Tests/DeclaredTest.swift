internal import ContainerTree

/// `declared: user-data`: a glob of the configuration names the item.
struct DeclaredTest: Test {
    static let key = "declared"
    static let cost = Cost.look
    private let words: [Configuration.Word]

    init(_ value: YAMLValue) throws(SourceError) { words = try value.words("declaration", Configuration.Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { slots.declaration(words) }

    func holds(for subject: inout Subject) -> Bool {
        let configuration = subject.policy.configuration
        guard configuration.says(words) else { return false }
        let path = subject.path
        for word in words where configuration.declares(path, word) {
            subject.note("declared", word.rawValue)
            return true
        }
        return false
    }
}
