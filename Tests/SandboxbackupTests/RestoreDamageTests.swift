import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxbackup restore with errors", .timeLimit(.minutes(60))) struct RestoreDamageTests {
    /// Restores into `out` from a manipulated catalogue with valid hashes.
    private func restoring(
        _ change: String, _ options: String..., preparing prepare: (_ container: URL) throws -> Void = { _ in },
        before next: (_ folder: URL) throws -> Void = { _ in }, _ body: (URL, Command) throws -> Void
    ) throws {
        try withRepositorySample { folder, container, store throws in
            let directory = URL(fileURLWithPath: container)
            try directory.makeLink("Documents/slashes", to: "a//b/")
            try prepare(directory)
            try backed("create", container, "--repository", store)
            try executeSQL(change, in: "\(store)/catalogue.sqlite")
            try rehash(store)
            try next(folder)
            let command = ["restore", "1", "--repository", store, "--to", "out"] + options
            try body(folder, sandboxbackup(command, in: folder))
        }
    }

    private static let link = "UPDATE entry SET target = %@ WHERE CAST(name AS TEXT) = 'slashes'"

    @Test("A link is restored with the bytes of its target, including unusual ones", .needs(.externalProgram))
    func link() throws {
        try restoring("SELECT 1") { folder, run throws in
            #expect(run.code == 0, "\(run.text)")
            let link = folder.path + "/out/Documents/slashes"
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "a//b/")
        }
    }

    @Test(
        "A link with an impossible target is damaged", .needs(.externalProgram),
        arguments: ["x'610062'", "x''", "NULL"])
    func damagedLink(target: String) throws {
        try restoring(Self.link.replacingOccurrences(of: "%@", with: target)) { folder, run throws in
            #expect(
                run.code == 12 && run.text.hasSuffix("in the snapshot:\n  damaged: Documents/slashes\n"), "\(run.text)")
            #expect(try !names(in: folder.path + "/out/Documents").contains("slashes"))
        }
    }

    @Test("An existing file remains if its replacement fails", .needs(.externalProgram))
    func oldOrNew() throws {
        // Longer than a link target can be.
        let change = Self.link.replacingOccurrences(of: "%@", with: "CAST(printf('%.5000c', 'x') AS BLOB)")
        try restoring(
            change, "--overwrite", before: { try $0.write("mine", to: "out/Documents/slashes") }
        ) { folder, run throws in
            #expect(run.code == 3 && run.text.contains("  not-writable: Documents/slashes\n"), "\(run.text)")
            #expect(try String(contentsOf: folder.appending(path: "out/Documents/slashes"), encoding: .utf8) == "mine")
            #expect(try !names(in: folder.appending(path: "out/Documents")).contains { $0.contains("staging") })
        }
    }

    @Test("Links, files and hard links replace existing items", .needs(.externalProgram))
    func replaced() throws {
        func occupy(_ folder: URL) throws {
            try folder.makeDirectories("out/Documents/notes")
            try folder.write("mine", to: "out/Documents/slashes")
            for name in ["notes/same.txt", "letter.txt"] {
                try folder.makeLink("out/Documents/\(name)", to: "/nowhere")
            }
        }
        try restoring("SELECT 1", "--overwrite", before: occupy) { folder, run throws in
            #expect(run.code == 0, "\(run.text)")
            let container = folder.appending(path: "container")
            #expect(try listing(container).differences(from: listing(folder.appending(path: "out"))) == [])
            let letter = folder.path + "/out/Documents/letter.txt"
            #expect(try inode(of: letter) == inode(of: folder.path + "/out/Documents/notes/same.txt"))
            #expect(try linkCount(of: letter) == 2)
        }
    }

    @Test("An unreadable directory is reported, and everything else is restored", .needs(.externalProgram))
    func directory() throws {
        let change =
            "UPDATE entry SET kind = 99 WHERE CAST(name AS TEXT) = '7.txt' AND directory = (SELECT child FROM entry WHERE CAST(name AS TEXT) = 'notes')"
        try restoring(change) { folder, run throws in
            #expect(
                run.code == 12 && run.text.hasSuffix("in the snapshot:\n  damaged: Documents/notes\n"), "\(run.text)")
            let before = try names(in: folder.appending(path: "container/Documents"))
            #expect(try names(in: folder.appending(path: "out/Documents")) == before)
            #expect(
                try String(contentsOf: folder.appending(path: "out/Documents/letter.txt"), encoding: .utf8)
                    == "Dear reader")
            let store = folder.appending(path: "store").path
            let told = try sandboxbackup("restore", "1", "-n", "--repository", store, "--to", "new", in: folder)
            #expect(told.code == 12 && told.text.contains("? Documents/notes\n"), "\(told.text)")
            let app = try sandboxbackup("restore", "1", "--as-ios", "--repository", store, "--to", "new", in: folder)
            #expect(app.code == 12 && app.text.contains("  damaged: Documents/notes\n"), "\(app.text)\(app.errors)")
        }
    }

    @Test("A file with mixed states is reported", .needs(.externalProgram))
    func unstable() throws {
        let change = "UPDATE entry SET state = 1 WHERE CAST(name AS TEXT) = 'photo.bin'"
        try restoring(change) { folder, run throws in
            #expect(run.code == 0 && run.text.hasSuffix("\n  unstable: Documents/photo.bin\n"), "\(run.text)")
            let store = folder.appending(path: "store").path
            let again = try sandboxbackup(
                "restore", "1", "--format", "json", "--repository", store, "--to", "out", in: folder)
            let remark = #""remarks":[{"path":"Documents/photo.bin","reason":"unstable"}]"#
            #expect(again.code == 0 && again.text.contains(remark), "\(again.text)")
            let quiet = try sandboxbackup("restore", "1", "-q", "--repository", store, "--to", "out", in: folder)
            #expect(quiet.text.contains("  unstable: Documents/photo.bin\n"), "\(quiet.text)")
        }
    }

    @Test(
        "Set-ID bits that would lend the rights of the restoring user are dropped and reported",
        .needs(.externalProgram))
    func setID() throws {
        let change = """
            UPDATE entry SET user = 4711 WHERE CAST(name AS TEXT) = 'photo.bin';
            UPDATE entry SET "group" = 4711 WHERE CAST(name AS TEXT) = 'again.bin'
            """
        try withScratch { other throws in
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: other.path)
            func setIDBits(_ container: URL) throws {
                try container.setMode("4755", of: "Documents/photo.bin")
                try container.setMode("2755", of: "Documents/again.bin")
            }
            func open(_ folder: URL) throws { _ = try Command("chmod", ["-R", "a+rwX", "."], in: folder) }
            try restoring(change, preparing: setIDBits, before: open) { folder, _ throws in
                let store = folder.appending(path: "store").path
                // Other users may not have access to the build directory.
                let copy = other.appending(path: "sandboxbackup").path
                try FileManager.default.copyItem(atPath: Command.sandboxbackup, toPath: copy)
                let command = [
                    copy, "restore", "1", "--preserve-special-modes", "--repository", store, "--to",
                    other.appending(path: "out").path,
                ]
                let run = try Command("env", Command.unprivileged + command, in: folder)
                let named =
                    "in the snapshot:\n  set-id-bits-dropped: Documents/again.bin\n  set-id-bits-dropped: Documents/photo.bin\n"
                #expect(run.code == 3 && run.text.hasSuffix(named), "\(run.text)\(run.errors)")
                for name in ["again", "photo"] {
                    #expect(try mode(of: other.path + "/out/Documents/\(name).bin") == "755")
                }
            }
        }
    }

    @Test("Set-ID bits are restored only on request, and otherwise reported")
    func specialModes() throws {
        try withRepositorySample { folder, container, store throws in
            let documents = URL(fileURLWithPath: container + "/Documents")
            for (name, mode) in [("photo.bin", "6755"), ("empty", "2750"), ("notes", "1750")] {
                try documents.setMode(mode, of: name)
            }
            try backed("create", container, "--repository", store)
            func modes(_ target: String) throws -> [String] {
                try ["photo.bin", "empty", "notes"].map { try mode(of: "\(folder.path)/\(target)/Documents/\($0)") }
            }
            let restore = ["restore", "1", "--repository", store, "--to"]
            for _ in 1...2 {
                let run = try sandboxbackup(restore + ["plain", "--overwrite"], in: folder)
                let named =
                    "in the snapshot:\n  set-id-bits-dropped: Documents/empty\n  set-id-bits-dropped: Documents/photo.bin\n"
                #expect(run.code == 3 && run.text.hasSuffix(named), "\(run.text)\(run.errors)")
                #expect(try modes("plain") == ["755", "750", "1750"])
            }
            let asked = try sandboxbackup(
                restore + ["asked", "--preserve-special-modes"], in: folder)
            #expect(asked.code == 0, "\(asked.text)\(asked.errors)")
            #expect(try modes("asked") == ["6755", "2750", "1750"])
        }
    }

    @Test(
        "Success is reported only after everything is on disk", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs strace"))
    func lasting() throws {
        try restoring("SELECT 1") { folder, _ throws in
            let inject = ["-f", "-o", "trace", "-e", "trace=syncfs", "-e", "inject=syncfs:error=EIO"]
            let command = [Command.sandboxbackup, "restore", "1", "--repository", "store", "--to", "new"]
            let run = try Command("strace", inject + command, in: folder)
            #expect(run.code == 1 && run.text.isEmpty, "\(run.text)")
            #expect(run.errors.contains("sync the disk"), "\(run.errors)")
            let trace = try String(contentsOf: folder.appending(path: "trace"), encoding: .utf8)
            #expect(trace.components(separatedBy: "syncfs(").count == 2, "\(trace)")
        }
    }

    @Test(
        "A time that the file system cannot store is skipped and reported", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs strace"))
    func time() throws {
        try restoring("SELECT 1") { folder, _ throws in
            let inject = ["-f", "-o", "trace", "-e", "trace=utimensat", "-e", "inject=utimensat:error=EINVAL"]
            let paths = ["Documents/letter.txt", "Documents/dangling"]
            let command = [Command.sandboxbackup, "restore", "1"] + paths + ["--repository", "store", "--to", "new"]
            let run = try Command("strace", inject + command, in: folder)
            #expect(run.code == 3 && run.text.contains("  time-not-set: Documents/letter.txt\n"), "\(run.text)")
            #expect(run.text.contains("  time-not-set: Documents/dangling\n"), "\(run.text)")
            #expect(
                try String(contentsOf: folder.appending(path: "new/Documents/letter.txt"), encoding: .utf8)
                    == "Dear reader")
            let link = folder.path + "/new/Documents/dangling"
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/nowhere/at/all")
        }
    }
}
