import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("Import of encrypted and partial backups", .needs(.externalProgram), .timeLimit(.minutes(60)))
struct EncryptedImportTests {
    private static let password = "open sesame"

    /// Exports a backup of a container and passes its directory and that above it to `body`.
    private func withBackup(
        isEncrypted: Bool = true, _ body: (_ folder: URL, _ backup: URL, _ store: String) throws -> Void
    ) throws {
        try withBackupSample { _, container throws in
            let folder = URL(fileURLWithPath: container).deletingLastPathComponent()
            let store = folder.appending(path: "store").path
            let backup = try exported(container, store, to: folder)
            let script = URL(fileURLWithPath: #filePath).appending(path: "../../encrypt-backup").standardized.path
            if isEncrypted { try Command.setUp(Command.python(), [script, backup.path, Self.password]) }
            try body(folder, backup, store)
        }
    }

    @Test("With a password from a file, a pipe or the environment, the snapshot equals that of the unencrypted backup")
    func sources() throws {
        try withBackup { folder, backup, store throws in
            let file = folder.appending(path: "password")
            try Data("\(Self.password)\n".utf8).write(to: file)
            let tool = "'\(Command.sandboxbackup)' import '\(backup.path)' --repository"
            for (index, line) in [
                "\(tool) 0 --password-file password", "\(tool) 1 --password-file <(sleep 1; cat password)",
                "DEVICE_BACKUP_PASSWORD='\(Self.password)' \(tool) 2",
            ].enumerated() {
                let run = try Command("bash", ["-c", line], in: folder)
                #expect(run.code == 0 && !run.text.contains("incomplete"), "\(line): \(run.text)\(run.errors)")
                let out = folder.appending(path: "out\(index)")
                try backed("restore", "1", "--repository", folder.appending(path: "\(index)").path, "--to", out.path)
                try backed("restore", "1", "--repository", store, "--to", out.appendingPathExtension("plain").path)
                let names = { (url: URL) throws in
                    try Command("sh", ["-c", "find . -type f -exec shasum -a 256 {} + | sort"], in: url).text
                }
                #expect(try names(out) == names(out.appendingPathExtension("plain")))
                #expect(try names(out).contains("letter.txt"))
            }
        }
    }

    @Test("On a terminal the user is asked, the answer is not shown, and the terminal shows input afterwards")
    func prompt() throws {
        try withBackup { folder, backup, _ throws in
            let runner = URL(fileURLWithPath: #filePath).appending(path: "../../in-terminal").standardized.path
            let line = "'\(Command.sandboxbackup)' import '\(backup.path)' --list; stty -a"
            for (answer, says) in [(Self.password, "com.example.app"), ("wrong", "The password does not open")] {
                let run = try Command(
                    runner, ["--answer-at", "Password of the backup", answer, "bash", "-c", line], in: folder)
                #expect(run.text.contains(says) && !run.text.contains(answer), "\(run.text)")
                #expect(run.text.contains(" echo "), "\(run.text)")
            }
            let run = try Command(
                runner, ["--ctrl-c-at", "Password of the backup", "bash", "-c", "trap : INT; \(line)"], in: folder)
            #expect(run.text.contains("interrupted") && run.text.contains(" echo "), "\(run.text)")
        }
    }

    @Test("A wrong password, none, and an unreadable password file are errors, and no repository is created")
    func refusals() throws {
        try withBackup { folder, backup, _ throws in
            let second = folder.appending(path: "second")
            let file = folder.appending(path: "password").path
            for (content, arguments, says) in [
                (Data("wrong".utf8), ["--password-file", file], "The password does not open the backup"),
                (Data([0xff, 0xc0]), ["--password-file", file], "cannot read as text the password file"),
                (Data(count: 70_000), ["--password-file", file], "longer than 65536 bytes"),
                (Data(), ["--password-file", file + "-none"], "No such file"),
                (Data(), ["--password-file", file], "The password does not open the backup"),
            ] {
                try content.write(to: URL(fileURLWithPath: file))
                let run = try sandboxbackup(
                    ["import", backup.path, "--repository", second.path] + arguments)
                #expect(run.code == 1 && run.errors.contains(says), "\(run.errors)")
            }
            // Without a terminal: a session of its own has none.
            let detach =
                "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:], start_new_session=True).returncode)"
            let run = try Command(
                "python3", ["-c", detach, Command.sandboxbackup, "import", backup.path, "--repository", second.path])
            #expect(
                run.code == 1 && run.errors.contains("The backup is encrypted. Provide its password"), "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: second.path))
            #expect(
                try Command("sh", ["-c", "ls \"${TMPDIR:-/tmp}\" | grep -c \"^sandboxlint-store-$$\""]).text == "0\n")
        }
    }

    @Test("A partial copy is imported with --partial, and what is missing is reported")
    func partial() throws {
        try withBackup(isEncrypted: false) { folder, backup, _ throws in
            for name in ["Status.plist", "Manifest.plist"] {
                try FileManager.default.removeItem(at: backup.appending(path: name))
            }
            let payload = try executeSQL(
                "SELECT substr(fileID, 1, 2) || '/' || fileID FROM Files WHERE flags = 1 ORDER BY relativePath LIMIT 1",
                in: backup.appending(path: "Manifest.db").path
            ).trimmingCharacters(in: .newlines)
            try FileManager.default.removeItem(at: backup.appending(path: payload))
            let second = folder.appending(path: "second").path
            let refused = try sandboxbackup("import", backup.path, "--repository", second)
            #expect(refused.code == 1 && refused.errors.contains("(--partial)"))
            let text = try backed("import", backup.path, "--repository", second, "--partial", code: 3)
            for incident in ["manifest-plist-missing-and-status-missing", "payload-missing"] {
                #expect(text.contains("  \(incident): "), "\(text)")
            }
            #expect(try backed("verify", "--repository", second).contains("no damage"))
        }
    }

    @Test("An archive of a backup is imported like the backup; one without a backup, or with several, is refused")
    func archives() throws {
        try withBackup { folder, backup, store throws in
            let temporary = folder.appending(path: "temporary")
            try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: false)
            let name = backup.lastPathComponent
            try Command.setUp(
                "bash",
                [
                    "-ec",
                    """
                    tar -cf one.tar -C '\(name)' .; zip -qr two.zip '\(name)'; cp -a '\(name)' second; echo text > text
                    tar -czf several.tgz '\(name)' second; tar -cf none.tar text; rm -r second
                    """,
                ], in: folder)
            try backed("restore", "1", "--repository", store, "--to", folder.appending(path: "restored").path)
            func run(_ archive: String, _ repository: String) throws -> Command {
                try sandboxbackup(
                    ["import", archive, "--repository", repository, "--format", "json"],
                    in: folder, environment: ["TMPDIR": temporary.path, "DEVICE_BACKUP_PASSWORD": Self.password])
            }
            for archive in ["one.tar", "two.zip"] {
                let imported = try run(archive, "of \(archive)")
                #expect(imported.code == 0, "\(imported.text) \(imported.errors)")
                let out = folder.appending(path: "out of \(archive)").path
                try backed(
                    "restore", "latest", "--repository", folder.appending(path: "of \(archive)").path, "--to", out)
                #expect(
                    FileManager.default.contentsEqual(
                        atPath: "\(out)/Documents/letter.txt", andPath: "\(folder.path)/restored/Documents/letter.txt"))
            }
            for (archive, says) in [
                ("several.tgz", "contains several device backups: “"), ("none.tar", "contains no device backup"),
                ("text", "neither a directory nor an archive"), ("missing", "No such file"),
            ] {
                let refused = try run(archive, "none")
                #expect(refused.code == 1 && refused.errors.contains(says), "\(refused.errors)")
            }
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "none").path))
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
        }
    }

    @Test("--list prints the containers of a backup, as text and as JSON, and needs no repository")
    func list() throws {
        try withBackup(isEncrypted: false) { _, backup, _ throws in
            let text = try backed("import", backup.path, "--list")
            #expect(text.hasPrefix("com.example.app  application  ") && text.contains(" 1 file, "), "\(text)")
            let json = try backed("import", backup.path, "--list", "--format", "json")
            #expect(
                json.contains(#""domains":[{"bundleID":"com.example.app","kind":"application","files":"#), "\(json)")
            #expect(try sandboxbackup("import", backup.path).code == 2)
        }
    }
}
