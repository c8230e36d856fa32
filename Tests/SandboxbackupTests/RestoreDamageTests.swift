import Foundation
import TestSupport
import Testing

@Suite("sandboxbackup restore with errors", .timeLimit(.minutes(60))) struct RestoreDamageTests {
    /// Restores into `out` from a manipulated catalogue with valid hashes.
    private func restoring(
        _ change: String, _ options: String..., preparing preparation: String = "", before script: String = "true",
        _ body: (URL, Command) throws -> Void
    ) throws {
        try withRepositorySample { folder, container, store throws in
            let links = "ln -s a//b/ Documents/slashes; \(preparation)"
            try Command.setUp("bash", ["-c", links], in: URL(fileURLWithPath: container))
            try backed("create", container, "--store", store)
            let changed = try Command("sqlite3", ["\(store)/catalogue.sqlite", change])
            try #require(changed.code == 0, "\(changed.errors)")
            try rehash(store)
            try Command.setUp("bash", ["-euc", script], in: folder)
            let command = ["restore", "1", "--store", store, "--to", "out"] + options
            try body(folder, Command(Command.sandboxbackup, command, in: folder))
        }
    }

    private static let link = "UPDATE entry SET target = %@ WHERE CAST(name AS TEXT) = 'slashes'"

    @Test("A link is restored with the bytes of its target, including unusual ones")
    func link() throws {
        try restoring("SELECT 1") { folder, run throws in
            #expect(run.code == 0, "\(run.text)")
            #expect(try Command("readlink", ["-n", "out/Documents/slashes"], in: folder).text == "a//b/")
        }
    }

    @Test("A link with an impossible target is damaged", arguments: ["x'610062'", "x''", "NULL"])
    func damagedLink(target: String) throws {
        try restoring(Self.link.replacingOccurrences(of: "%@", with: target)) { folder, run throws in
            #expect(
                run.code == 3 && run.text.hasSuffix("in the snapshot:\n  damaged: Documents/slashes\n"), "\(run.text)")
            #expect(try Command("readlink", ["out/Documents/slashes"], in: folder).code == 1)
        }
    }

    @Test("An existing file remains if its replacement fails")
    func oldOrNew() throws {
        // Longer than a link target can be.
        let change = Self.link.replacingOccurrences(of: "%@", with: "CAST(printf('%.5000c', 'x') AS BLOB)")
        let script = "mkdir -p out/Documents; printf mine > out/Documents/slashes"
        try restoring(change, "--overwrite", before: script) { folder, run throws in
            #expect(run.code == 3 && run.text.contains("  not-writable: Documents/slashes\n"), "\(run.text)")
            #expect(try String(contentsOf: folder.appending(path: "out/Documents/slashes"), encoding: .utf8) == "mine")
            #expect(try !names(in: folder.appending(path: "out/Documents")).contains { $0.contains("staging") })
        }
    }

    @Test("Links, files and hard links replace existing items")
    func replaced() throws {
        let script = """
            mkdir -p out/Documents/notes; printf mine > out/Documents/slashes
            ln -s /nowhere out/Documents/notes/same.txt; ln -s /nowhere out/Documents/letter.txt
            """
        try restoring("SELECT 1", "--overwrite", before: script) { folder, run throws in
            #expect(run.code == 0, "\(run.text)")
            let container = folder.appending(path: "container")
            #expect(try listing(container).differences(from: listing(folder.appending(path: "out"))) == [])
            let names = ["out/Documents/letter.txt", "out/Documents/notes/same.txt"]
            let inodes = try Command("stat", ["-c", "%i %h"] + names, in: folder).text.split(separator: "\n")
            #expect(inodes.count == 2 && Set(inodes).count == 1 && inodes[0].hasSuffix(" 2"), "\(inodes)")
        }
    }

    @Test("An unreadable directory is reported, and everything else is restored")
    func directory() throws {
        let change =
            "UPDATE entry SET kind = 99 WHERE CAST(name AS TEXT) = '7.txt' AND directory = (SELECT child FROM entry WHERE CAST(name AS TEXT) = 'notes')"
        try restoring(change) { folder, run throws in
            #expect(
                run.code == 3 && run.text.hasSuffix("in the snapshot:\n  damaged: Documents/notes\n"), "\(run.text)")
            let before = try names(in: folder.appending(path: "container/Documents"))
            #expect(try names(in: folder.appending(path: "out/Documents")) == before)
            #expect(
                try String(contentsOf: folder.appending(path: "out/Documents/letter.txt"), encoding: .utf8)
                    == "Dear reader")
            let store = folder.appending(path: "store").path
            let told = try sandboxbackup("restore", "1", "-n", "--store", store, "--to", "new", in: folder)
            #expect(told.code == 3 && told.text.contains("? Documents/notes\n"), "\(told.text)")
            let app = try sandboxbackup("restore", "1", "--as-ios", "--store", store, "--to", "new", in: folder)
            #expect(app.code == 3 && app.text.contains("  damaged: Documents/notes\n"), "\(app.text)\(app.errors)")
        }
    }

    @Test("A file with mixed states is reported")
    func unstable() throws {
        let change = "UPDATE entry SET state = 1 WHERE CAST(name AS TEXT) = 'photo.bin'"
        try restoring(change) { folder, run throws in
            #expect(run.code == 0 && run.text.hasSuffix("\n  unstable: Documents/photo.bin\n"), "\(run.text)")
            let store = folder.appending(path: "store").path
            let again = try sandboxbackup(
                "restore", "1", "--format", "json", "--store", store, "--to", "out", in: folder)
            let remark = #""remarks":[{"path":"Documents/photo.bin","reason":"unstable"}]"#
            #expect(again.code == 0 && again.text.contains(remark), "\(again.text)")
            let quiet = try sandboxbackup("restore", "1", "-q", "--store", store, "--to", "out", in: folder)
            #expect(quiet.text.contains("  unstable: Documents/photo.bin\n"), "\(quiet.text)")
        }
    }

    @Test("Set-ID bits that would lend the rights of the restoring user are dropped and reported")
    func setID() throws {
        let change = """
            UPDATE entry SET user = 4711 WHERE CAST(name AS TEXT) = 'photo.bin';
            UPDATE entry SET "group" = 4711 WHERE CAST(name AS TEXT) = 'again.bin'
            """
        try withScratch { other throws in
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: other.path)
            let modes = "chmod 4755 Documents/photo.bin; chmod 2755 Documents/again.bin"
            let script = "chmod -R a+rwX . 2> /dev/null || true"
            try restoring(change, preparing: modes, before: script) { folder, _ throws in
                let store = folder.appending(path: "store").path
                // Other users may not have access to the build directory.
                let copy = other.appending(path: "sandboxbackup").path
                try FileManager.default.copyItem(atPath: Command.sandboxbackup, toPath: copy)
                let command = [
                    copy, "restore", "1", "--preserve-special-modes", "--store", store, "--to",
                    other.appending(path: "out").path,
                ]
                let run = try Command("env", Command.unprivileged + command, in: folder)
                let named =
                    "in the snapshot:\n  set-id-bits-dropped: Documents/again.bin\n  set-id-bits-dropped: Documents/photo.bin\n"
                #expect(run.code == 3 && run.text.hasSuffix(named), "\(run.text)\(run.errors)")
                let modes = try Command("bash", ["-c", "stat -c %a out/Documents/{again,photo}.bin"], in: other).text
                #expect(modes == "755\n755\n")
            }
        }
    }

    @Test("Set-ID bits are restored only on request, and otherwise reported")
    func specialModes() throws {
        try withRepositorySample { folder, container, store throws in
            let script = "chmod 6755 Documents/photo.bin; chmod 2750 Documents/empty; chmod 1750 Documents/notes"
            try Command.setUp("bash", ["-c", script], in: URL(fileURLWithPath: container))
            try backed("create", container, "--store", store)
            func modes(_ target: String) throws -> String {
                let paths = ["photo.bin", "empty", "notes"].map { "\(target)/Documents/\($0)" }
                return try Command("stat", ["-c", "%a"] + paths, in: folder).text
            }
            let restore = ["restore", "1", "--store", store, "--to"]
            for _ in 1...2 {
                let run = try Command(Command.sandboxbackup, restore + ["plain", "--overwrite"], in: folder)
                let named =
                    "in the snapshot:\n  set-id-bits-dropped: Documents/empty\n  set-id-bits-dropped: Documents/photo.bin\n"
                #expect(run.code == 3 && run.text.hasSuffix(named), "\(run.text)\(run.errors)")
                #expect(try modes("plain") == "755\n750\n1750\n")
            }
            let asked = try Command(
                Command.sandboxbackup, restore + ["asked", "--preserve-special-modes"], in: folder)
            #expect(asked.code == 0, "\(asked.text)\(asked.errors)")
            #expect(try modes("asked") == "6755\n2750\n1750\n")
        }
    }

    @Test("Success is reported only after everything is on disk", .enabled(if: Platform.isLinux, "runs strace"))
    func lasting() throws {
        try restoring("SELECT 1") { folder, _ throws in
            let inject = ["-f", "-o", "trace", "-e", "trace=syncfs", "-e", "inject=syncfs:error=EIO"]
            let command = [Command.sandboxbackup, "restore", "1", "--store", "store", "--to", "new"]
            let run = try Command("strace", inject + command, in: folder)
            #expect(run.code == 1 && run.text.isEmpty, "\(run.text)")
            #expect(run.errors.contains("sync the disk"), "\(run.errors)")
            let trace = try String(contentsOf: folder.appending(path: "trace"), encoding: .utf8)
            #expect(trace.components(separatedBy: "syncfs(").count == 2, "\(trace)")
        }
    }

    @Test(
        "A time that the file system cannot store is skipped and reported",
        .enabled(if: Platform.isLinux, "runs strace"))
    func time() throws {
        try restoring("SELECT 1") { folder, _ throws in
            let inject = ["-f", "-o", "trace", "-e", "trace=utimensat", "-e", "inject=utimensat:error=EINVAL"]
            let paths = ["Documents/letter.txt", "Documents/dangling"]
            let command = [Command.sandboxbackup, "restore", "1"] + paths + ["--store", "store", "--to", "new"]
            let run = try Command("strace", inject + command, in: folder)
            #expect(run.code == 3 && run.text.contains("  time-not-set: Documents/letter.txt\n"), "\(run.text)")
            #expect(run.text.contains("  time-not-set: Documents/dangling\n"), "\(run.text)")
            #expect(
                try String(contentsOf: folder.appending(path: "new/Documents/letter.txt"), encoding: .utf8)
                    == "Dear reader")
            #expect(try Command("readlink", ["new/Documents/dangling"], in: folder).text == "/nowhere/at/all\n")
        }
    }
}
