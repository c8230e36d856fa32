@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import Testing

/// Anonymous names made with a seed of the test's own.
struct NameFixture {
    let vocabulary: Vocabulary
    let known: PublicNames
    let names: AnonymousNames

    private static let data = Result {
        let catalogue = try Catalogue.embedded()
        let vocabulary = try catalogue.evidenceModel().vocabulary
        return (vocabulary: vocabulary, known: try catalogue.publicNames(vocabulary))
    }

    init(seed: String? = "a seed", bundleIdentifier: String? = "com.umbrello.fotobuch") throws {
        (vocabulary, known) = try Self.data.get()
        names = AnonymousNames(
            vocabulary, known: known, pseudonyms: Pseudonyms(seed: seed), bundleIdentifier: bundleIdentifier)
    }

    func name(_ name: String) -> String { String(decoding: names.name(Array(name.utf8)), as: UTF8.self) }
}

@Suite("Anonymous names") struct AnonymousNamesTests {
    /// A stands for a word of ten letters without vowels, a for the same with a small first letter, U in capitals; # for
    /// a digit, h for a hexadecimal digit, H for one in capitals, r for a random letter or digit.
    private func pattern(_ form: String) throws -> Regex<AnyRegexOutput> {
        let classes: [Character: String] = [
            "A": "[B-DF-HJ-NP-TV-Z][b-df-hj-np-tv-z]{9}", "a": "[b-df-hj-np-tv-z]{10}", "U": "[B-DF-HJ-NP-TV-Z]{10}",
            "½": "[b-df-hj-np-tv-z]{5}", "#": "[0-9]", "h": "[0-9a-f]", "H": "[0-9A-F]", "r": "[0-9A-Za-z]",
            "l": "[a-z]", "L": "[A-Z]",
        ]
        var text = ""
        var isLiteral = false
        for character in form {
            if character == "'" {
                isLiteral.toggle()
            } else if let found = classes[character], !isLiteral {
                text += found
            } else {
                text += ".+@{}*".contains(character) ? "\\\(character)" : String(character)
            }
        }
        return try Regex("^\(text)$")
    }

    @Test(
        "The form of a name, words of the vocabulary, public names and extensions are preserved, and nothing else",
        arguments: [
            // Directories and files that everybody has.
            ("Documents", "'Documents'"), ("Application Support", "'Application Support'"),
            ("com.apple.nsurlsessiond", "'com.apple.nsurlsessiond'"), ("CloudKit", "'CloudKit'"),
            ("Cache.db-wal", "'Cache.db-wal'"), ("index.html", "'index.html'"), ("Version 16", "'Version '##"),
            ("com.onevcat.Kingfisher.ImageCache.umbrello", "'com.onevcat.Kingfisher.ImageCache.'a"),
            ("CFNetworkDownload_aB3dE4.tmp", "'CFNetworkDownload_'rrrrrr'.tmp'"),
            // Words.
            ("annaLogbook", "a"), ("annaNotes", "a'Notes'"), ("AnnaMariaNotes", "A'Notes'"), ("logan.jpg", "a'.jpg'"),
            ("RemoteConfigCache.json", "'RemoteConfigCache.json'"), ("ANNACache", "U'Cache'"),
            ("CacheAnna", "'Cache'A"),
            ("ECSAnna", "'ECS'A"), ("annacache", "a'Cache'"), ("notes_of_anna.txt", "'notes_'a'_'a'.txt'"),
            ("x", "l"), ("AdsQ", "'Ads'L"), ("anna.mueller", "a.a"), (".annasecret", ".a"),
            // Names that are also words of the vocabulary.
            ("Fritz_Lang.pdf", "A_A'.pdf'"), ("fritz_lang.pdf", "a_a'.pdf'"), ("lang.anna", "'lang.'a"),
            ("Lottie.json", "A'.json'"), ("Books", "'Books'"), ("anna_key.plist", "a_a'.plist'"),
            // Numbers.
            ("IMG_0042.JPG", "'IMG_'####'.JPG'"), ("IMGanna.JPG", "A'.JPG'"), ("2025-12-02.json", "####-##-##'.json'"),
            ("+491701234567", "+############"), ("exit_1.m4a", "a_#'.m4a'"), ("7", "#"),
            ("E5B9A6E2-1C51-4E6C-9E63-5E1A9C1E9F4D.pdf", "HHHHHHHH-HHHH-'4'HHH-'9'HHH-HHHHHHHHHHHH'.pdf'"),
            ("cache-e5b9a6e2-1c51-4e6c-9e63-5e1a9c1e9f4d", "'cache-'hhhhhhhh-hhhh-'4'hhh-'9'hhh-hhhhhhhhhhhh"),
            ("0cc175b9c0f1b6a831c399e269772661.pdf", "hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh'.pdf'"),
            ("main.fad58de7.js", "a.hhhhhhhh'.js'"), ("Umb4r3ll0X9", "rrrrrrrrrrr"),
            // Text.
            ("Urlaub mit Anna.pdf", "½ ½'.pdf'"), ("notes of Anna", "½ ½"), ("anna@umbrello.org", "½@½"),
            ("M\u{fc}ller.jpg", "½ ½'.jpg'"), ("Anna%20Notes.txt", "½ ½'.txt'"), ("cache (2).zip", "½ ½'.zip'"),
            (".my draft", ".½ ½"), ("heartbeats-of anna", "½ ½"), ("icon@2x.png", "'icon@2x.png'"),
            ("anna@2x.ktx", "a@2x.a"), ("crash of Anna", "½ ½"), ("\u{1b}[31m\n", "½ ½"),
            // Identifiers.
            ("com.umbrello.fotobuch", "'com.'a.a"), ("com.umbrello.fotobuch.plist", "'com.'a.a'.plist'"),
            ("group.com.umbrello.fotobuch", "'group.com.'a.a"), ("com.anna.photos.plist", "'com.'a'.photos.plist'"),
        ])
    func form(name: String, form: String) throws {
        let anonymous = try NameFixture().name(name)
        #expect(try anonymous.wholeMatch(of: pattern(form)) != nil, "\(name) became \(anonymous)")
    }

    @Test("A name has the same replacement within a run, with and without an extension, and another with another key")
    func stability() throws {
        let fixture = try NameFixture()
        #expect(fixture.name("Annabell.zip") == fixture.name("Annabell") + ".zip")
        #expect(fixture.name("Sommer in Rom.zip") == fixture.name("Sommer in Rom") + ".zip")
        #expect(try fixture.name("Annabell") == NameFixture().name("Annabell"))
        let others = try [NameFixture(seed: "b"), NameFixture(seed: nil), NameFixture(seed: nil)]
        for name in ["Annabell", "Sommer in Rom", "4711081512", "E5B9A6E2-1C51-4E6C-9E63-5E1A9C1E9F4D"] {
            #expect(Set(others.map { $0.name(name) } + [fixture.name(name)]).count == 4)
        }
    }

    @Test("Different names stay different, also numbers of the same length")
    func distinct() throws {
        let fixture = try NameFixture()
        let numbers = (0..<10).map(String.init) + (0..<1_000).map { String(1_000 + $0).suffix(3).description }
        let hexadecimal = (0..<4_096).map { String(0x1000 + $0, radix: 16) }.filter { $0.contains(where: \.isLetter) }
        let words = (0..<2_000).map { "anna" + String($0, radix: 26).map { $0.isNumber ? "x" : String($0) }.joined() }
        for names in [numbers, hexadecimal, Array(Set(words))] {
            #expect(Set(names.map { fixture.name($0) }).count == names.count)
        }
    }

    @Test("The replacement of a name of the maximum length is a valid name")
    func length() throws {
        let fixture = try NameFixture()
        let names = [
            String(repeating: "a-bc-", count: 51), String(repeating: "aB1", count: 85),
            String(repeating: "7", count: 255),
            String(repeating: "anna", count: 60) + ".jpg", String(repeating: " ", count: 255),
            String(repeating: "\u{e9}", count: 127), String(repeating: "-wal", count: 63),
            String(repeating: ".", count: 255),
            String(repeating: "com.apple.", count: 25), "com.umbrello.fotobuch-" + String(repeating: "f", count: 230),
        ]
        for name in names {
            let anonymous = fixture.name(name)
            #expect(!anonymous.isEmpty && anonymous.utf8.count <= 255, "\(name): \(anonymous)")
        }
    }

    @Test("The linter reads the same from anonymous names")
    func traits() throws {
        let fixture = try NameFixture(bundleIdentifier: nil)
        func traits(_ name: String) -> NameTraits {
            Array(name.utf8).withUnsafeBytes { NameTraits($0, vocabulary: fixture.vocabulary) }
        }
        let paths = try JudgementContainer.Folder.allCases.flatMap { try JudgementContainer.all(in: $0) }
            .flatMap { $0.example.entries.map(\.path) }
        let names = Set(paths.flatMap { $0.split(separator: "/").map(String.init) })
        var compared = 0
        for name in names where name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) && !isReplacedOnPurpose(name, fixture)
        {
            compared += 1
            #expect(traits(name) == traits(fixture.name(name)), "\(name): \(fixture.name(name))")
        }
        #expect(compared > 500)
    }

    /// Returns true if a name contains a word that is also a personal name, is text, or has a hash beside words, whose digits form
    /// words by chance.
    private func isReplacedOnPurpose(_ name: String, _ fixture: NameFixture) -> Bool {
        var words: [String] = []
        Array(name.utf8).withUnsafeBytes { NameWords.forEach(in: $0) { words.append(NameWords.text($0)) } }
        let names = fixture.known.givenNames.union(fixture.known.familyNames)
        return words.contains(where: names.contains) || name.contains("@") || name.contains("%")
            || name.contains(#/(?i)(^|[^0-9a-z])[0-9a-f]{8,}[._]/#)
    }
}
