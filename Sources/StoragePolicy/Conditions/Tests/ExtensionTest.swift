internal import ContainerTree

/// `extension: [sqlite, db]`: the name ends so, in small or capital letters.
struct ExtensionTest: Test {
    static let key = "extension"
    static let cost = Cost.free
    private let words: [UInt64]

    init(_ value: YAMLValue) throws(SourceError) {
        var words: [UInt64] = []
        for part in value.list() {
            guard let word = PathExtension.word(try part.string()) else {
                throw part.error("expected an extension of at most eight bytes")
            }
            words.append(word)
        }
        self.words = words
    }

    func signals(_ slots: inout SignalSlots) -> Signals { slots.pathExtension(words) }

    func isDecided(by signals: Signals) -> Bool { !signals.isEmpty }

    func holds(for subject: inout Subject) -> Bool { words.contains(PathExtension.word(of: subject.item.name)) }
}
