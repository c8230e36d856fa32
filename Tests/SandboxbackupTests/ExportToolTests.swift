import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxbackup export", .timeLimit(.minutes(60))) struct ExportToolTests {
    /// The included items by path according to Python: kind, mode, size, time and hash.
    private struct Kept: Decodable {
        let mode: UInt16
        let size: UInt64
        let modified: Int64
        let target: String?
        let sha256: String?
    }

    private func kept(of container: String) throws -> [[UInt8]: Kept] {
        let code = """
            import os, json, hashlib, stat
            out = {b"Library/Caches", b"tmp", b"SystemData", b".com.apple.mobile_container_manager.metadata.plist"}
            rows = {}
            def tell(path):
                s = os.lstat(path or b".")
                row = dict(mode=s.st_mode, size=0, modified=s.st_mtime_ns // 10**9)
                if stat.S_ISLNK(s.st_mode): row["target"] = os.readlink(path).decode()
                if stat.S_ISREG(s.st_mode):
                    row["size"] = s.st_size
                    row["sha256"] = hashlib.sha256(open(path, "rb").read()).hexdigest()
                rows[path.hex()] = row
                if stat.S_ISDIR(s.st_mode):
                    for name in os.listdir(path or b"."):
                        inner = os.path.join(path, name)
                        if inner not in out and b"\\xff" not in name: tell(inner)
            tell(b"")
            print(json.dumps(rows))
            """
        let text = try python(code, in: URL(fileURLWithPath: container))
        let rows = try JSONDecoder().decode([String: Kept].self, from: Data(text.utf8))
        return Dictionary(
            uniqueKeysWithValues: rows.map { hex, row in
                let digits = Array(hex.utf8)
                let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
                    UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)
                }
                return (bytes, row)
            })
    }

    @Test(
        "Third-party readers open an export and read every entry as stored", .needs(.externalProgram),
        arguments: IndependentReader.allCases)
    func readers(reader: IndependentReader) throws {
        try withRepositorySample { folder, container, store throws in
            // A name that is not UTF-8 is omitted.
            let backup = try exported(container, store, to: folder.appending(path: "out"), code: 3)
            let expected = try kept(of: container)
            let rows = try reader.read(backup)
            #expect(expected.count > 55 && rows.count == expected.count)
            for row in rows {
                #expect(row.domain == "AppDomain-com.example.app")
                let one = try #require(expected[Array(row.path.utf8)], "\(row.path)")
                #expect(row.mode == one.mode && row.size == one.size && row.modified == one.modified, "\(row)")
                if reader == .dissect { #expect(row.target == one.target) }
                let isGiven = one.size == 0 ? reader.givesContent.empty : reader.givesContent.filled
                #expect(row.sha256 == (isGiven ? one.sha256 : nil), "\(row.path)")
            }
        }
    }

    @Test("Losses of the layout are reported, and missing items make the run incomplete", .needs(.externalProgram))
    func losses() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let large = "UPDATE attribute SET value = zeroblob(110000) WHERE name = 'com.example.mark'"
            let unstable = "UPDATE entry SET state = 1 WHERE CAST(name AS TEXT) = 'photo.bin'"
            try executeSQL("\(large); \(unstable)", in: "\(store)/catalogue.sqlite")
            try rehash(store)
            let text = try backed(
                "export", "1", "--to", folder.path, "--repository", store, code: 3)
            let lines = text.split(separator: "\n").dropFirst().map(String.init)
            #expect(
                lines.prefix(11) == [
                    "missing or incomplete:",
                    "  attributes-too-large: Documents/letter.txt",
                    "  attributes-too-large: Documents/notes",
                    "  attributes-too-large: Documents/notes/same.txt",
                    "  name-not-text: Documents/%FFbytes",
                    "stored with less detail:",
                    "  hole-filled: Documents/hole.bin",
                    "  hard-link: Documents/letter.txt",
                    "  hard-link: Documents/notes/same.txt",
                    "  unstable: Documents/photo.bin",
                    "  hole-filled: Documents/sparse.bin",
                ], "\(text)")
            #expect(lines.count == 12 && lines[11].hasPrefix("  time-rounded: "))
        }
    }

    @Test("The same snapshot gives the same bytes, with derived or given device properties", .needs(.externalProgram))
    func deterministic() throws {
        try withBackupSample { _, container throws in
            let folder = URL(fileURLWithPath: container).deletingLastPathComponent()
            let store = folder.appending(path: "store").path
            try backed("create", container, "--repository", store)
            for (place, facts) in [
                ("a", []), ("b", []),
                ("c", ["--udid", "ABC-1", "--device-name", "Ada’s \u{1b}[31m", "--product-version", "10.2"]),
            ] {
                let run = try sandboxbackup(
                    ["export", "1", "--to", place, "--repository", store, "--format", "json"] + facts,
                    in: folder)
                #expect(run.code == 0 && run.text.contains(#""files":1,"#), "\(run.text)\(run.errors)")
            }
            let areEqual = FileManager.default.contentsEqual(atPath: folder.path + "/a", andPath: folder.path + "/b")
            #expect(areEqual)
            let code = """
                import plistlib, os
                info = plistlib.load(open("c/ABC-1/Info.plist", "rb"))
                print([info[key] for key in ("Device Name", "Product Version", "Target Identifier", "Installed Applications")])
                print(len(os.listdir("a")), len(os.listdir("a")[0]))
                """
            #expect(
                try python(code, in: folder)
                    == "['Ada’s \\x1b[31m', '10.2', 'ABC-1', ['com.example.app']]\n1 40\n")
        }
    }

    @Test("A group is exported as a group, and a snapshot without an app as the given app")
    func domains() throws {
        try withScratch { folder throws in
            let container = folder.appending(path: "container")
            try FileManager.default.createDirectory(
                at: container.appending(path: "Library"), withIntermediateDirectories: true)
            let store = folder.appending(path: "store").path
            try backed("create", container.path, "--repository", store)
            let nobody = try sandboxbackup("export", "1", "--to", "x", "--repository", store)
            #expect(nobody.code == 1 && nobody.errors.contains("--bundle-id"), "\(nobody.errors)")
            try backed(
                "export", "1", "--to", folder.path, "--repository", store, "--udid", "A",
                "--bundle-id", "com.example.named")
            try backed("create", container.path, "--repository", store, "--bundle-id", "group.com.example")
            try backed(
                "export", "2", "--to", folder.path, "--repository", store, "--udid", "B")
            for (device, domain) in [("A", "AppDomain-com.example.named"), ("B", "AppDomainGroup-group.com.example")] {
                let manifest = folder.appending(path: "\(device)/Manifest.db").path
                let sql = "SELECT domain || '/' || relativePath FROM Files"
                #expect(try executeSQL(sql, in: manifest) == "\(domain)/\n\(domain)/Library\n")
            }
        }
    }

    @Test(
        "Ctrl-C during the final flush leaves nothing of the backup", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs strace"))
    func interrupted() throws {
        try withBackupSample { _, container throws in
            let folder = URL(fileURLWithPath: container).deletingLastPathComponent()
            try backed("create", container, "--repository", folder.appending(path: "store").path)
            let script = """
                set -m
                strace -D -f -qq -o /dev/null -e trace=syncfs -e inject=syncfs:delay_enter=3000000 \
                    "$TOOL" export 1 --udid A --repository store --to out > said 2> errors &
                tool=$!
                until [ -e out/A.unfinished/Info.plist ] || ! kill -0 $tool 2> /dev/null; do :; done
                kill -INT $tool; wait $tool; echo $?
                cat errors; ls -A out
                """
            let run = try Command("bash", ["-c", script], in: folder, environment: ["TOOL": Command.sandboxbackup])
            let said = "sandboxbackup: interrupted. The incomplete backup was removed.\n"
            #expect(run.text == "130\n" + said, "\(run.text)\(run.errors)")
        }
    }

    @Test("A failed export leaves no backup and explains why")
    func refusals() throws {
        try withBackupSample { _, container throws in
            let folder = URL(fileURLWithPath: container).deletingLastPathComponent()
            let store = folder.appending(path: "store").path
            let backup = try exported(container, store, to: folder)
            let before = try TreeListing(of: backup)
            let identifier = backup.lastPathComponent
            for (arguments, code, word) in [
                (["--udid", identifier], 1, "already"), (["--udid", "../x"], 2, "--udid"),
                (["--product-version", "9.3"], 2, "10.2"), (["--product-version", "17.x"], 2, "10.2"),
                (["--bundle-id", "a/b"], 1, "identifier"),
            ] as [([String], Int32, String)] {
                let run = try sandboxbackup(
                    ["export", "1", "--to", folder.path, "--repository", store] + arguments)
                #expect(run.code == code && run.errors.contains(word), "\(arguments): \(run.errors)")
            }
            #expect(try TreeListing(of: backup).differences(from: before) == [])
            try zeroFrames(of: store)
            let damaged = try sandboxbackup(
                "export", "1", "--to", folder.appending(path: "d").path, "--repository", store)
            #expect(damaged.code == 12 && damaged.text.contains("damaged: Documents/letter.txt"), "\(damaged.errors)")
            #expect(damaged.text.contains("0 files"))
        }
    }

    @Test(
        "A link with an empty target or a NUL is reported and omitted", .needs(.externalProgram),
        arguments: ["x''", "x'610062'"])
    func target(bytes: String) throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let change = "UPDATE entry SET target = \(bytes) WHERE CAST(name AS TEXT) = 'dangling'"
            try executeSQL(change, in: "\(store)/catalogue.sqlite")
            try rehash(store)
            let text = try backed("export", "1", "--to", folder.path, "--udid", "A", "--repository", store, code: 3)
            #expect(text.contains("  target-not-text: Documents/dangling\n"), "\(text)")
            let rows = "SELECT count(*) FROM Files WHERE relativePath = 'Documents/dangling'"
            #expect(try executeSQL(rows, in: "\(folder.path)/A/Manifest.db") == "0\n")
        }
    }
}
