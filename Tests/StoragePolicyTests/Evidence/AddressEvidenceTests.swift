import DatabaseInspection
import Foundation
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import TestSupport
import Testing

@Suite("WebAddress") struct WebAddressTests {
    @Test(
        "An address is shown by host and path, without what may be a secret",
        arguments: [
            ("https://cdn.example.com/a/b.jpg?token=secret#x", "cdn.example.com/a/b.jpg", "b.jpg"),
            ("http://user:password@example.com:8080/a.jpg", "example.com/a.jpg", "a.jpg"),
            ("https://example.com", "example.com", ""), ("https://example.com?a=/b.jpg", "example.com", ""),
            ("https://example.com/%C3%A9t%C3%A9.jpg", "example.com/…", "été.jpg"),
            ("https://example.com/0123456789abcdef0123456789/a.png", "example.com/…", "a.png"),
            ("https://example.com/me@example.org/a.png", "example.com/…", "a.png"),
            ("https://example.com/token=abc/a.png;jsessionid=1", "example.com/…", "a.png;jsessionid=1"),
            ("https://example.com/a%2Fb", "example.com/…", ""),
        ])
    func shown(text: String, shown: String, name: String) throws {
        let address = try #require(WebAddress(text))
        #expect(address.shown == shown && address.name == name)
    }

    @Test(
        "Other texts are not addresses",
        arguments: [
            "", "http", "https://", "https:///a.jpg", "ftp://example.com/a", "httpx://a", "HTTPS", "https://?x",
            "see https://example.com/a", "https://example.com/a b", "https://user@/a", "https://example.com/a\n",
            "https://example.com/" + String(repeating: "a", count: 2_048),
        ])
    func none(text: String) { #expect(WebAddress(text) == nil) }

    @Test("Shown text is short and cannot control a terminal")
    func harmless() throws {
        let address = try #require(
            WebAddress("https://example.com/\u{85}[31m/\u{202e}" + String(repeating: "/abc", count: 100)))
        #expect(
            address.shown.utf8.count < 400 && !address.shown.contains("\u{85}") && !address.shown.contains("\u{202e}"))
    }

    @Test(
        "A name that is a digest is recognized",
        arguments: [
            ("0cc175b9c0f1b6a831c399e269772661", true), ("0CC175B9C0F1B6A831C399E269772661", true),
            ("0cc175b9c0f1b6a831c399e26977266", false), ("zcc175b9c0f1b6a831c399e269772661", false), ("", false),
            ("+cc175b9c0f1b6a831c399e269772661", false),
        ])
    func digest(name: String, isDigest: Bool) {
        #expect((WebAddress.digest(named: Array(name.utf8)) != nil) == isDigest)
    }
}

@Suite("AddressIndex") struct AddressIndexTests {
    private func names(_ values: [(String, String)], tables: [String: [String]] = [:]) -> AddressNames {
        let index = AddressIndex()
        let texts = values.map { TextValue(pointer: ValuePointer(shownAs: $0.0), text: $0.1) }
        index.add(
            AddressIndex.Found(
                texts, inFile: Array("list".utf8), of: Array("Documents/m".utf8), tables: tables))
        return index.removeAll().names
    }

    private static let address = "https://cdn.example.com/v/episode-12.mp3"
    private static let name = Array("episode-12.mp3".utf8)

    @Test(
        "Addresses beside senders, messages and uploads are skipped",
        arguments: ["senderId", "messageText", "recipient_name", "uploads", "attachments", "inbox", "SentAt"])
    func sensitive(key: String) {
        for pointer in ["/\(key)", "/a/\(key)/0", "/\(key)/0/b"] {
            #expect(names([("/url", Self.address), (pointer, "x")]).address(of: Self.name) == nil, "\(pointer)")
        }
        let tables = ["t": ["url", key], "other": ["url"]]
        #expect(names([("t.url", Self.address)], tables: tables).address(of: Self.name) == nil)
        #expect(names([("other.url", Self.address)], tables: tables).address(of: Self.name) != nil)
        #expect(names([(key + ".url", Self.address)], tables: [key: ["url"]]).address(of: Self.name) == nil)
        // JSON in a column spoils the column alone.
        let columns = ["t": ["json", "url"]]
        let json = names([("t.json/url", Self.address), ("t.json/\(key)", "x")], tables: columns)
        #expect(json.address(of: Self.name) == nil)
        #expect(
            names([("t.url", Self.address), ("t.json/\(key)", "x")], tables: columns).address(of: Self.name) != nil)
    }

    @Test(
        "Names that users' own files may have are not evidence",
        arguments: [
            "index.html", "IMG_0001.jpg", "12.jpg", "123456.pdf", "Photo.JPG", "a.gz", "DSC_0042.JPG",
        ])
    func common(name: String) {
        #expect(names([("/url", "https://example.com/\(name)")]).address(of: Array(name.utf8)) == nil)
    }

    @Test("A file is listed by a manifest in its directory or above, not by one elsewhere, nor by a plain list")
    func manifest() {
        let manifest = names([("/files/0/path", "voices/eng.mp3"), ("/files/0/etag", "x")])
        let name = Array("eng.mp3".utf8)
        #expect(manifest.isListed(name, in: [Array("Documents/m".utf8)]))
        #expect(!manifest.isListed(name, in: [Array("Documents/n".utf8)]))
        #expect(!names([("/files/0/path", "voices/eng.mp3")]).isListed(name, in: [Array("Documents/m".utf8)]))
        #expect(
            !names([("t.path", "eng.mp3"), ("t.etag", "x")], tables: ["t": ["path", "etag"]])
                .isListed(name, in: [Array("Documents/m".utf8)]))
    }

    @Test("A record with an address and the name of a file explains that file, in its directory if the record says so")
    func records() {
        let index = AddressIndex()
        let rows: [(key: Int64?, texts: [String])] = [
            (nil, ["https://example.com/1", "Episodes/Morning Walk 1.mp3"]), (nil, ["https://example.com/2", "2.jpg"]),
            (nil, ["Notes/mine.txt"]), (5511, ["https://example.com/4?token=x"]),
        ]
        let column = ValuePointer.Column("c", of: "t")
        let texts = rows.flatMap { key, texts in
            let row = ValuePointer.Parent(rowWithKey: key)
            return texts.map { TextValue(pointer: row.value(of: column, named: "c"), text: $0) }
        }
        index.add(AddressIndex.Found(texts, inFile: Array("list".utf8), of: [], tables: ["t": ["c"]]))
        let names = index.removeAll().names
        let walk = Array("Morning Walk 1.mp3".utf8)
        #expect(names.address(ofFile: walk, in: Array("Episodes".utf8))?.shown == "example.com/1 in list")
        #expect(names.address(ofFile: walk, in: Array("Other".utf8)) == nil)
        let number = names.address(ofFile: Array("2.jpg".utf8), in: Array("Pictures".utf8))
        #expect(number?.shown == "example.com/2 in list" && number?.isCommon == true)
        #expect(names.address(ofFile: Array("mine.txt".utf8), in: Array("Notes".utf8)) == nil)
        #expect(names.address(numbered: Array("5511.jpg".utf8), "5511".utf8) == "example.com/4 in list")
    }

    @Test("An address with a placeholder explains numbered files of its form")
    func series() {
        let found = names([("/cdn", "https://example.com/5511/{n}.webp")])
        #expect(found.address(numbered: Array("12.webp".utf8), "12".utf8) == "example.com/5511/{n}.webp in list")
        #expect(found.address(numbered: Array("12.jpg".utf8), "12".utf8) == nil)
        #expect(found.address(numbered: Array("a.webp".utf8), "a".utf8) == nil)
    }

    @Test("A description with an address is evidence for the files beside it, that of an archive also for those below")
    func description() {
        let directory = Array("Documents/m".utf8)
        let below = [Array("Documents/m/a".utf8), directory]
        let archive = names([("/source", "https://example.com/a.zip"), ("/sha256", "0")])
        #expect(archive.description(of: [directory]) == .describedArchive)
        #expect(archive.description(of: below) == .describedArchive)
        let page = names([("/source", "https://example.com/a/"), ("/sha256", "0")])
        #expect(page.description(of: [directory]) == .describedBeside && page.description(of: below) == nil)
        #expect(names([("/source", "https://example.com/a.zip")]).description(of: [directory]) == nil)
    }

    @Test("A million addresses take bounded memory, and the same ones are kept in any order", .timeLimit(.minutes(60)))
    func bounded() {
        func kept(_ order: [Int]) -> ([Bool], Bool) {
            let index = AddressIndex(limit: 300)
            for part in 0..<10 {
                let numbers = order[(part * order.count / 10)..<((part + 1) * order.count / 10)]
                let texts = numbers.map {
                    TextValue(pointer: ValuePointer(shownAs: "/u"), text: "https://example.com/episode-\($0).mp3")
                }
                index.add(AddressIndex.Found(texts, inFile: Array("list".utf8), of: [], tables: [:]))
            }
            let (names, isFull) = index.removeAll()
            return ((0..<order.count).map { names.address(of: Array("episode-\($0).mp3".utf8)) != nil }, isFull)
        }
        let order = Array(0..<4_000)
        let (first, isFull) = kept(order)
        #expect(isFull && first.count { $0 } == 300)
        #expect(kept(order.shuffled()).0 == first)
        #expect(!kept(Array(0..<300)).1)
    }
}

@Suite("AddressEvidence") struct AddressEvidenceTests {
    @Test(
        "An entity tag in the record of a file with an address says that a server has it, and an empty one says nothing"
    )
    func entityTag() throws {
        try withEvidence { fixture throws in
            for name in ["Holiday film.mov", "Harbor film.mov"] {
                try fixture.write("Documents/films/\(name)", text: "x")
            }
            let path = fixture.folder.appending(path: "Documents/index.sqlite").path
            try executeSQL("CREATE TABLE files(id INTEGER PRIMARY KEY, etag TEXT, name TEXT, server TEXT)", in: path)
            for (name, tag) in [("Holiday film.mov", "'a1'"), ("Harbor film.mov", "NULL")] {
                try executeSQL(
                    "INSERT INTO files(etag, name, server) VALUES(\(tag), '\(name)', 'https://example.com/dav')",
                    in: path)
            }
            let evidence = try fixture.evidence()
            #expect(evidence["Documents/films/Holiday film.mov"]?["address-with-tag"] == 1)
            let other = try #require(evidence["Documents/films/Harbor film.mov"])
            #expect(other["address-with-tag"] == nil && other["address"] == 1)
        }
    }

    /// The digests that image caches name files by, of https://cdn.example.com/v/a.jpg.
    private func digest(_ algorithm: String, of text: String) throws -> String {
        let script = "import hashlib, sys; print(hashlib.new(sys.argv[1], sys.argv[2].encode()).hexdigest(), end='')"
        return try Command("python3", ["-c", script, algorithm, text]).text
    }

    /// Creates a SQLite database with a Python script that uses the connection `store`.
    private func makeDatabase(at path: URL, _ script: String) throws {
        let program = "import sqlite3, sys\nstore = sqlite3.connect(sys.argv[1])\n\(script)\nstore.commit()"
        let made = try Command("python3", ["-c", program, path.path])
        try #require(made.code == 0, "\(made.errors)")
    }

    @Test(
        "A file is explained by an address that ends in its name, or whose digest its name is",
        .needs(.externalProgram),
        arguments: ["md5", "sha1", "sha256"])
    func found(algorithm: String) throws {
        try withEvidence { fixture throws in
            let address = "https://cdn.example.com/v/episode-12.mp3?sig=hidden"
            let digest = try digest(algorithm, of: address)
            try fixture.write("Documents/feed.json", text: #"{"items": [{"url": "\#(address)"}]}"#)
            try fixture.write("Documents/e/episode-12.mp3")
            try fixture.write("Documents/e/\(digest).mp3")
            try fixture.write("Documents/e/\(digest.uppercased())")
            try fixture.write("Documents/e/my-own.mp3")
            let evidence = try fixture.evidence()
            #expect(evidence["Documents/e/episode-12.mp3"]?["address"] == 1)
            #expect(evidence["Documents/e/\(digest).mp3"]?["address-digest"] == 1)
            #expect(evidence["Documents/e/\(digest.uppercased())"]?["address-digest"] == 1)
            #expect(evidence["Documents/e/my-own.mp3"]?["address"] == nil)
            let findings = try fixture.findings()
            let shown = findings.flatMap(\.evidence).map(\.value).joined()
            #expect(shown.contains("cdn.example.com/v/episode-12.mp3") && !shown.contains("hidden"))
        }
    }

    @Test("Files of a group without an address have a verdict of their own, with evidence against")
    func split() throws {
        try withEvidence { fixture throws in
            let found = ["first-part.mp3", "second-part.mp3"]
            let urls = found.map { "\"https://cdn.example.com/\($0)\"" }.joined(separator: ",")
            try fixture.write("Documents/feed.json", text: "{\"urls\": [\(urls)]}")
            for name in found + ["third-part.mp3"] { try fixture.write("Documents/e/\(name)") }
            let evidence = try fixture.evidence()
            #expect(found.allSatisfy { evidence["Documents/e/\($0)"]?["address"] == 1 })
            #expect(evidence["Documents/e/third-part.mp3"]?["no-address-beside-others"] == 1)
            let quoted = try fixture.findings().map { ($0.displayPath, $0.evidence.map(\.value).joined()) }
            for name in found {
                #expect(quoted.contains { $0.0.hasSuffix(name) && $0.1.contains("cdn.example.com/\(name)") })
            }
        }
    }

    @Test(
        "A database's addresses count beyond the first thousand rows, but not those of its messages",
        .needs(.externalProgram))
    func database() throws {
        try withEvidence { fixture throws in
            let path = fixture.folder.appending(path: "Library/Application Support/com.example.app/feed.sqlite")
            try fixture.write("Library/Application Support/com.example.app/x.txt")
            try makeDatabase(
                at: path,
                """
                store.execute("CREATE TABLE episodes(id, link)")
                store.executemany("INSERT INTO episodes VALUES(?, ?)",
                    [(n, f"https://cdn.example.com/episode-{n}.mp3") for n in range(3000)])
                store.execute("CREATE TABLE photos(sender, link)")
                store.execute("INSERT INTO photos VALUES('a', 'https://cdn.example.com/holiday-beach.jpg')")
                """)
            for name in ["episode-7.mp3", "episode-2999.mp3", "holiday-beach.jpg"] {
                try fixture.write("Documents/e/\(name)")
            }
            let evidence = try fixture.evidence()
            #expect(evidence["Documents/e/episode-7.mp3"]?["address"] == 1)
            #expect(evidence["Documents/e/episode-2999.mp3"]?["address"] == 1)
            #expect(evidence["Documents/e/holiday-beach.jpg"]?["address"] == nil)
            #expect(try fixture.report().isComplete)
        }
    }

    @Test("The system's cache of requests also provides addresses", .needs(.externalProgram))
    func requestCache() throws {
        try withEvidence { fixture throws in
            try fixture.write("Library/Caches/com.example.app/x")
            let path = fixture.folder.appending(path: "Library/Caches/com.example.app/Cache.db")
            try makeDatabase(
                at: path,
                """
                store.execute("CREATE TABLE cfurl_cache_response(entry_ID INTEGER PRIMARY KEY, request_key TEXT)")
                store.execute("CREATE TABLE cfurl_cache_blob_data(entry_ID INTEGER PRIMARY KEY, request_object BLOB)")
                store.execute("INSERT INTO cfurl_cache_response VALUES(1, 'https://cdn.example.com/hero-banner.jpg')")
                """)
            try fixture.write("Documents/e/hero-banner.jpg")
            #expect(try fixture.evidence()["Documents/e/hero-banner.jpg"]?["address"] == 1)
        }
    }

    @Test(
        "A database of a million addresses is read in part, which the run reports", .needs(.externalProgram),
        .timeLimit(.minutes(60)))
    func million() throws {
        try withEvidence { fixture throws in
            try fixture.write("Documents/e/episode-7.mp3")
            let path = fixture.folder.appending(path: "Documents/feed.sqlite")
            try makeDatabase(
                at: path,
                """
                store.execute("CREATE TABLE episodes(link)")
                store.executemany("INSERT INTO episodes VALUES(?)",
                    ((f"https://cdn.example.com/episode-{n}.mp3",) for n in range(1000000)))
                """)
            #expect(try fixture.report().incidents.map(\.reason.rawValue) == ["too-many-addresses"])
        }
    }
}

extension ValuePointer {
    /// Creates the pointer that is shown as `/files/0/path`, `table.column` or `table.column/key`.
    fileprivate init(shownAs text: String) {
        var steps = text.split(separator: "/").map(String.init)
        var pointer = ValuePointer.root
        if !text.hasPrefix("/") {
            let names = steps.removeFirst().split(separator: ".").map(String.init)
            pointer = ValuePointer(Column(names[1], of: names[0]))
        }
        self = steps.reduce(pointer) { pointer, step in
            let parent = Parent(pointer)
            return Int(step).map { parent.member($0) } ?? parent.member(step)
        }
    }
}
