internal import DatabaseInspection
internal import PropertyLists
internal import TextOutput

/// `store: damaged`: SQLite's own check fails. `store: cache` or `store: personal`: the names of its tables speak of
/// what can be had again, or of what a person would miss; of a property list, its first keys do.
struct StoreTest: Test {
    static let key = "store"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case damaged, cache, personal }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("property", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .filled }

    func holds(for subject: inout Subject) -> Bool {
        guard word != .damaged else {
            guard let problem = subject.facts[StoreProblemsFact.self].first else { return false }
            subject.note("problem", ByteText.escaped(Array(problem.utf8.prefix(160))))
            return true
        }
        var names = subject.facts[StoreTablesFact.self].map(\.name)
        if names.isEmpty, let pairs = subject.facts[PropertyListFact.self].root?.pairs {
            names = pairs.prefix(1_000).map(\.key)
        }
        guard let name = names.first(where: { word == .cache ? Self.isCache($0) : Self.isPersonal($0) }) else {
            return false
        }
        subject.note("table", ByteText.escaped(Array(name.utf8.prefix(80))))
        return true
    }

    private static func isCache(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.contains("cache") || name.hasPrefix("cfurl_")
            || words(name).contains { ["tile", "tiles", "thumbnail", "thumbnails", "etag", "etags"].contains($0) }
    }

    private static func isPersonal(_ name: String) -> Bool {
        words(name.lowercased()).contains { personal.contains($0) }
    }

    /// The words of a name; Core Data puts a Z before its own.
    private static func words(_ name: String) -> [String] {
        let words = name.split { !$0.isLetter }.map(String.init)
        return words + words.filter { $0.hasPrefix("z") }.map { String($0.dropFirst()) }
    }

    private static let personal: Set<String> = Set(
        [
            "account", "bookmark", "chat", "contact", "conversation", "diary", "draft", "expense", "favorite",
            "favourite", "login", "message", "note", "person", "playlist", "profile", "recipe", "reminder", "todo",
            "user", "workout",
        ].flatMap { [$0, $0 + "s"] } + ["people", "diaries"])
}
