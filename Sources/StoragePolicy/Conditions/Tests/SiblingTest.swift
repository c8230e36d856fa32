/// `sibling: app-made`: something beside the item shows that the app keeps the directory, not a person: a
/// database, a property list, a hidden file, or what the registry knows. Answered when the directory is read.
struct SiblingTest: Test {
    static let key = "sibling"
    static let cost = Cost.later

    private enum Word: String, CaseIterable { case appMade = "app-made" }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("sibling", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { [] }

    func holds(for subject: inout Subject) -> Bool { subject.ask(.appMade) }

    /// Extensions that a person's own documents do not have.
    static let extensions = ["sqlite", "sqlite3", "db", "realm", "plist", "archive", "json", "store"]
        .compactMap(PathExtension.word)
}
