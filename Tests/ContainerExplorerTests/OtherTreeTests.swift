import AppContainer
import ContainerExplorer
import ContainerTree
import Foundation
import SystemPackage
import TestSupport
import Testing
import TextOutput

/// A tree that is not a directory: it has the items of one, and no path of a file on disk.
private struct OtherTree: Tree {
    private let base: DirectoryTree

    init(_ container: Container) { base = DirectoryTree(container) }

    var container: Container { base.container }

    func visit<Visitor: TreeVisitor>(_ visitor: Visitor, threads: Int) throws(ContainerError) {
        try base.visit(visitor, threads: threads)
    }

    func digest(of path: [UInt8], limit: UInt64, within budget: inout ComparisonBudget) -> Int? {
        base.digest(of: path, limit: limit, within: &budget)
    }

    func read(_ names: [[UInt8]], in directory: Directory, _ body: (Item) -> Void) {
        base.read(names, in: directory, body)
    }

    func fileSizes(in directory: [UInt8]) -> Set<UInt64> { base.fileSizes(in: directory) }

    func bytes(of path: [UInt8], count: Int, at offset: UInt64) -> [UInt8]? {
        base.bytes(of: path, count: count, at: offset)
    }

    func contains(_ path: [UInt8]) -> Bool { base.contains(path) }
}

/// The reading commands on a tree of another kind.
@Suite("Reading a tree that is not a directory") struct OtherTreeTests {
    private func text(_ output: some ExplorerOutput, columns: Int? = nil) -> String {
        var text = ""
        output.writeText(in: Style(colored: false, links: false, columns: columns)) { text += $0 }
        return text
    }

    private func json(_ output: some ExplorerOutput) throws -> NSDictionary {
        var text = ""
        withoutActuallyEscaping({ (piece: String) in text += piece }) { append in
            var json = JSONWriter(to: append)
            json.object { output.write(&$0) }
        }
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
    }

    private func withContainer(_ body: (Container) throws -> Void) throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "c").path
            let container = try Container.create(at: FilePath(path), bundleIdentifier: "com.example.app")
            let made = """
                import plistlib, sqlite3
                U = plistlib.UID
                objects = ["$null", {"$class": U(2), "next": U(1), "title": U(3)},
                           {"$classname": "Gone", "$classes": ["Gone", "NSObject"]}, "a\\x1bb"]
                archive = {"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {"root": U(1)}, "$objects": objects}
                plistlib.dump(archive, open("Documents/a.archive", "wb"), fmt=plistlib.FMT_BINARY)
                plistlib.dump({"size": 14}, open("Library/Preferences/com.example.app.plist", "wb"))
                database = sqlite3.connect("Documents/l.sqlite")
                database.execute("PRAGMA journal_mode = WAL")
                database.execute("CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT)")
                database.execute("INSERT INTO book(title) VALUES ('El Quijote'), ('Emma')")
                database.commit()
                import os; os._exit(0)
                """
            try Command.setUp("python3", ["-c", made], in: URL(fileURLWithPath: path))
            try body(container)
        }
    }

    @Test("Lists, trees and sums are those of the directory", .needs(.externalProgram))
    func lists() throws {
        try withContainer { container throws in
            let (other, plain) = (
                try ContainerIndex(of: OtherTree(container)), try ContainerIndex(of: DirectoryTree(container))
            )
            for columns in [nil, 20] {
                let all = Array(1..<plain.count)
                #expect(
                    text(Listing(all, of: other, now: 0), columns: columns)
                        == text(Listing(all, of: plain, now: 0), columns: columns))
                #expect(
                    text(TreeListing([0], of: other, depth: 9, now: 0), columns: columns)
                        == text(TreeListing([0], of: plain, depth: 9, now: 0), columns: columns))
                for grouping in Usage.Grouping.allCases {
                    #expect(
                        text(Usage(of: [0], in: other, by: grouping), columns: columns)
                            == text(Usage(of: [0], in: plain, by: grouping), columns: columns))
                }
            }
        }
    }

    @Test(
        "Files, preferences, archives of missing classes and databases with a log are read through the tree",
        .needs(.externalProgram))
    func content() throws {
        try withContainer { container throws in
            let tree = OtherTree(container)
            let whole = try FileContent.file(at: "Documents/a.archive", in: tree).whole()
            #expect(whole == (try container.loadBytes(.documents / "a.archive")))
            #expect(text(try PreferenceReport(["size"], as: .integer, suite: nil, of: tree)) == "14\n")
            let shown = text(try ArchiveListing(FileContent.file(at: "Documents/a.archive", in: tree)))
            #expect(
                shown == """
                    NSKeyedArchiver, version 100000, 3 objects
                    root: Gone #1
                      next: Gone #1 (cycle)
                      title: "a\u{fffd}b"

                    """)
            // Its rows are only in the log.
            let database = try OpenedDatabase("Documents/l.sqlite", in: tree)
            #expect(
                text(try RowListing(of: "book", limit: 10, offset: 0, in: database)) == """
                    id  title
                    1   El Quijote
                    2   Emma

                    """)
            let rows = try json(try RowListing(of: "BOOK", limit: 1, offset: 1, in: database))
            #expect(rows["rows"] as? NSArray == [[2, "Emma"]] as NSArray && rows["hasMore"] as? Bool == false)
        }
    }

    @Test(
        "A text is printed without control characters, and a file that is not text is refused on a terminal",
        .needs(.externalProgram))
    func terminal() throws {
        try withContainer { container throws in
            try container.save(Data("a\u{1b}[2Jb\tc\r\nd\re é".utf8), to: .documents / "x.txt")
            try container.save(Data([1, 0, 2]), to: .documents / "x.bin")
            var shown = ""
            try FileContent.file(at: "Documents/x.txt", in: OtherTree(container)).writeText { shown += $0 }
            #expect(shown == "a\u{fffd}[2Jb\tc\nd\u{fffd}e é")
            let error = #expect(throws: ExplorerError.self) {
                try FileContent.file(at: "Documents/x.bin", in: OtherTree(container)).writeText { _ in }
            }
            #expect(error?.code == .wrongContent)
        }
    }

    @Test("A character on the border of two pieces is printed whole", .needs(.externalProgram))
    func pieces() throws {
        try withContainer { container throws in
            let long = String(repeating: "x", count: (1 << 20) - 1) + "é書👩end"
            try container.save(long, to: .documents / "long.txt")
            var shown = ""
            try FileContent.file(at: "Documents/long.txt", in: OtherTree(container)).writeText { shown += $0 }
            #expect(shown == long)
        }
    }

    @Test(
        "A text is a value of its type or an error that states the type",
        arguments: [
            (PreferenceType.boolean, "yes", "2"), (.integer, "-5", "1.5"), (.real, "1e3", "inf"),
            (.date, "2026-01-31T12:00:00Z", "31.1.2026"), (.data, "0aFF", "0a+"), (.array, "[1,[true]]", "{}"),
            (.dictionary, #"{"a": 1}"#, "[]"),
        ])
    func types(type: PreferenceType, good: String, bad: String) throws {
        #expect(PreferenceType(try type.value(of: good)) == type)
        let error = #expect(throws: ExplorerError.self) { try type.value(of: bad) }
        #expect(error?.code == .wrongContent && error?.description.contains(type.rawValue) == true)
    }
}
