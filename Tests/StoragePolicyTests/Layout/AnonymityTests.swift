import Foundation
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import Testing

/// Random names, each with the parts of a user's that must not survive.
private struct PersonalNames {
    private var random: SplitMix
    private let vocabulary: [String]
    private let fixture: NameFixture

    init(seed: UInt64, _ fixture: NameFixture) {
        random = SplitMix(state: seed)
        self.fixture = fixture
        vocabulary = ["photo", "cache", "notes", "log", "Draft", "Album", "sticker", "book", "remote", "Config"]
    }

    /// A name and its secrets.
    mutating func next() -> (name: String, secrets: [String]) {
        let (anna, mueller, known) = (word(), word(), vocabulary.randomElement(using: &random) ?? "photo")
        let (upper, capital) = (mueller.uppercased(), anna.capitalized)
        let number = String(UInt64.random(in: 10_000_000...99_999_999_999, using: &random))
        let ending = ["jpg", "json", "plist", "sqlite", "zip"].randomElement(using: &random) ?? "jpg"
        let forms: [(String, [String])] = [
            ("\(anna)\(known.capitalized)", [anna]), ("\(known)\(capital)", [anna]), ("\(anna)\(known)", [anna]),
            ("\(known.lowercased())\(anna)", [anna]),
            ("\(capital)\(mueller.capitalized)\(known.capitalized)", [anna, mueller]),
            ("\(anna)_\(known)_\(mueller).\(ending)", [anna, mueller]), ("\(upper)\(known.capitalized)", [mueller]),
            ("\(known)-\(anna)-\(number).\(ending)", [anna, number]),
            ("\(anna).\(mueller)@\(anna).com", [anna, mueller]),
            ("+\(number)", [number]), ("tel_\(number)_\(anna)", [number, anna]),
            ("com.\(anna).\(mueller)", [anna, mueller]),
            ("com.\(anna).\(known).\(ending)", [anna]), ("group.org.\(anna).\(mueller)", [anna, mueller]),
            ("\(known) of \(capital) and \(known)", [anna, " of ", " and "]),
            ("Brief an \(capital).\(ending)", [anna, "Brief"]),
            ("\(anna)\u{fc}\(mueller).\(ending)", [anna, mueller, "\u{fc}"]),
            ("\(anna)%20\(mueller)", [anna, mueller]),
            ("IMG_\(anna).JPG", [anna]), ("\(anna)\(number)\(mueller)", [anna, mueller, number]),
            ("com.onevcat.Kingfisher.ImageCache.\(anna)", [anna]), ("com.apple.\(anna)", [anna]),
            ("heartbeats-\(anna)-\(known)", [anna]), ("crash\(anna)", [anna]), ("swiftybeaver.log\(anna)", [anna]),
            ("\(anna).realm.management", [anna]), ("segmentio.\(mueller)", [mueller]), ("Version \(anna)", [anna]),
            (".\(anna)", [anna]), ("\(anna).\(mueller).\(ending)-wal", [anna, mueller]),
            ("\(anna).\(mueller)", [anna, mueller]),
            ("\(capital)@2x.png", [anna]), ("\(anna)=\(mueller)~\(known)", [anna, mueller]),
            ("__\(upper)__", [mueller]),
            ("\(number)\(ending)", [number]), ("klaviyo-\(anna)-state.json", [anna]), ("*SlimCore\(anna)", [anna]),
            ("com.umbrello.fotobuch.\(anna)", [anna, "umbrello", "fotobuch"]),
            ("com.umbrello.fotobuch\(anna)", [anna, "umbrello", "fotobuch"]),
        ]
        return forms.randomElement(using: &random) ?? (anna, [anna])
    }

    /// A word of syllables, which no vocabulary knows, in part or whole.
    private mutating func word() -> String {
        while true {
            let syllables = (0..<Int.random(in: 2...4, using: &random)).map { _ in
                String("bdfgklmnprstvwz".randomElement(using: &random) ?? "b")
                    + String("aeiou".randomElement(using: &random) ?? "a")
            }
            let word = syllables.joined() + (["", "n", "r", "ss"].randomElement(using: &random) ?? "")
            if NameWords.packed(word).map({ fixture.vocabulary.knownLetters(of: $0) }) == 0 { return word }
        }
    }
}

/// Random numbers that are the same every time. Source: Steele, Lea and Flood, “Fast Splittable Pseudorandom Number
/// Generators”, 2014.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

@Suite("Anonymity of names") struct AnonymityTests {
    @Test("No part of 20,000 personal names survives", arguments: [UInt64(1), 2, 3, 4])
    func personal(seed: UInt64) throws {
        let fixture = try NameFixture(seed: nil)
        var names = PersonalNames(seed: seed, fixture)
        for _ in 0..<5_000 {
            let (name, secrets) = names.next()
            let anonymous = fixture.name(name)
            for secret in secrets {
                #expect(!anonymous.lowercased().contains(secret.lowercased()), "\(name): \(anonymous)")
            }
        }
    }

    @Test("Every letter of an anonymous name is part of the vocabulary, a public name, an extension or a pseudonym")
    func whitelist() throws {
        let fixture = try NameFixture(seed: nil)
        var names = PersonalNames(seed: 5, fixture)
        let literals = ["Kingfisher", "onevcat", "swiftybeaver", "heartbeats", "klaviyo", "segmentio", "management"]
        let consonants = Set(Pseudonyms.consonants)
        for _ in 0..<5_000 {
            let name = names.next().name
            let anonymous = fixture.name(name)
            #expect(anonymous.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }, "\(name)")
            var rest = anonymous
            for literal in literals { rest = rest.replacing(literal, with: "") }
            Array(rest.utf8).withUnsafeBytes { bytes in
                NameWords.forEach(in: bytes) { word in
                    let text = NameWords.text(word)
                    let isAllowed =
                        fixture.vocabulary.knownLetters(of: word) > 0 || text.utf8.allSatisfy(consonants.contains)
                        || text.utf8.count == 1 || Self.fixed.contains(text)
                    #expect(isAllowed, "\(name): \(anonymous) has “\(text)”")
                }
            }
        }
    }

    /// Extensions, first parts of identifiers and short words of public names.
    private static let fixed: Set<String> = [
        "jpg", "json", "plist", "sqlite", "zip", "png", "wal", "com", "org", "group", "apple", "realm", "state", "img",
        "slim",
        "core", "version",
    ]

    @Test("A list of guessed names matches none, because the key is random")
    func guessing() throws {
        let secret = try NameFixture(seed: nil)
        let guesses = ["anna", "max", "sofia", "liam", "mueller", "secret", "1234", "12345678", "tax return 2025"]
        let hashed = Set(guesses.map { secret.name($0) })
        let attempts = try (0..<5).map { _ in try NameFixture(seed: nil) } + [NameFixture(seed: "")]
        // Numbers of four digits collide by chance with probability 6 in 10,000.
        for attempt in attempts {
            #expect(guesses.filter { $0 != "1234" }.allSatisfy { !hashed.contains(attempt.name($0)) })
        }
    }
}
