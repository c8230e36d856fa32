import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

/// A container in a scene, and the programs that archive it or back it up.
extension InputScene {
    private static let scripts = URL(fileURLWithPath: #filePath).appending(path: "../..").standardized
    var environment: [String: String] { ["TMPDIR": folder.appending(path: "temporary").path] }
    /// The names in the temporary directory.
    var leftovers: [String] { get throws { try names(in: folder.appending(path: "temporary")) } }

    /// Creates the container `app`: with a re-downloadable file, one that is excluded from backup, and a dangling link.
    func makeArchived() throws -> Container {
        let container = try make("app", "com.example.reader")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "temporary"), withIntermediateDirectories: false)
        let url = try #require(URL(string: "https://example.com/b.jpg"))
        let excluded: ContainerPath = .library / "excluded/b.jpg"
        try container.save(
            Data([0xff, 0xd8]), to: excluded, options: .init(durability: .none, provenance: .downloaded(from: url)))
        try container.excludeFromBackup(excluded)
        try container.save(Data("{".utf8), to: .documents / "broken.json", options: .init(durability: .none))
        return container
    }

    func shell(_ script: String) throws {
        try Command.setUp(
            "bash", ["-ec", script], in: folder,
            environment: ["MAKE": Self.scripts.appending(path: "make-archives").path])
    }

    /// Runs the linter at a time before that of all files, also of a zip, whose times are fixed.
    func lint(_ arguments: [String], password: String? = nil, format: String = "json") throws -> Command {
        var environment = environment
        if let password { environment["DEVICE_BACKUP_PASSWORD"] = password }
        return try sandboxlint(
            ["lint"] + arguments + ["--now", "2020-01-01", "--format", format], in: folder,
            environment: environment)
    }

    /// Makes a backup `backups/UDID` of the container `app`, and encrypts it if there is a password.
    func backUp(_ app: String = "app", as udid: String = "UDID", password: String? = nil) throws -> String {
        let repository = "repository-\(udid)"
        for words in [
            ["create", app, "--repository", repository],
            ["export", "latest", "--to", "backups", "--udid", udid, "--repository", repository],
        ] {
            let run = try sandboxbackup(words, in: folder)
            try #require([0, 3].contains(run.code), "\(run.errors)")
        }
        if let password {
            try Command.setUp(
                Command.python(),
                [Self.scripts.appending(path: "encrypt-backup").path, "backups/\(udid)", password], in: folder)
        }
        return "backups/\(udid)"
    }
}

@Suite("sandboxlint lint ARCHIVE", .timeLimit(.minutes(60))) struct ArchiveInputTests {
    @Test(
        "An archive with attributes has the findings of the container, and nothing remains", .needs(.process),
        arguments: [
            "mkdir App.xcappdata; cp -a app App.xcappdata/AppData; mv App.xcappdata archive",
            "tar --xattrs -cf archive -C app .", "tar --xattrs -cf archive app", "tar --xattrs -czf archive app",
            "tar --xattrs --zstd -cf archive app", "bsdtar -cf archive app", "bsdtar --zstd -cf archive -C app .",
            "mkdir App.xcappdata; cp -a app App.xcappdata/AppData; tar --xattrs -cf archive App.xcappdata",
            "python3 $MAKE ditto-folder archive app",
        ])
    func equal(script: String) throws {
        try withInputScene { scene throws in
            _ = try scene.makeArchived()
            try scene.shell(script)
            let direct = try Report(scene.lint(["app"]))
            let archived = try Report(scene.lint(["archive"]))
            #expect(direct.findings.count >= 2 && archived.lines == direct.lines, "\(direct.lines) \(archived.lines)")
            #expect(archived.fingerprints == direct.fingerprints)
            #expect(archived.findings.map(\.severity) == direct.findings.map(\.severity))
            #expect(archived.run.code == direct.run.code && archived.run.errors.isEmpty, "\(archived.run.errors)")
            #expect(try scene.leftovers == [])
        }
    }

    @Test(
        "An archive without attributes has the findings of a copy without them; exclusions are unknown, and one note says how to keep them",
        .needs(.process),
        arguments: [
            "tar -cf archive -C plain .", "tar -czf archive plain",
            "cd plain && zip -qr ../archive . && mv ../archive.zip ../archive",
        ])
    func unknown(script: String) throws {
        try withInputScene { scene throws in
            _ = try scene.makeArchived()
            try scene.shell("cp -r --preserve=timestamps app plain; printf 'RIFF' > plain/Documents/x.webp; \(script)")
            let direct = try Report(scene.lint(["plain"]))
            let archived = try Report(scene.lint(["archive"]))
            let evidence = "xattr-evidence-missing"
            #expect(
                archived.lines.filter { !$0.hasPrefix(evidence) } == direct.lines.filter { !$0.hasPrefix(evidence) },
                "\(direct.lines) \(archived.lines)")
            #expect(archived.fingerprints.isSubset(of: direct.fingerprints))
            #expect(archived.inputs.first?["exclusionEvidence"] as? String == "none")
            let text = try scene.lint(["archive"], format: "text").text
            #expect(text.components(separatedBy: "`ditto -c -k --sequesterRsrc`").count == 2, "\(text)")
            #expect(try scene.leftovers == [])
        }
    }

    @Test(
        "Several archives with the same app are one run, with distinct labels and fingerprints",
        .needs(.externalProgram))
    func several() throws {
        try withInputScene { scene throws in
            _ = try scene.makeArchived()
            try scene.shell("tar --xattrs -cf one.tar app; tar --xattrs -czf two.tgz app")
            let report = try Report(scene.lint(["one.tar", "two.tgz", "app"]))
            #expect(
                report.inputs.map { $0["label"] as? String } == [
                    "one.tar/com.example.reader", "two.tgz/com.example.reader", nil,
                ])
            #expect(report.fingerprints.count == report.findings.count && report.findings.count >= 6)
            let annotations = try scene.lint(["one.tar", "two.tgz"], format: "github").text
            let sarif = try scene.lint(["one.tar", "two.tgz"], format: "sarif").text
            for name in ["one.tar", "two.tgz"] {
                // A file whose attributes name the line that wrote it is shown there.
                #expect(annotations.contains("file=\(name)/com.example.reader/Library/"), "\(annotations)")
                #expect(annotations.contains("(in \(name)/com.example.reader)%0ADocuments/broken.json"))
                #expect(sarif.contains("\"uri\":\"\(name)/com.example.reader/Documents/"))
            }
        }
    }

    @Test(
        "A file that is no archive, a damaged archive and one without a container exit with 3 and leave nothing",
        .needs(.process),
        arguments: [
            ("echo text > archive", "“archive” is neither a directory nor an archive"),
            ("tar -czf whole app; head -c 300 whole > archive", "“archive”: the gzip archive is truncated or damaged"),
            ("mkdir other; echo x > other/x; tar -cf archive other", "“archive” is not an app container"),
            ("python3 $MAKE zeros archive", "“archive”: "), ("mkfifo archive", "“archive”"),
        ])
    func refused(script: String, message: String) throws {
        try withInputScene { scene throws in
            _ = try scene.makeArchived()
            try scene.shell(script)
            let run = try scene.lint(["archive"])
            #expect(run.code == 3 && run.errors.contains(message), "\(run.code) \(run.errors)")
            #expect(try scene.leftovers == [])
        }
    }

    @Test(
        "A file of another format is refused with the name of the format",
        arguments: [
            ([0x50, 0x4b, 5, 6] + [UInt8](repeating: 0, count: 18), "an empty zip"),
            ([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4], "a 7z archive"),
            (Array("Rar!\u{1a}\u{7}".utf8), "a RAR archive"),
            (Array("AA01\u{1}".utf8), "an Apple archive"), (Array("SQLite format 3\0".utf8), "an SQLite database"),
        ])
    func otherFormat(content: [UInt8], name: String) throws {
        try withInputScene { scene throws in
            try Data(content).write(to: scene.folder.appending(path: "archive"))
            for command in ["inputs", "lint"] {
                let run = try sandboxlint([command, "archive"], in: scene.folder)
                #expect(run.code == 3 && run.errors.contains("“archive”: the file is \(name). Supported are zip"))
            }
        }
    }

    @Test(
        "A container in several folders, of several in an archive, and with entries of mode 0 is read",
        .needs(.externalProgram),
        arguments: [
            ("zip", ["export/2026/case 12/phone/dump/out/"], 0o644), ("tar", ["a/b/c/d/e/f/g/"], 0o644),
            ("zip", ["AppA/", "AppB/", "AppC/Data/"], 0o644), ("tar", ["AppA/", "AppB/", "AppC/Data/"], 0o644),
            ("zip", ["c/"], 0), ("tar", ["c/"], 0), ("tar", ["/a/b/", "/a/c/"], 0), ("zip", ["/a/b/", "/a/c/"], 0),
        ])
    func shapes(kind: String, prefixes: [String], mode: Int) throws {
        try withInputScene { scene throws in
            let script = """
                import io, sys, tarfile, zipfile
                kind, mode, prefixes = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
                archive = zipfile.ZipFile('archive', 'w') if kind == 'zip' else tarfile.open('archive', 'w:gz')
                for prefix in prefixes:
                    for name in 'Documents/', 'Documents/a.json', 'Library/Preferences/com.example.app.plist':
                        if kind == 'zip':
                            item = zipfile.ZipInfo(prefix + name)
                            item.external_attr, item.create_system = mode << 16, 3
                            archive.writestr(item, '' if name.endswith('/') else 'x')
                        else:
                            item = tarfile.TarInfo(prefix + name.rstrip('/'))
                            item.mode, item.size = mode, 0 if name.endswith('/') else 1
                            item.type = tarfile.DIRTYPE if name.endswith('/') else tarfile.REGTYPE
                            archive.addfile(item, io.BytesIO(b'x'))
                archive.close()
                """
            try Command.setUp("python3", ["-c", script, kind, "\(mode)"] + prefixes, in: scene.folder)
            #expect(try scene.containers("archive").count == prefixes.count)
            // The file is read: it is no property list.
            let report = try scene.report("archive")
            #expect(report.findings.count { $0.rule == "preferences-unparsable" } == prefixes.count, "\(report.lines)")
            #expect(!report.run.errors.contains("differ"), "\(report.run.errors)")
        }
    }

    @Test("Entries that lead out of the archive are named, and the run is incomplete", .needs(.externalProgram))
    func incidents() throws {
        try withInputScene { scene throws in
            _ = try scene.makeArchived()
            try scene.shell(
                "tar --xattrs -cf archive app; touch out; tar -rPf archive --transform 's,^,app/../../,' out")
            let run = try scene.lint(["archive"])
            #expect(run.code == 3 && run.errors.contains("leads out of the archive"), "\(run.errors)")
            #expect(try Report(run).findings.count == Report(scene.lint(["app"])).findings.count)
        }
    }

    @Test(
        "A signal during the extraction removes the extracted files", .needs(.externalProgram),
        arguments: [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
    func signal(signal: (name: String, code: Int)) throws {
        try withInputScene { scene throws in
            _ = try scene.makeArchived()
            let script = """
                import os, signal, subprocess, sys, tarfile
                signal.pthread_sigmask(signal.SIG_SETMASK, [])
                item = tarfile.TarInfo("Documents/zeros")
                item.size = 7 << 30
                with open("archive", "wb") as file:
                    file.write(item.tobuf(tarfile.USTAR_FORMAT))
                    file.truncate(512 + item.size + 1024)
                tool = subprocess.Popen([sys.argv[2], "lint", "archive"])
                while not os.listdir("temporary"):
                    assert tool.poll() is None
                os.kill(tool.pid, getattr(signal, sys.argv[1]))
                print(tool.wait(timeout=60), os.listdir("temporary"))
                """
            let run = try Command(
                "python3", ["-c", script, signal.name, Command.sandboxlint], in: scene.folder,
                environment: scene.environment)
            #expect(run.text == "\(signal.code) []\n", "\(run.text) \(run.errors)")
        }
    }

    @Test(
        "sandboxbackup plans and stores the container of an archive like the container itself", .needs(.externalProgram)
    )
    func backup() throws {
        try withInputScene { scene throws in
            _ = try scene.makeArchived()
            try scene.shell("tar --xattrs -czf archive app")
            func run(_ words: String...) throws -> Command {
                try sandboxbackup(words, in: scene.folder, environment: scene.environment)
            }
            let (direct, archived) = (try run("plan", "app"), try run("plan", "archive"))
            #expect(archived.code == 0 && archived.text == direct.text, "\(archived.text) \(archived.errors)")
            #expect(try run("create", "archive", "--repository", "r").code == 0)
            #expect(try run("restore", "latest", "--repository", "r", "--to", "restored").code == 0)
            #expect(
                FileManager.default.contentsEqual(
                    atPath: scene.folder.appending(path: "app/Documents/images/a.jpg").path,
                    andPath: scene.folder.appending(path: "restored/Documents/images/a.jpg").path))
            #expect(try run("plan", "archive", "--for", "tar").code == 2)
            #expect(try scene.leftovers == [])
        }
    }
}
