@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import Testing

@Suite("Vocabulary") struct VocabularyTests {
    private static let good = """
        themes:
          cache: cache caches
          user: note
        endings:
          cache: cache
        kinds:
          picture: jpg png
          database: sqlite db
        user-made: [picture]
        archives: []
        system-directories: [WebKit]
        """

    private func vocabulary(_ text: String = good) throws -> Vocabulary {
        try Vocabulary(YAMLValue(file: "vocabulary.yml", text: text))
    }

    private func kind(_ name: String, _ vocabulary: Vocabulary) -> String {
        vocabulary.kinds[Array(name.utf8).withUnsafeBytes { vocabulary.kind(of: $0) }]
    }

    @Test(
        "A word has the theme that lists the word or its ending",
        arguments: [("cache", "cache"), ("note", "user"), ("imagecache", "cache"), ("cachet", nil), ("x", nil)])
    func themes(word: String, theme: String?) throws {
        let vocabulary = try vocabulary()
        let found = try vocabulary.theme(of: #require(NameWords.packed(word)))
        #expect(found.map { vocabulary.themes[$0] } == theme)
    }

    @Test(
        "The kind of a file follows from its extension, and companions of a database have its kind",
        arguments: [
            ("a.jpg", "picture"), ("A.JPG", "picture"), ("x.sqlite", "database"), ("x.sqlite-wal", "database"),
            ("x.sqlite-shm", "database"), ("x.db-journal", "database"), ("a-wal", "none"), ("-wal", "none"),
            ("a", "none"), (".hidden", "none"), ("a.unknown", "other"), ("com.example.verylongname", "other"),
            ("x.jpg-note", "other"),
        ])
    func kinds(name: String, expected: String) throws { #expect(try kind(name, vocabulary()) == expected) }

    @Test("Omitted words have no theme, and neither have words with their endings")
    func omitted() throws {
        let vocabulary = try Vocabulary(YAMLValue(file: "v", text: Self.good), omitting: ["cache", "note"])
        for word in ["cache", "note", "imagecache"] {
            #expect(vocabulary.theme(of: try #require(NameWords.packed(word))) == nil)
        }
        #expect(vocabulary.theme(of: try #require(NameWords.packed("caches"))) == 0)
    }

    @Test(
        "An error is reported at its line and column",
        arguments: [
            ("user: note", "user: note cache", 3, 9, "the word “cache” is listed under two themes"),
            ("user: note", "user: Note", 3, 9, "“Note” is not a word"),
            ("user: note", "user: abcdefghijklmnopq", 3, 9, "is not a word of 1 to 16 small letters"),
            ("  cache: cache\n", "  cachet: cache\n", 5, 3, "cachet"),
            ("picture: jpg png", "picture: jpg longextension", 7, 12, "is not an extension"),
            ("database: sqlite db", "database: sqlite jpg", 8, 13, "the extension “jpg” is listed under two kinds"),
            ("[picture]", "[pictures]", 1, 1, "“pictures” of “user-made” is not a kind"),
            ("archives: []\n", "", 1, 1, "archives"), ("archives:", "archive:", 10, 1, "archive"),
        ])
    func mistakes(old: String, new: String, line: Int, column: Int, message: String) throws {
        let text = Self.good.replacing(old, with: new)
        #expect(text != Self.good)
        let error = #expect(throws: SourceError.self) { try vocabulary(text) }
        #expect(error?.line == line && error?.column == column, "\(String(describing: error))")
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    }

    @Test("The embedded vocabulary is valid, and every theme and kind has a weight")
    func embedded() throws {
        let model = try embeddedModel()
        for id in StructuralEvidence.kinds(model.vocabulary) { #expect(model[id].id == id) }
    }
}
