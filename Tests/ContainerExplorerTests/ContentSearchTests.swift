import AppContainer
import ContainerExplorer
import ContainerTree
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("A search inside files") struct ContentSearchTests {
    /// A password, which is a secret by its name only, and a token that is one by its form. Neither was ever valid.
    private static let password = "Zk3mT9qLx7Pw2Rv8Yn4B"
    private static let token = "ghp_q7Zk2Xv9LpR4tW8sYb3Nq7Zk2Xv9LpR4tW8s"

    private func withContainer(_ body: (Container, URL) throws -> Void) throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            try body(container, folder.appending(path: "c"))
        }
    }

    /// Searches for a text. Each hit is its path, its place and the excerpt.
    private func search(
        _ text: String, in container: Container, _ change: (inout ContentSearch.Options) -> Void = { _ in }
    ) throws -> (hits: [ContentSearch.Hit], summary: ContentSearch.Summary) {
        var options = ContentSearch.Options()
        change(&options)
        var hits: [ContentSearch.Hit] = []
        let summary = try ContentSearch(text: text, options: options).run(
            in: container, index: ContainerIndex(of: DirectoryTree(container))
        ) { hits.append($0) }
        return (hits, summary)
    }

    private func places(_ hits: [ContentSearch.Hit]) -> Set<String> {
        Set(hits.map { "\(String(decoding: $0.path, as: UTF8.self).split(separator: "/").last ?? "") \($0.place)" })
    }

    private func list(_ value: Any, _ format: PropertyListSerialization.PropertyListFormat = .binary) throws -> Data {
        try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
    }

    @Test("A text is found in every format, with its place and the text around it")
    func formats() throws {
        try withContainer { container, folder throws in
            let nested = try JSONSerialization.data(withJSONObject: ["book": "Emma"])
            let inner = try list(["deep": ["Emma", "x"]])
            try folder.write(
                list(["recent": ["x", "My Emma book"], "json": nested, "list": inner, "EMMA key": 1]),
                to: "Documents/b.plist")
            try folder.write(list(["t": ["a": "emma"]], .xml), to: "Documents/x.plist")
            let archive = try NSKeyedArchiver.archivedData(
                withRootObject: ["title": "Emma"] as NSDictionary, requiringSecureCoding: false)
            try folder.write(archive, to: "Documents/k.archive")
            try folder.write(#"{"a": [{"n": "\u0045mma"}], "emma": 1}"#, to: "Documents/j.json")
            try folder.write("{\"a\": \"x\"}\n{\"b\": \"Emma\"}\n", to: "Documents/lines.jsonl")
            try folder.write("{ Emma is no JSON }", to: "Documents/broken.json")
            try folder.write("one\nDear EMMA,\n\nemma\n", to: "Documents/letter.txt")
            for (name, encoding) in [
                ("le", String.Encoding.utf16LittleEndian), ("be", .utf16BigEndian), ("bom", .utf16),
            ] {
                try folder.write(#require("one\nwide Emma\n".data(using: encoding)), to: "Documents/\(name).txt")
            }
            try folder.write(Data([0xff, 0xd8, 0, 1] + Array("Emma".utf8)), to: "Documents/i.jpg")
            try executeSQL(
                """
                CREATE TABLE book(title TEXT, emma_column TEXT, data BLOB);
                INSERT INTO book VALUES ('x', 'y', NULL), ('Emma', 'z', x'\(inner.map { String(format: "%02x", $0) }.joined())');
                """, in: folder.path + "/Documents/d.sqlite")
            let (hits, summary) = try search("emma", in: container)
            #expect(
                places(hits) == [
                    "b.plist /recent/1", "b.plist /json", "b.plist /list/deep/0", "b.plist /EMMA key", "x.plist /t/a",
                    "k.archive /root/title", "j.json /a/0/n", "j.json /emma", "lines.jsonl /b", "broken.json line 1",
                    "letter.txt line 2", "letter.txt line 4", "le.txt line 2", "be.txt line 2", "bom.txt line 2",
                    "d.sqlite book.emma_column", "d.sqlite book.title row 2", "d.sqlite book.data row 2 /deep/0",
                ])
            #expect(hits.first { $0.place == "/recent/1" }?.excerpt == "My Emma book")
            #expect(summary.hits == hits.count && summary.otherFiles == 1 && summary.unreadCount == 0)
            let keys = try search("emma", in: container) { $0.part = .keys }.hits
            #expect(keys.allSatisfy(\.isKey) && keys.count == 3)
            let values = try search("emma", in: container) { $0.part = .values }.hits
            #expect(values.count == hits.count - 3 && !values.contains { $0.isKey })
            #expect(try search("EMMA", in: container) { $0.ignoresCase = false }.hits.count == 2)
            #expect(try search("nowhere", in: container).hits.isEmpty)
        }
    }

    @Test("Letters beyond ASCII are found in both Unicode forms and in any case")
    func unicode() throws {
        try withContainer { container, folder throws in
            try folder.write("x\nCAFE\u{301} \u{754c}\n", to: "Documents/a.txt")
            try folder.write(list(["k": "caf\u{e9}"]), to: "Documents/b.plist")
            #expect(try search("Caf\u{e9}", in: container).hits.count == 2)
            #expect(try search("Cafe\u{301}", in: container).hits.count == 2)
            #expect(try search("\u{754c}", in: container).hits.map(\.place) == ["line 2"])
        }
    }

    @Test("A secret is found and never shown, whatever is searched for")
    func secrets() throws {
        try withContainer { container, folder throws in
            let secret = Self.password
            let json = #"{"password": "\#(secret)", "note": "Emma"}"#
            try folder.write(
                list([
                    "password": secret, "copy": secret, "json": json, "data": Data(json.utf8), "t": "x \(Self.token)",
                ]),
                to: "Documents/a.plist")
            try folder.write(json, to: "Documents/a.json")
            try folder.write(
                "user=Emma password=\(secret) x\n<token>\(secret)</token>\npassword: \"\(secret)\"\n\(Self.token)\n",
                to: "Documents/a.txt")
            let archive = try NSKeyedArchiver.archivedData(
                withRootObject: ["note": secret, "password": secret] as NSDictionary, requiringSecureCoding: false)
            try folder.write(archive, to: "Documents/k.archive")
            try executeSQL(
                """
                CREATE TABLE account(password TEXT); INSERT INTO account VALUES ('\(secret)');
                CREATE TABLE kv(value TEXT, key TEXT); INSERT INTO kv VALUES ('\(secret)', 'password'), ('\(json)', 'x');
                """, in: folder.path + "/Documents/d.sqlite")
            for text in [secret, String(secret.dropFirst(5)), "password", "Emma", "token", Self.token, "ghp_", "x"] {
                let (hits, summary) = try search(text, in: container)
                #expect(!hits.isEmpty && summary.unreadCount == 0, "\(text)")
                for hit in hits {
                    let shown = hit.place + hit.excerpt
                    #expect(!shown.contains(secret) && !shown.contains(Self.token), "\(text): \(shown)")
                    #expect(!shown.contains(secret.suffix(12)), "\(text): \(shown)")
                }
            }
            let places = try search(secret, in: container).hits.map(\.place)
            for place in ["/password", "account.password row 1", "kv.value row 1", "line 1", "line 2", "line 3"] {
                #expect(places.contains(place), "\(place): \(places)")
            }
        }
    }

    @Test(
        "Content of any size and form is bounded: what was not searched is named with a reason",
        .enabled(if: Platform.isLinux, "sparse files of 4 GB"))
    func bounds() throws {
        try withContainer { container, folder throws in
            try folder.makeHole("Documents/huge.plist", size: 4 << 30)
            try folder.write(Data("bplist00".utf8), to: "Documents/huge.plist", at: 0)
            try folder.write(Data([1]), to: "Documents/huge.plist", at: 4 << 30)
            try folder.write("<plist>" + String(repeating: "Emma ", count: 1_000), to: "Documents/large.xml")
            try folder.write("bplist00 broken Emma", to: "Documents/broken.plist")
            try folder.write(Data("SQLite format 3\0".utf8) + Data(count: 4_096), to: "Documents/broken.sqlite")
            try folder.write(
                String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000),
                to: "Documents/deep.json")
            try folder.write(String(repeating: "Emma\n", count: 5_000), to: "Documents/many.txt")
            try folder.write("", to: "Documents/empty.txt")
            let (hits, summary) = try search("Emma", in: container) {
                ($0.fileBytes, $0.hitsPerFile) = (1 << 20, 100)
            }
            let unread = Dictionary(
                summary.unread.map { (String(decoding: $0.path, as: UTF8.self), $0.reason) },
                uniquingKeysWith: { $0 + $1 })
            #expect(unread["Documents/huge.plist"]?.contains("larger than") == true)
            #expect(unread["Documents/broken.plist"]?.contains("damaged") == true)
            #expect(unread["Documents/broken.sqlite"] != nil && unread["Documents/deep.json"]?.contains("deep") == true)
            #expect(unread["Documents/many.txt"]?.contains("more than 100 matches") == true)
            #expect(summary.unreadCount == 5)
            #expect(hits.count == 101 && hits.allSatisfy { $0.excerpt.count < 250 })
        }
    }

    @Test(
        "Files that change, vanish or become something else after the index was made are no error, and a search can be ended"
    )
    func changing() throws {
        try withContainer { container, folder throws in
            for number in 0..<20 { try folder.write("Emma \(number)\n", to: "Documents/\(number).txt") }
            let index = try ContainerIndex(of: DirectoryTree(container))
            try folder.remove("Documents/0.txt", "Documents/1.txt", "Documents/2.txt")
            try createPipe(folder.path + "/Documents/1.txt")
            try folder.makeLink("Documents/2.txt", to: "/etc/passwd")
            try folder.write("Emma twice\nEmma\n", to: "Documents/3.txt")
            var hits: [ContentSearch.Hit] = []
            var done: [Int] = []
            let search = try ContentSearch(text: "Emma")
            let summary = search.run(in: container, index: index, progress: { done.append($0) }) { hits.append($0) }
            #expect(hits.count == 18 && !summary.isCancelled && done == Array(1...done.count))
            #expect(summary.unread.allSatisfy { $0.path == Array("Documents/2.txt".utf8) })
            let stop = Counter()
            var few = 0
            let ended = search.run(in: container, index: index, isCancelled: { stop.add(1) > 5 }) { _ in few += 1 }
            #expect(ended.isCancelled && few < hits.count)
        }
    }

    @Test("An empty text, and one of more than 4 KiB, is an error of usage")
    func wrong() {
        for text in ["", String(repeating: "x", count: 5_000)] {
            let error = #expect(throws: ExplorerError.self) { try ContentSearch(text: text) }
            #expect(error?.code == .usage)
        }
    }
}
