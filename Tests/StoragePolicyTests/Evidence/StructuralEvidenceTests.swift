import Foundation
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import TestSupport
import Testing

@Suite("StructuralEvidence", .needs(.long)) struct StructuralEvidenceTests {
    /// Creates files, by default with distant modification times, and returns the evidence on one of them.
    private func evidence(
        on path: String, among paths: [String], minutes: ((Int) -> Int64)? = nil, in group: Bool = false
    ) throws -> [String: Double] {
        try withEvidence(group ? "group.com.example" : "com.example.app") { fixture throws in
            for (index, other) in paths.enumerated() { try fixture.write(other, minutes: minutes?(index)) }
            return try #require(try fixture.evidence()[path])
        }
    }

    @Test(
        "Each trait of a name or its neighbors is a piece of evidence",
        arguments: [
            ("word-cache", "Documents/ImageCache/a.bin", []), ("nearest-cache", "Documents/ImageCache/a.bin", []),
            ("word-document", "Documents/receipts/a.bin", []), ("word-account", "Documents/token.bin", []),
            ("log-name", "Documents/app.log", []), ("scale-name", "Documents/a@2x.png", []),
            ("bundle-directory", "Documents/en.lproj/a.strings", []), ("derived-name", "Documents/a.jpg.thumb", []),
            ("derived-beside-original", "Documents/a.jpg.thumb", ["Documents/a.jpg"]),
            ("derived-beside-original", "Documents/a.wav.waveform.png", ["Documents/a.wav"]),
            ("derived-beside-original", "Documents/a_thumb.jpg", ["Documents/a.jpg"]),
            ("archive-beside-unpacked", "Documents/v/eng.zip", ["Documents/v/eng/a.mp3"]),
            ("unpacked-copy", "Documents/v/eng/a.mp3", ["Documents/v/eng.zip"]),
            ("engine-database", "Documents/db/000003.log", ["Documents/db/MANIFEST-000001"]),
            ("opaque-media", "Documents/0cc175b9c0f1b6a831c399e269772661.jpg", []),
            ("kind-json", "Documents/a.json", []), ("kind-none", "Documents/a", []),
            ("kind-other", "Documents/a.xyzzy", []),
            ("in-documents", "Documents/a.json", []), ("in-library", "Library/a.json", []),
            ("tile-pyramid", "Documents/t/12/2100/1400.png", []),
            ("tile-pyramid", "Documents/t/12/2100/1400@2x.png", []),
            ("web-bundle", "Documents/w/logo.png", ["Documents/w/index.html", "Documents/w/main.3f2a91bc.js"]),
            ("stream-segments", "Documents/s/a1.ts", ["Documents/s/a.m3u8"]),
            ("engine-database", "Documents/db/LOG.old", []), ("repository", "Documents/site/.git/config", []),
            ("repository", "Documents/site/index.html", ["Documents/site/.git/HEAD"]),
            ("path-for", "Library/a/cache/response.json", []), ("path-against", "Library/a/wallet/keys.plist", []),
        ] as [(String, String, [String])])
    func piece(id: String, path: String, others: [String]) throws {
        #expect(try evidence(on: path, among: [path] + others)[id] != nil)
    }

    @Test(
        "A piece of evidence is missing if its reason is missing",
        arguments: [
            ("word-cache", "Documents/cachet/a.bin", []), ("log-name", "Documents/catalog.json", []),
            ("log-name", "Documents/db/000003.log", ["Documents/db/CURRENT"]),
            ("derived-beside-original", "Documents/a.jpg.thumb", ["Documents/b.jpg"]),
            ("unpacked-copy", "Documents/v/eng/a.mp3", ["Documents/v/deu.zip"]),
            ("unpacked-copy", "Documents/a.mp3", ["Documents/Documents.zip"]),
            ("opaque-media", "Documents/0cc175b9c0f1b6a831c399e269772661.json", []),
            ("tile-pyramid", "Documents/12/2100/left.png", []), ("tile-pyramid", "Documents/maps/2100/1400.png", []),
            ("web-bundle", "Documents/w/logo.png", ["Documents/w/index.html", "Documents/w/main.js"]),
            ("stream-segments", "Documents/s/a1.ts", []),
            // A playlist by itself may be the user's.
            ("stream-segments", "Documents/s/a.m3u8", ["Documents/s/b.m3u8"]),
            ("word-log", "Documents/db/LOG", []), ("nearest-log", "Documents/db/LOG.old", []),
            // An archive in a directory with others may be the user's.
            ("archive-beside-unpacked", "Documents/v/eng.zip", ["Documents/v/other/a.mp3"]),
            ("repository", "Documents/site/index.html", ["Documents/site/.github/a.md"]),
            ("word-pack", "Documents/model.json", []), ("word-remote-config", "Documents/config.json", []),
            ("in-documents", "Library/a.json", []),
        ] as [(String, String, [String])])
    func missing(id: String, path: String, others: [String]) throws {
        #expect(try evidence(on: path, among: [path] + others)[id] == nil)
    }

    @Test("Letters of hashes and tokens in a path are not words")
    func hashes() throws {
        let path = "Documents/1AD0B2C3-AB12-4AD4-8F6B-AD12AB34CD56/x.json"
        let pieces = try evidence(on: path, among: [path])
        #expect(pieces.keys.allSatisfy { !$0.hasPrefix("word-") && !$0.hasPrefix("nearest-") }, "\(pieces)")
    }

    @Test("The words of the app's own identifier are not evidence")
    func identifier() throws {
        try withEvidence("com.example.catalog") { fixture throws in
            try fixture.write("Library/Application Support/com.example.catalog/a.bin")
            try fixture.write("Library/Application Support/com.other.feeds/a.bin")
            let evidence = try fixture.evidence()
            #expect(evidence["Library/Application Support/com.example.catalog/a.bin"]?["word-server"] == nil)
            #expect(evidence["Library/Application Support/com.other.feeds/a.bin"]?["word-server"] != nil)
        }
    }

    @Test("A word counts less the further it is from the file, and less if it is not the noun")
    func distance() throws {
        let near = try evidence(on: "Documents/cache/a", among: ["Documents/cache/a"])
        let far = try evidence(on: "Documents/cache/x/y/a", among: ["Documents/cache/x/y/a"])
        let adjective = try evidence(on: "Documents/cacheNotes/a", among: ["Documents/cacheNotes/a"])
        #expect(try #require(near["word-cache"]) > #require(far["word-cache"]))
        #expect(try #require(near["word-cache"]) > #require(adjective["word-cache"]))
        #expect(adjective["nearest-document"] != nil && adjective["nearest-cache"] == nil)
    }

    @Test("A cache of opaque media is weak evidence: apps cache decrypted user data")
    func opaqueCache() throws {
        let path = "Documents/MessageCache/0cc175b9c0f1b6a831c399e269772661.jpg"
        #expect(try #require(try evidence(on: path, among: [path])["word-cache"]) < 0.3)
    }

    @Test("Five files within a minute are a burst, and files over weeks accumulated")
    func times() throws {
        let files = (0..<6).map { "Documents/pack/part-\("abcdef".dropFirst($0).prefix(1)).bin" }
        // Files at other hours, so that the container does not look like a copy.
        let others = (0..<8).map { "Documents/other\($0)/x\($0).txt" }
        func minutes(_ step: Int64) -> (Int) -> Int64 { { $0 < 6 ? Int64($0) * step : 50_000 + Int64($0) * 1_000 } }
        let burst = try evidence(on: files[0], among: files + others, minutes: { minutes(0)($0) })
        #expect(burst["burst-of-kind"] == 1 && burst["burst-of-directory"] == 1)
        let slow = try evidence(on: files[0], among: files + others, minutes: minutes(60 * 24 * 3))
        #expect(slow["human-intervals"] == 1 && slow["burst-of-kind"] == nil)
        let day = try evidence(on: files[0], among: files + others, minutes: minutes(120))
        #expect(day["human-intervals"] == nil && day["burst-of-kind"] == nil)
    }

    @Test("If most files of the container share an hour, times are not evidence")
    func flat() throws {
        let files = (0..<6).map { "Documents/pack/part-\("abcdef".dropFirst($0).prefix(1)).bin" }
        let burst = try evidence(on: files[0], among: files, minutes: { _ in 5 })
        #expect(burst["burst-of-kind"] == nil && burst["burst-of-directory"] == nil)
    }

    @Test("Paths of any depth cost bounded time", .timeLimit(.minutes(60)))
    func depth() throws {
        try withEvidence { fixture throws in
            var path = "Documents"
            for number in 0..<300 {
                path += "/cache\(number % 10)"
                try fixture.write("\(path)/a.json")
            }
            #expect(try fixture.evidence().count == 300)
        }
    }
}
