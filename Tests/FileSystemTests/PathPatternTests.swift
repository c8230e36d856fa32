import FileSystem
import Testing

@Suite("Patterns of paths") struct PathPatternTests {
    @Test(
        "A pattern matches within a name, and ** across slashes",
        arguments: [
            ("a*", "abc", true), ("a*", "a/b", false), ("*", ".hidden", true), ("?", "é", false), ("??", "é", true),
            ("**", "a/b/c", true), ("a/**/c", "a/c", true), ("a/**/c", "a/b/b/c", true), ("a/**/c", "ac", false),
            ("**/c", "c", true), ("**/c", "a/b/c", true), ("**/c", "a/bc", false), ("a**c", "a/b/c", true),
            ("[a-c]x", "bx", true), ("[!a-c]x", "bx", false), ("[^a-c]x", "dx", true), ("[]]", "]", true),
            ("[a/b]", "/", false), ("a[", "a[", true), (#"\*"#, "*", true), (#"\*"#, "a", false),
            ("*.jpg", "a.jpg", true),
            ("a*b*c*d", "aXbXcXd", true), ("a*b*c*d", "aXbXcX", false), ("", "", true),
        ])
    func matches(pattern: String, path: String, isMatch: Bool) throws {
        #expect(try PathPattern(Array(pattern.utf8)).matches(Array(path.utf8)) == isMatch)
    }

    @Test("A pattern of many stars takes time in proportion to its length")
    func stars() throws {
        let pattern = try PathPattern(Array(String(repeating: "*a", count: 1000).utf8))
        #expect(pattern.matches(Array(repeating: UInt8(ascii: "a"), count: 1000)))
        #expect(!pattern.matches(Array(repeating: UInt8(ascii: "a"), count: 999)))
        #expect(throws: PathPattern.TooLong.self) { try PathPattern(Array(repeating: 42, count: 5000)) }
    }
}
