internal import Crypto

/// Replacements for parts of names, made with a secret key.
///
/// Equal parts get equal replacements as long as the key is the same. Without the key nobody can test whether a
/// replacement stands for a name that they guess.
struct Pseudonyms: Sendable {
    /// The role of a part, so that equal bytes in two roles have unrelated replacements.
    enum Role: UInt8, Sendable { case word, text, digits, letter, characters, time }

    private let key: SymmetricKey
    /// Permutations of single digits, by the number of digits of the numeral system.
    private var tables: [Int: [UInt8]] = [:]

    /// A random key, or one that is made from a seed and therefore known to everybody who knows the seed.
    init(seed: String? = nil) {
        key = seed.map { SymmetricKey(data: SHA256.hash(data: Array($0.utf8))) } ?? SymmetricKey(size: .bits256)
        for radix in [6, 10, 16, 26] {
            let ranks = (0..<UInt8(radix)).map { (digit: $0, rank: hash(.digits, bytes: [UInt8(radix), $0])) }
            tables[radix] = ranks.sorted { $0.rank.lexicographicallyPrecedes($1.rank) }.map(\.digit)
        }
    }

    /// The case of a replacement.
    enum LetterCase: Sendable { case lower, capitalized, upper }

    /// A word of ten letters. It has no vowels, so that it contains no word of any language.
    func word(_ bytes: some Sequence<UInt8>, _ role: Role = .word, _ letters: LetterCase = .lower) -> [UInt8] {
        let word = hash(role, bytes: bytes).prefix(Self.wordLength).map {
            Self.consonants[Int($0) % Self.consonants.count]
        }
        return switch letters {
        case .lower: word
        case .capitalized: [word[0] & 0xdf] + word.dropFirst()
        case .upper: word.map { $0 & 0xdf }
        }
    }

    /// The letters of a word.
    static let wordLength = 10
    /// The letters of which words are made.
    static let consonants = Array("bcdfghjkmnpqrstvwxz".utf8)

    /// A letter of the same case for a letter.
    func letter(_ letter: UInt8) -> UInt8 {
        let base = letter & 0x20 | UInt8(ascii: "A")
        return base + (tables[26]?[Int(letter - base)] ?? 0)
    }

    /// Digits of a numeral system for as many digits: a permutation, so that different numbers stay different.
    ///
    /// A Feistel network whose halves are added digit by digit. Source: the construction of FF1, NIST SP 800-38G.
    func digits(_ digits: [UInt8], radix: UInt8) -> [UInt8] {
        guard digits.count > 1 else { return digits.map { tables[Int(radix)]?[Int($0)] ?? $0 } }
        var halves = (Array(digits[..<(digits.count / 2)]), Array(digits[(digits.count / 2)...]))
        for round in 0..<Self.rounds {
            let stream = stream(
                .digits, bytes: [radix, UInt8(truncatingIfNeeded: digits.count), round] + halves.1,
                count: halves.0.count)
            let sum = zip(halves.0, stream).map { UInt8((Int($0) + Int($1)) % Int(radix)) }
            halves = (halves.1, sum)
        }
        return halves.0 + halves.1
    }

    private static let rounds: UInt8 = 8

    /// Characters of the same classes for a run of letters and digits: capitals, small letters and digits stay what
    /// they are.
    func characters(_ run: [UInt8]) -> [UInt8] {
        zip(run, stream(.characters, bytes: run, count: run.count)).map { character, random in
            let letter = Self.consonants[Int(random) % Self.consonants.count]
            return switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(ascii: "0") + random % 10
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter & 0xdf
            default: letter
            }
        }
    }

    /// A number from a range that the key alone determines.
    func number(in range: ClosedRange<Int64>) -> Int64 {
        let value = hash(.time, bytes: []).prefix(7).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return range.lowerBound + value % (range.upperBound - range.lowerBound + 1)
    }

    private func stream(_ role: Role, bytes: [UInt8], count: Int) -> [UInt8] {
        var stream: [UInt8] = []
        var block: UInt8 = 0
        while stream.count < count {
            stream += hash(role, bytes: [block] + bytes)
            block &+= 1
        }
        return stream
    }

    private func hash(_ role: Role, bytes: some Sequence<UInt8>) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: [role.rawValue] + bytes, using: key))
    }
}
