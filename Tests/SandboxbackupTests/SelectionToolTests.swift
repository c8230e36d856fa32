import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxbackup snapshots, find, diff and verify select and sum", .timeLimit(.minutes(60)))
struct SelectionToolTests {
    /// Calls `body` with a repository of two apps: snapshots 1 to 3 of the first, made by two computers, and 4 of the
    /// second.
    private func withSnapshots(_ body: (_ folder: URL, _ store: String) throws -> Void) throws {
        try withScratch { folder throws in
            let store = folder.appending(path: "store").path
            for (app, count) in [("a", 3), ("b", 1)] {
                let path = folder.appending(path: app).path
                let container = try Container.create(at: FilePath(path), bundleIdentifier: "com.example.\(app)")
                for number in 1...count {
                    try container.save(Data(count: 1_000 * number), to: .documents / "data")
                    try container.save("\(number)", to: .documents / "\(number).txt")
                    try backed(
                        "create", path, "--host", number == 1 ? "mac" : "mini", "--tag", number == 2 ? "x,y" : "x",
                        "--repository", store)
                }
            }
            try body(folder, store)
        }
    }

    private func numbers(_ store: String, _ arguments: String...) throws -> [Int] {
        struct Listed: Decodable { let snapshot: Int }
        let run = try sandboxbackup(["snapshots", "--repository", store, "--format", "jsonl"] + arguments).succeeded()
        return try run.text.split(separator: "\n").map {
            try JSONDecoder().decode(Listed.self, from: Data($0.utf8)).snapshot
        }
    }

    @Test("The list has a header and aligned columns")
    func table() throws {
        try withSnapshots { folder, store throws in
            let lines = try backed("snapshots", "--repository", store).split(separator: "\n").map(String.init)
            #expect(lines.count == 5)
            let header = lines[0].split(separator: " ")
            #expect(header == ["number", "date", "app", "tags", "files", "size", "ID", "host", "path"])
            for (name, value) in [("app", "com.example."), ("tags", "[x"), ("host", "m"), ("path", folder.path)] {
                let column = try #require(lines[0].firstRange(of: name)?.lowerBound)
                let offset = lines[0].distance(from: lines[0].startIndex, to: column)
                #expect(lines.dropFirst().allSatisfy { $0.dropFirst(offset).hasPrefix(value) }, "\(name): \(lines)")
            }
        }
    }

    @Test("Snapshots are selected by app, host, path, tag and age")
    func selected() throws {
        try withSnapshots { folder, store throws in
            #expect(try numbers(store) == [1, 2, 3, 4])
            #expect(try numbers(store, "--bundle-id", "com.example.a") == [1, 2, 3])
            #expect(try numbers(store, "--host", "mac") == [1, 4])
            #expect(try numbers(store, "--path", folder.appending(path: "b").path) == [4])
            #expect(try numbers(store, "--path", folder.appending(path: "none/../a").path, "--host", "mini") == [2, 3])
            #expect(try numbers(store, "--tag", "x,y") == [2])
            #expect(try numbers(store, "--tag", "y", "--tag", "x") == [1, 2, 3, 4])
            #expect(try numbers(store, "--latest", "1") == [3, 4])
            #expect(try numbers(store, "--latest", "2") == [2, 3, 4])
            #expect(try numbers(store, "--latest", "1", "--group-by", "host") == [3, 4])
            #expect(try numbers(store, "--latest", "1", "--group-by", "app,host") == [1, 3, 4])
            #expect(try backed("snapshots", "--host", "none", "--repository", store) == "no snapshots\n")
            for arguments in [["--latest", "0"], ["--group-by", "size"], ["--tag", ""]] {
                #expect(try sandboxbackup(["snapshots", "--repository", store] + arguments).code == 2, "\(arguments)")
            }
        }
    }

    @Test("Groups have headings, and JSON objects of their own")
    func groups() throws {
        struct Report: Decodable {
            struct Group: Decodable {
                struct Listed: Decodable { let snapshot: Int }
                let group: [String: String]
                let snapshots: [Listed]
            }
            let groups: [Group]
        }
        try withSnapshots { _, store throws in
            let text = try backed("snapshots", "--group-by", "app,host", "--repository", store)
            #expect(text.hasPrefix("app com.example.a, host mac\nnumber  "), "\(text)")
            let run = try sandboxbackup(
                "snapshots", "--group-by", "app,host", "--repository", store, "--format", "json")
            let groups = try JSONDecoder().decode(Report.self, from: run.output).groups
            #expect(groups.map { $0.snapshots.map(\.snapshot) } == [[1], [2, 3], [4]])
            #expect(groups.first?.group == ["app": "com.example.a", "host": "mac"])
        }
    }

    @Test("Items are found by size and time")
    func found() throws {
        try withSnapshots { folder, store throws in
            func lines(_ arguments: String...) throws -> [Substring] {
                let text = try sandboxbackup(["find", "--repository", store] + arguments).succeeded().text
                return text == "nothing found\n" ? [] : text.split(separator: "\n")
            }
            #expect(try lines("--larger-than", "1KB").count == 2)
            #expect(try lines("--larger-than", "999", "--smaller-than", "2KB").count == 2)
            #expect(try lines("*.txt", "--larger-than", "1KB").isEmpty)
            #expect(try lines("data", "--modified-since", "2100-01-01").isEmpty)
            #expect(try lines("data", "--modified-before", "2100-01-01T00:00:00Z").count == 4)
            try URL(fileURLWithPath: folder.path).setTimes("2020-02-03T04:05:06Z", of: "a/Documents/data")
            try backed("create", folder.appending(path: "a").path, "--repository", store)
            #expect(try lines("--modified-before", "2020-02-04", "--modified-since", "2020-02-03").count == 1)
            #expect(try lines("--modified-before", "2020-02-03").isEmpty)
            for arguments in [[], ["--larger-than", "big"], ["--modified-since", "yesterday"]] {
                #expect(try sandboxbackup(["find", "--repository", store] + arguments).code == 2, "\(arguments)")
            }
        }
    }

    @Test("The differences end with sums of items and bytes")
    func differences() throws {
        struct Sum: Decodable, Equatable { let items, before, after: Int }
        struct Report: Decodable { let summary: [String: Sum] }
        try withSnapshots { _, store throws in
            let text = try backed("diff", "1", "3", "--repository", store)
            let sums =
                "2 added, 2 bytes; 0 removed, 0 bytes; 1 modified, 1 KB before and 3 KB after; 1 with other metadata\n"
            #expect(text.hasSuffix(sums), "\(text)")
            for format in ["json", "jsonl"] {
                let run = try sandboxbackup("diff", "1", "3", "--repository", store, "--format", format)
                let last = try #require(run.text.split(separator: "\n").last)
                let summary = try JSONDecoder().decode(Report.self, from: Data(last.utf8)).summary
                #expect(summary["added"] == Sum(items: 2, before: 0, after: 2))
                #expect(summary["modified"] == Sum(items: 1, before: 1_000, after: 3_000))
            }
        }
    }

    @Test("One snapshot is verified with its content, and parts together read every byte")
    func verified() throws {
        struct Report: Decodable { let objects, bytes: Int }
        try withSnapshots { _, store throws in
            func report(_ arguments: String...) throws -> Report {
                let run = try sandboxbackup(["verify", "--repository", store, "--format", "json"] + arguments)
                    .succeeded()
                return try JSONDecoder().decode(Report.self, from: run.output)
            }
            let (all, one) = (try report(), try report("4"))
            #expect(one.objects < all.objects && one.objects >= 2)
            let parts = try (1...3).map { try report("--part", "\($0)/3") }
            #expect(parts.reduce(0) { $0 + $1.objects } == all.objects && parts.allSatisfy { $0.objects < all.objects })
            #expect(parts.reduce(0) { $0 + $1.bytes } == all.bytes)
            #expect(try backed("verify", "1", "4", "--repository", store).hasSuffix("no damage in snapshots 1, 4\n"))
            #expect(
                try backed("verify", "--part", "1/3", "--repository", store).hasSuffix("no damage in part 1 of 3\n"))
            for part in ["0/3", "4/3", "1", "1/0", "a/b"] {
                #expect(try sandboxbackup("verify", "--part", part, "--repository", store).code == 2, "\(part)")
            }
            #expect(try sandboxbackup("verify", "1", "--repair", "--repository", store).code == 2)
            // The content of 3.txt is only in the third snapshot.
            let object = "(SELECT object FROM entry WHERE CAST(name AS TEXT) = '3.txt')"
            try executeSQL("DELETE FROM frame WHERE object = \(object)", in: "\(store)/catalogue.sqlite")
            #expect(try sandboxbackup("verify", "1", "2", "4", "--repository", store).code == 0)
            let found = try sandboxbackup("verify", "3", "--repository", store)
            #expect(found.code == 12 && found.text.contains("3:Documents/3.txt"), "\(found.text)")
            let codes = try (1...3).map { try sandboxbackup("verify", "--part", "\($0)/3", "--repository", store).code }
            #expect(codes.sorted() == [0, 0, 12])
            try executeSQL("UPDATE snapshot SET files = files + 1 WHERE id = 2", in: "\(store)/catalogue.sqlite")
            #expect(try sandboxbackup("verify", "2", "--repository", store).code == 12)
            #expect(try sandboxbackup("verify", "1", "--repository", store).code == 0)
        }
    }
}
