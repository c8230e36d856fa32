@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import Testing

@Suite("The compiled matcher of names") struct NameMatcherTests {
    private static let patterns = [
        "*.part", "a*", "a*b*c", "*", "?", "", "abc", "a?c", "?bc", "ab?", "*wal", "*.log", ".*_SUPPORT", "*x*", "._?*",
        "NSIRD_?*_??????", "*.plist.??????", "**x",
    ]

    @Test(
        "It finds exactly the globs that match individually",
        arguments: [
            "", "a", "b", "abc", "axc", "xbc", "abx", "a.part", ".part", "db-wal", "wal", "x.log", ".store_SUPPORT",
            "aXbXc", "._photo", "._", "NSIRD_Reader_a1B2c3", "com.a.plist.a1B2c3", "aax", "\u{e9}x",
        ])
    func agrees(name: String) {
        let globs = Self.patterns.map { Glob($0) }
        let traits = globs.indices.map { ItemTraits(bit: $0) }
        Array(name.utf8).withUnsafeBytes { bytes in
            let matcher = NameMatcher(Array(zip(globs, traits).map { (glob: $0, trait: $1) }))
            let expected = zip(globs, traits).filter { $0.0.matches(bytes) }.reduce(ItemTraits()) { $0.union($1.1) }
            // A name of no bytes is the container's own, which no glob is asked of.
            #expect(matcher.traits(of: bytes) == (name.isEmpty ? [] : expected))
        }
    }

    @Test(
        "An extension of up to eight bytes is matched exactly",
        arguments: [
            ("a.jpg", "jpg"), ("a.JPG", "jpg"), ("a.b.sqlite3", "sqlite3"), (".hidden", ""), ("a", ""), ("a.", ""),
            ("a.12345678", "12345678"), ("a.123456789", ""), ("..x", "x"),
        ])
    func extensions(name: String, word: String) {
        let found = Array(name.utf8).withUnsafeBytes { PathExtension.word(of: $0) }
        #expect(found == PathExtension.word(word))
    }

    @Test("The embedded rules leave bits for the names, sizes and ages of further rules")
    func bits() throws {
        var allocator = TraitAllocator()
        _ = allocator.pathExtension(Siblings.appMadeExtensions)
        for rule in try Catalogue.embedded().rules { _ = rule.condition.prefilters(&allocator) }
        #expect(allocator.free > 0)
    }
}
