internal import ContainerTree

/// `document-type: declared`: the configuration's `document-types` has the item's extension: the app's documents are
/// such files.
struct DocumentTypeTest: Test {
    static let key = "document-type"
    static let cost = Cost.free

    private enum Word: String, CaseIterable { case declared }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("answer", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { [] }

    func holds(for subject: inout Subject) -> Bool {
        let types = subject.policy.configuration.documentTypes
        guard !types.isEmpty else { return false }
        let word = PathExtension.word(of: subject.item.name)
        return word != 0 && types.contains { PathExtension.word($0.lowercased()) == word }
    }
}
