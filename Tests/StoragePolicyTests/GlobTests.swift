@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import Testing

@Suite("Globs") struct GlobTests {
    @Test(
        "A name matches as in a shell",
        arguments: [
            ("*.part", "a.part", true), ("*.part", ".part", true), ("*.part", "part", false),
            ("NSIRD_?*_??????", "NSIRD_Reader_a1B2c3", true), ("NSIRD_?*_??????", "NSIRD__a1B2c3", false),
            ("a*b*c", "aXbXbc", true), ("a*b*c", "aXbX", false), ("*", "", true), ("", "", true), ("?", "", false),
            ("**x", "aax", true), ("abc", "abcd", false), ("a?c", "abc", true),
        ])
    func names(pattern: String, name: String, matches: Bool) {
        #expect(Array(name.utf8).withUnsafeBytes { Glob(pattern).matches($0) } == matches)
    }

    @Test("A pattern that is designed to be slow is matched quickly")
    func quick() {
        let pattern = String(repeating: "a*", count: 30) + "b"
        let name = [UInt8](repeating: UInt8(ascii: "a"), count: 255)
        #expect(!name.withUnsafeBytes { Glob(pattern).matches($0) })
    }

    @Test(
        "A path matches component by component",
        arguments: [
            ("Documents/*.sqlite", "Documents/a.sqlite", true), ("Documents/*.sqlite", "Documents/b/a.sqlite", false),
            ("**/Cache/**", "Library/x/Cache/y/z", true), ("**/Cache/**", "Library/x/Cache", true),
            ("**/Cache/**", "Library/x/Cached", false), ("a/**/b", "a/b", true), ("a/**/b", "a/x/y/b", true),
            ("a/{bundle-id}/c", "a/com.example/c", true), ("a/{bundle-id}.x/c", "a/com.example.x/c", true),
            ("a/{bundle-id}/c", "a/other/c", false),
        ])
    func paths(pattern: String, path: String, matches: Bool) {
        #expect(PathGlob(pattern, bundleIdentifier: "com.example").matches(Array(path.utf8)) == matches)
    }
}
