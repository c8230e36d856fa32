@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import Testing

@Suite("NameWords") struct NameWordsTests {
    private func words(_ name: [UInt8]) -> [String] {
        var words: [String] = []
        name.withUnsafeBytes { bytes in NameWords.forEach(in: bytes) { words.append(NameWords.text($0)) } }
        return words
    }

    @Test(
        "A name splits at camel case, digits and punctuation",
        arguments: [
            ("RemoteConfigCache", ["remote", "config", "cache"]), ("ECSCacheData", ["ecs", "cache", "data"]),
            ("voice_pack-en.zip", ["voice", "pack", "en", "zip"]), ("ABC", ["abc"]), ("aB", ["a", "b"]),
            ("tile12x7", ["tile", "x"]), ("iOSLogs2", ["i", "os", "logs"]), ("", []), ("___", []), ("42", []),
        ])
    func split(name: String, expected: [String]) { #expect(words(Array(name.utf8)) == expected) }

    @Test("Of a word the last 16 letters count")
    func longest() {
        #expect(words(Array("aaaabbbbccccdddd".utf8)) == ["aaaabbbbccccdddd"])
        #expect(words(Array("aaaabbbbccccdddde".utf8)) == ["aaabbbbccccdddde"])
        #expect(words(Array("aaaabbbbccccddddeCache".utf8)) == ["aaabbbbccccdddde", "cache"])
        #expect(words(Array("AAAABBBBCCCCDDDDEEEE_x".utf8)) == ["bbbbccccddddeeee", "x"])
    }

    @Test("Bytes outside ASCII separate words, in UTF-8 or not")
    func otherBytes() {
        #expect(words(Array("cacheécache".utf8)) == ["cache", "cache"])
        #expect(words([0x63, 0xff, 0xc3, 0x64]) == ["c", "d"])
        #expect(words(Array("Ünlog".utf8)) == ["nlog"])
    }

    @Test(
        "Only lowercase letters can be packed into a word",
        arguments: [("cache", true), ("", false), ("Cache", false), ("a1", false), ("aaaabbbbccccdddde", false)])
    func packed(word: String, isPacked: Bool) {
        #expect((NameWords.packed(word) != nil) == isPacked)
        if let packed = NameWords.packed(word) { #expect(NameWords.text(packed) == word) }
    }

    @Test(
        "A word ends with its last letters and with nothing else",
        arguments: ["s", "bytes", "abcdefgh", "abcdefghi", "aaaabbbbccccddd", "aaaabbbbccccdddd"])
    func endings(text: String) throws {
        let ending = PackedWord.Ending(try #require(NameWords.packed(text)))
        #expect(ending.text.count == text.utf8.count)
        for start in ["", "z", "word", "abcdefghijklmno"] where start.utf8.count + text.utf8.count <= NameWords.longest
        {
            #expect(ending.ends(try #require(NameWords.packed(start + text))))
        }
        for other in ["z\(text.dropFirst())", "\(text.dropLast())z"] {
            #expect(!ending.ends(try #require(NameWords.packed(other))))
        }
    }
}
