import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxfm ls, tree and du", .timeLimit(.minutes(60))) struct ListToolTests {
    private func fill(_ container: Container, in folder: URL) throws {
        try container.save("Dear reader", to: .documents / "letter.txt")
        try container.save(
            Data(count: 5_000), to: .documents / "images/a.jpg", options: .init(provenance: .init(.downloaded)))
        try container.save(Data(count: 70_000), to: .documents / "videos/b.mp4")
        try container.excludeFromBackup(.documents / "videos")
        try container.save(Data(count: 3_000), to: .caches / "c.bin")
        let documents = folder.appending(path: "c/Documents")
        try documents.makeName("again.jpg", of: "images/a.jpg")
        try documents.makeLink("out", to: "/etc/passwd")
        try createPipe(documents.path + "/pipe")
        try documents.write(to: "a\nb\u{1b}[2J", "\u{202e}gpj", "-rf")
        try documents.write(toBytes: [0o351])
    }

    @Test(
        "A file whose content is not on this disk is marked, and du adds such files up",
        .enabled(if: Platform.isLinux, "macOS marks evicted files"))
    func evicted() throws {
        try withContainer { _, folder throws in
            try folder.makeHole("c/Documents/film.mov", size: 5_000_000)
            try folder.write("bplist00", to: "c/Documents/.Report.pages.icloud")
            try folder.write("here", to: "c/Documents/letter.txt")
            let text = try sandboxfm("ls", "c", "Documents", in: folder).text
            #expect(text.contains("film.mov  (content not on this disk)\n") && text.contains("letter.txt\n"))
            let groups = try #require(
                try object("du", "c", "Documents", "--by", "availability", in: folder)["groups"] as? [NSDictionary])
            let sums = groups.map { "\($0["name"] ?? "") \($0["items"] ?? "") \($0["bytes"] ?? "")" }
            #expect(Set(sums) == ["evicted 2 5000008", "present 2 4"])
        }
    }

    @Test(
        "ls prints each item of find, with its size and kind, and every key of its documentation", .needs(.process),
        .enabled(if: Platform.isLinux, "compares with GNU find"))
    func list() throws {
        try withContainer { container, folder throws in
            try fill(container, in: folder)
            let found = try Command(
                "find", ["c", "-mindepth", "1", "-printf", #"%P\0%y %s %m\0"#], in: folder
            ).output.split(separator: 0).map { Array($0) }
            let rows = try #require(
                try object("ls", "c", "**", "--now", "2030-01-01", in: folder)["items"] as? [NSDictionary])
            #expect(rows.count == found.count / 2)
            let keys: Set<String> = [
                "path", "kind", "bytes", "allocatedBytes", "items", "modified", "age", "availability",
                "permissions", "location", "backup", "exclusion", "provenance",
            ]
            let kinds = ["f": "file", "d": "directory", "l": "link", "p": "pipe"]
            for start in stride(from: 0, to: found.count, by: 2) {
                let path = Self.escaped(found[start])
                let fields = String(decoding: found[start + 1], as: UTF8.self).split(separator: " ").map(String.init)
                let row = try #require(rows.first { $0["path"] as? String == path }, "\(path)")
                #expect(row["kind"] as? String == kinds[fields[0]])
                if fields[0] == "f" { #expect(row["bytes"] as? Int == Int(fields[1])) }
                #expect(row["permissions"] as? String == fields[2])
                let more = Set(row.allKeys.compactMap { $0 as? String }).subtracting(keys)
                #expect(
                    more.isSubset(of: ["target", "countedElsewhere"])
                        && keys.isSubset(of: row.allKeys.compactMap { $0 as? String }))
            }
        }
    }

    /// Escapes the names of this test as reports do.
    private static func escaped(_ path: [UInt8]) -> String {
        String(decoding: path, as: UTF8.self).replacing("\n", with: "%0A").replacing("\u{1b}", with: "%1B")
            .replacing("\u{fffd}", with: "%E9").replacing("\u{202e}", with: "%E2%80%AE")
    }

    @Test("ls states who decided about backups, the policy, the provenance and the age")
    func columns() throws {
        try withContainer { container, folder throws in
            try fill(container, in: folder)
            try folder.setTimes("2026-01-01T00:00:00Z", of: "c/Documents/videos/b.mp4", "c/Documents/letter.txt")
            let listed = try sandboxfm(
                "ls", "c", "Documents/videos/b.mp4", "Documents/letter.txt", "Library/Caches/*/c.bin",
                "Documents/images/a.jpg", "--now", "2026-03-02", in: folder)
            func row(_ name: String) -> String {
                let line = listed.text.split(separator: "\n").first { $0.hasSuffix(name) } ?? ""
                return line.split(separator: " ").joined(separator: " ")
            }
            #expect(row("b.mp4") == "70 KB 60 d no exclusion of Documents/videos kept Documents/videos/b.mp4")
            #expect(row("letter.txt") == "11 bytes 60 d yes Documents kept Documents/letter.txt")
            #expect(row("c.bin").contains("no Library/Caches purged at any time"))
            #expect(row("a.jpg").contains("yes Documents kept downloaded"))
        }
    }

    @Test("No reading command prints a control character or a byte that is not UTF-8", arguments: ["ls", "tree", "du"])
    func hostileNames(command: String) throws {
        try withContainer { container, folder throws in
            try fill(container, in: folder)
            for arguments in [[], ["--json"]] {
                let run = try sandboxfm([command, "c", "Documents"] + arguments, in: folder)
                #expect(run.code == 0)
                let text = try #require(String(bytes: run.output, encoding: .utf8))
                #expect(
                    !text.unicodeScalars.contains {
                        $0 != "\n" && ($0.value < 0x20 || $0 == "\u{7f}" || $0 == "\u{202e}")
                    })
            }
        }
    }

    @Test("Each line fits a terminal of 20, 40 and 80 columns", .needs(.externalProgram), arguments: [20, 40, 80])
    func width(columns: Int) throws {
        try withContainer { container, folder throws in
            try fill(container, in: folder)
            try container.save("x", to: .documents / "a/b/c/d/e/f/g/\(String(repeating: "書", count: 40)).txt")
            let value = String(repeating: "value ", count: 40)
            #expect(try sandboxfm("prefs", "set", "c", "key", value, in: folder).code == 0)
            for arguments in [
                ["ls", "c"], ["ls", "c", "**"], ["tree", "c"], ["du", "c"], ["du", "c", "--by", "location"],
                ["prefs", "list", "c"],
            ] {
                let run = try inTerminal(arguments, columns: columns, in: folder)
                #expect(run.code == 0, "\(run.text)")
                let lines = run.text.split(separator: "\r\n")
                #expect(!lines.isEmpty)
                for line in lines { #expect(line.reduce(0) { $0 + ($1 == "書" ? 2 : 1) } <= columns, "\(line)") }
            }
        }
    }

    @Test("The totals of du are those of du and of ncdu, with hard links counted once", .needs(.externalProgram))
    func totals() throws {
        try withContainer { container, folder throws in
            try fill(container, in: folder)
            let usage = try object("du", "c", in: folder)
            let total = try #require(usage["total"] as? NSDictionary)
            let du = try Command("du", ["-s", "-k", "c"], in: folder)
            #expect(total["allocatedBytes"] as? Int == Int(du.text.split(separator: "\t")[0]).map { $0 * 1024 })
            let ncdu = try Command("ncdu", ["-0", "-o", "-", "c"], in: folder)
            let sum = try Self.sum(of: JSONSerialization.jsonObject(with: Data(ncdu.text.utf8)))
            #expect(total["allocatedBytes"] as? Int == sum)
            for by in ["location", "backup", "exclusion", "kind", "provenance"] {
                let groups = try #require(try object("du", "c", "--by", by, in: folder)["groups"] as? [NSDictionary])
                #expect(groups.compactMap { $0["allocatedBytes"] as? Int }.reduce(0, +) == sum, "\(by)")
                #expect(groups.compactMap { $0["items"] as? Int }.reduce(0, +) == total["items"] as? Int)
            }
            // The second path of the file alone is the whole file.
            for path in ["Documents/again.jpg", "Documents/images"] {
                let part = try object("du", "c", path, "--by", "kind", in: folder)
                let bytes = (part["total"] as? NSDictionary)?["bytes"] as? Int
                #expect(bytes == 5_000, "\(path)")
            }
        }
    }

    /// Returns the allocated bytes in the export of ncdu, each file with several hard links once.
    private static func sum(of export: Any) throws -> Int {
        var seen: Set<Int> = []
        func sum(_ node: Any) -> Int {
            if let directory = node as? [Any] { return directory.reduce(0) { $0 + sum($1) } }
            guard let item = node as? NSDictionary else { return 0 }
            if item["hlnkc"] as? Bool == true, let inode = item["ino"] as? Int, !seen.insert(inode).inserted {
                return 0
            }
            return item["dsize"] as? Int ?? 0
        }
        let parts = try #require(export as? [Any])
        return sum(try #require(parts.last))
    }

    @Test("A directory that cannot be read makes the run incomplete, and is named", .needs(.externalProgram))
    func unreadable() throws {
        try withContainer { container, folder throws in
            try container.save("x", to: .documents / "closed/x")
            let run = try withoutPrivileges(["ls", "c", "--json"], closing: "c/Documents/closed", in: folder)
            let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? NSDictionary)
            #expect(run.code == 3, "\(run.errors)")
            #expect(
                report["notRead"] as? [[String: String]] == [
                    ["path": "Documents/closed", "reason": "permission-denied"]
                ])
            #expect(run.errors == "sandboxfm: “Documents/closed” was not read: permission-denied\n")
        }
    }
}
