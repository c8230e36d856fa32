import Foundation
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import TestSupport
import Testing

@Suite("PathEvidence") struct PathEvidenceTests {
    private func words(_ text: String) throws -> PathWords {
        try PathWords(YAMLValue(file: "paths.yml", text: text))
    }

    private func token(_ place: PathWords.Place, _ word: String) throws -> PathWords.Token {
        try PathWords.Token(place: place, word: #require(NameWords.packed(word)))
    }

    @Test("The known words of a path are summed, and many of them are not surer than few")
    func sum() throws {
        let words = try words(
            "bias: -1\nwords: >-\n  cache 2.00\n  note -3.50\nnearest: cache 1.00\nextensions: mp4 0.5")
        let cache = try token(.words, "cache")
        #expect(words.judge([]) == (-1, nil))
        #expect(try words.judge([token(.words, "unknown")]) == (-1, nil))
        #expect(words.judge([cache]) == (1, cache.word))
        let four = try words.judge([cache, token(.nearest, "cache"), token(.words, "note")])
        #expect(abs(four.score - (-1 - 0.5 / 3.0.squareRoot())) < 1e-9)
        #expect(try four.word == token(.words, "note").word)
    }

    @Test(
        "A file that is no table of words is an error at its place",
        arguments: [
            ("words: cache 1", "bias"), ("bias: 1\nwords: cache", "a word without a weight"),
            ("bias: 1\nwords: CACHE 1", "“CACHE” is not a word"), ("bias: 1\nwords: cache one", "not a number"),
            ("bias: 1\nwords: cache 1e9", "not a number"), ("bias: 1\nwords: cache 1 cache 2", "listed twice"),
            ("bias: 1\nother: cache 1", "other"),
        ])
    func errors(text: String, part: String) throws {
        let error = #expect(throws: SourceError.self) { try words(text) }
        #expect("\(try #require(error))".contains(part))
    }

    @Test("The words of hashes, of the app's own name, and words that say nothing are not judged")
    func tokens() throws {
        func tokens(_ path: String, _ identifier: String) throws -> [String] {
            try withEvidence(identifier) { fixture throws in
                try fixture.write(path)
                let linter = try Linter(catalogue: .embedded(), threads: 1)
                return try #require(try linter.evidence(in: fixture.container).first?.words.first)
            }
        }
        let common = "com.example.app"
        #expect(
            try tokens("Documents/Old Feeds/feedImage_1.JPG", common) == [
                "extensions:jpg", "nearest:feeds", "nearest:old", "words:feed", "words:feeds", "words:image",
                "words:old",
            ])
        #expect(try tokens("Documents/0CC175B9C0F1B6A831C399E269772661/config.json", common) == ["extensions:json"])
        #expect(
            try tokens("Documents/ServerAuditor/ServerAuditor.sqlite", "com.example.ServerAuditor") == [
                "extensions:sqlite"
            ])
        #expect(try tokens("Documents/ab/x.c", common) == ["extensions:c"])
        #expect(try tokens("Documents/Maps/x", "com.example.Maps") == ["nearest:maps", "words:maps"])
    }

    @Test("Names alone never say that a database or a document is re-downloadable")
    func limits() throws {
        try withEvidence("com.example.app") { fixture throws in
            try fixture.write("Library/Application Support/FeedCache/FeedCache.sqlite")
            try fixture.write("Library/Application Support/FeedCache/cached_feed.pdf")
            try fixture.write("Library/Application Support/FeedCache/cached_response.json")
            let found = try fixture.findings().map { String(decoding: $0.path, as: UTF8.self) }
            #expect(found == ["Library/Application Support/FeedCache/cached_response.json"])
        }
    }
}
