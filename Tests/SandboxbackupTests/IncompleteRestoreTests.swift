import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("What a snapshot or a restore does not keep", .timeLimit(.minutes(60))) struct IncompleteRestoreTests {
    private static let heading = "the snapshot is incomplete; not in it, or not as in the container:\n"

    /// Creates a snapshot that lacks two items.
    private func withIncompleteSnapshot(_ body: (URL, _ store: String) throws -> Void) throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let incident = "INSERT INTO incident VALUES(1, CAST('Documents/%@' AS BLOB), '%@')"
            for (path, reason) in [("secret.txt", "permission-denied"), ("notes/3.txt", "changed-while-read")] {
                try executeSQL(String(format: incident, path, reason), in: "\(store)/catalogue.sqlite")
            }
            try rehash(store)
            try body(folder, store)
        }
    }

    @Test("A restore of an incomplete snapshot lists what is missing, in every form", .needs(.externalProgram))
    func incomplete() throws {
        try withIncompleteSnapshot { folder, store throws in
            let note = "  changed-while-read: Documents/notes/3.txt\n"
            let all = Self.heading + note + "  permission-denied: Documents/secret.txt\n"
            for (arguments, expected) in [
                (["--to", "out"], all), (["--to", "out", "-q"], all), (["--to", "out", "-n"], all),
                (["--to", "part", "Documents/notes"], Self.heading + note),
            ] {
                let run = try sandboxbackup(["restore", "1", "--repository", store] + arguments, in: folder)
                #expect(run.code == 3 && run.text.hasSuffix(expected), "\(arguments): \(run.code) \(run.text)")
            }
            let app = try sandboxbackup("restore", "1", "--as-ios", "--repository", store, "--to", "apps", in: folder)
            #expect(app.code == 3 && app.text.contains(all), "\(app.text)")
            let json = try sandboxbackup(
                "restore", "1", "--format", "json", "--repository", store, "--to", "out", in: folder)
            let missing =
                #""missing":[{"path":"Documents/notes/3.txt","reason":"changed-while-read"},"#
                + #"{"path":"Documents/secret.txt","reason":"permission-denied"}]"#
            #expect(json.code == 3 && json.text.contains(missing), "\(json.text)")
            let other = try sandboxbackup(
                "restore", "1", "Documents/letter.txt", "--repository", store, "--to", "other", in: folder)
            #expect(other.code == 0 && !other.text.contains("incomplete"), "\(other.text)")
        }
    }

    @Test("An export of an incomplete snapshot lists what is missing", .needs(.externalProgram))
    func export() throws {
        try withIncompleteSnapshot { folder, store throws in
            let command = ["export", "1", "--repository", store, "--to"]
            let run = try sandboxbackup(command + ["backups"], in: folder)
            let all =
                Self.heading + "  changed-while-read: Documents/notes/3.txt\n"
                + "  permission-denied: Documents/secret.txt\n"
            #expect(run.code == 3 && run.text.contains(all), "\(run.code) \(run.text)")
            // Only what the snapshot lacks makes this one incomplete.
            try Command.setUp("bash", ["-c", "rm -f container/Documents/*bytes"], in: folder)
            let plain = folder.appending(path: "plain").path
            try backed("create", folder.path + "/container", "--repository", plain)
            let whole = try sandboxbackup("export", "1", "--repository", plain, "--to", "whole", in: folder)
            #expect(whole.code == 0 && !whole.text.contains("incomplete"), "\(whole.text)")
            try executeSQL(
                "INSERT INTO incident VALUES(1, CAST('Documents/gone' AS BLOB), 'vanished')",
                in: "\(plain)/catalogue.sqlite")
            try rehash(plain)
            let json = try sandboxbackup(
                "export", "1", "--repository", plain, "--to", "json", "--format", "json", in: folder)
            let missing = #""missing":[{"path":"Documents/gone","reason":"vanished"}]"#
            #expect(json.code == 3 && json.text.contains(missing), "\(json.code) \(json.text)")
        }
    }

    @Test("Damaged content ends with the exit code for damage, and everything else is restored")
    func damaged() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            try damageFilm(of: store)
            let run = try sandboxbackup("restore", "1", "--repository", store, "--to", "out", in: folder)
            #expect(run.code == 12 && run.text.hasSuffix("  damaged: Documents/film.bin\n"), "\(run.text)")
            let restored = try names(in: folder.appending(path: "out/Documents"))
            let expected = try names(in: URL(fileURLWithPath: container + "/Documents"))
            #expect(Set(expected).subtracting(restored) == ["film.bin"])
        }
    }

    @Test(
        "Another user’s restore reports the owners once, and what the snapshot lacks",
        .needs([.externalProgram, .root]))
    func otherUser() throws {
        try withRepositorySample { folder, container, _ throws in
            try withScratch { other throws in
                let place = URL(fileURLWithPath: container)
                try place.write("secret", to: "Documents/secret.txt")
                try Command.setUp("chmod", ["-R", "a+rX", folder.path])
                try place.setMode("000", of: "Documents/secret.txt")
                try place.setMode("674", of: "Documents/letter.txt")
                try place.setMode("755", of: "Documents/notes")
                try Command.setUp("chmod", ["1777", other.path])
                let tool = other.appending(path: "sandboxbackup").path
                try FileManager.default.copyItem(atPath: Command.sandboxbackup, toPath: tool)
                func run(_ arguments: String...) throws -> Command {
                    try Command("env", Command.unprivileged + [tool] + arguments, in: other)
                }
                let made = try run("create", container, "--repository", "store")
                let secret = "  permission-denied: Documents/secret.txt\n"
                #expect(made.code == 3 && made.text.contains(secret), "\(made.text)\(made.errors)")
                let restored = try run("restore", "latest", "--repository", "store", "--to", "out")
                #expect(restored.code == 3, "\(restored.errors)")
                #expect(restored.text.contains("not kept: the owner of "), "\(restored.text)")
                #expect(restored.text.contains("such as the container; only root can set it\n"), "\(restored.text)")
                #expect(restored.text.contains("not kept: a part of the mode of "), "\(restored.text)")
                #expect(restored.text.contains(Self.heading) && restored.text.contains(secret), "\(restored.text)")
                let again = try run(
                    "restore", "latest", "Documents/dangling", "--format", "json", "--repository", "store", "--to",
                    "link")
                let loss = #""losses":[{"property":"owner","items":3,"example":""}]"#
                #expect(again.code == 0 && again.text.contains(loss), "\(again.text)")
            }
        }
    }

    @Test("Access control lists are reported once", .needs(.externalProgram), .enabled(if: Platform.isLinux))
    func accessLists() throws {
        try withRepositorySample { folder, container, store throws in
            let place = URL(fileURLWithPath: container)
            let items = ["Documents/notes", "Documents/letter.txt", "Library/Caches/a"]
            try Command.setUp("setfacl", ["-m", "u:1234:r"] + items, in: place)
            for _ in 1...2 {
                let run = try sandboxbackup("create", container, "--repository", store)
                let line =
                    "not kept: the access control list of 3 items, such as Documents/letter.txt; no snapshot has it\n"
                #expect(run.code == 0 && run.text.contains(line), "\(run.text)")
            }
            let json = try sandboxbackup("create", container, "--repository", store, "--format", "json")
            let loss = #""losses":[{"property":"access-list","items":3,"example":"Documents/letter.txt"}]"#
            #expect(json.text.contains(loss), "\(json.text)")
        }
    }

    @Test("Large attributes are restored", .needs(.externalProgram), .enabled(if: Platform.isLinux))
    func largeAttribute() throws {
        try withRepositorySample { folder, container, store throws in
            let value = String(repeating: "0123456789abcdef", count: 219)
            try AttributeTool.set(
                "user.com.apple.ResourceFork", to: value, of: "Documents/letter.txt", "Documents/notes",
                in: URL(fileURLWithPath: container))
            try backed("create", container, "--repository", store)
            try backed("restore", "latest", "--repository", store, "--to", folder.path + "/out")
            for item in ["Documents/letter.txt", "Documents/notes"] {
                let restored = try AttributeTool.text(
                    "user.com.apple.ResourceFork", of: item, in: folder.appending(path: "out"))
                #expect(restored == value)
            }
        }
    }

    @Test(
        "An attribute that cannot be read is reported, and the file is stored without it", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs strace"))
    func unreadableAttribute() throws {
        try withRepositorySample { folder, container, store throws in
            let command = [
                "-f", "-o", "trace", "-P", "\(container)/Documents/letter.txt", "-e", "trace=fgetxattr", "-e",
                "inject=fgetxattr:error=EIO", Command.sandboxbackup, "create", container, "--repository", store,
            ]
            let run = try Command("strace", command, in: folder)
            let named = "not stored as planned:\n  attribute-not-kept: Documents/letter.txt\n"
            #expect(run.code == 3 && run.text.hasSuffix(named), "\(run.text)\(run.errors)")
            let restored = try sandboxbackup("restore", "latest", "--repository", store, "--to", "out", in: folder)
            let missing = Self.heading + "  attribute-not-kept: Documents/letter.txt\n"
            #expect(restored.code == 3 && restored.text.hasSuffix(missing), "\(restored.text)")
            let letter = folder.appending(path: "out/Documents/letter.txt")
            #expect(try String(contentsOf: letter, encoding: .utf8) == "Dear reader")
        }
    }

    @Test("Modes that an extraction of an archive changes are reported once", .needs(.externalProgram))
    func archive() throws {
        try withRepositorySample { folder, _, store throws in
            let script = """
                import tarfile
                with tarfile.open("app.tar", "w") as tar:
                    for path in ["Documents/photo.bin", "Documents/again.bin", "Documents/nothing"]:
                        info = tarfile.TarInfo("container/" + path); info.mode = 0o200 if "again" in path else 0
                        if "nothing" in path: info.mode = 0o644
                        tar.addfile(info)
                """
            try Command.setUp("python3", ["-c", script], in: folder)
            let run = try sandboxbackup(
                "create", "app.tar", "--bundle-id", "com.example.app", "--repository", store, in: folder)
            let note = "2 items of “app.tar” are readable by the owner, which the archive does not allow, such as "
            #expect(run.errors.contains(note + "“container/Documents/photo.bin”."), "\(run.code) \(run.errors)")
        }
    }
}
