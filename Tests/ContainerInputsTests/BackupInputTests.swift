import AppContainer
import FileSystem
import Foundation
import MobileBackup
import SystemPackage
import TestSupport
import Testing
import ToolSupport

extension InputScene {
    /// Writes a backup `UDID` of files, each with the same content: the start of a private key, if none is given.
    func writeBackup(
        _ files: [(owner: BackupDomain.Owner, identifier: String, path: String)],
        content: [UInt8] = Array("-----BEGIN PRIVATE KEY-----\nAAAA\n".utf8)
    ) throws {
        let device = BackedUpDevice(
            identifier: "UDID", name: "Phone", productType: "iPhone14,5", productName: "iPhone 13",
            productVersion: "17.5.1", buildVersion: "21F90", serialNumber: "F2LXXXXXXXXX",
            backupIdentifier: "0F0E0D0C-0B0A-4908-8706-050403020100", date: 1_750_000_000, applicationVersions: [:])
        let writer = try MobileBackupWriter(in: Folder(opening: FilePath(folder.path)), of: device)
        for file in files {
            let entry = try BackupEntry(
                BackupDomain(file.owner, identifier: file.identifier), path: BackupPath(bytes: file.path.utf8),
                kind: .file,
                facts: .init(
                    permissions: 0o644, modified: 1_700_000_000, changed: 1, birth: 1, inode: 1, protectionClass: 3))
            try writer.add(entry) { payload throws in try payload.write(content) }
        }
        try writer.finish()
    }
}

@Suite("sandboxlint lint BACKUP", .timeLimit(.minutes(60))) struct BackupInputTests {
    @Test(
        "A backup, encrypted or not, has the findings of the container for the items in it; all are known as included",
        .needs(.externalProgram),
        arguments: [nil, "secret"])
    func equal(password: String?) throws {
        try withInputScene { scene throws in
            _ = try scene.makeArchived()
            let backup = try scene.backUp(password: password)
            let direct = try Report(scene.lint(["app"]))
            for input in [backup, "backups"] {
                let report = try Report(scene.lint([input], password: password))
                // The excluded file and the metadata of the container are not in the backup.
                let expected = direct.findings.filter {
                    $0.path != "Library/excluded/b.jpg" && !$0.path.hasSuffix(".metadata.plist")
                }
                #expect(
                    report.lines == expected.map { "\($0.rule) \($0.path)" } && expected.count >= 2, "\(report.lines)")
                #expect(report.findings.map(\.fingerprint) == expected.map(\.fingerprint))
                #expect(report.inputs.map { $0["label"] as? String } == ["com.example.reader"])
                #expect(report.inputs.first?["exclusionEvidence"] as? String == "manifest")
                #expect(report.run.errors.isEmpty && report.run.code == direct.run.code, "\(report.run.errors)")
            }
            #expect(try scene.leftovers == [])
        }
    }

    @Test("A wrong or missing password exits with 3 and the solution, and leaves nothing", .needs(.externalProgram))
    func password() throws {
        try withInputScene { scene throws in
            _ = try scene.makeArchived()
            let backup = try scene.backUp(password: "secret")
            let wrong = try scene.lint([backup], password: "other")
            #expect(
                wrong.code == 3 && wrong.errors.contains("The password does not open the backup"), "\(wrong.errors)")
            let missing = try scene.lint([backup])
            #expect(
                missing.code == 3 && missing.errors.contains("Use --password-file or DEVICE_BACKUP_PASSWORD"),
                "\(missing.errors)")
            try "secret\n".write(
                to: scene.folder.appending(path: "password"), atomically: false, encoding: .utf8)
            let run = try scene.lint([backup, "--password-file", "password"])
            #expect(run.code != 3, "\(run.errors)")
            #expect(try scene.leftovers == [])
        }
    }

    @Test(
        "inputs lists the apps of several backups with sizes, and --bundle-id selects one in every backup",
        .needs(.externalProgram))
    func list() throws {
        try withInputScene { scene throws in
            _ = try scene.makeArchived()
            try scene.make("other", "org.example.notes")
            _ = try scene.backUp()
            _ = try scene.backUp("other", as: "UDID2")
            let all = try scene.containers("backups")
            #expect(
                all == [
                    [
                        "com.example.reader", "UDID/com.example.reader", "data", "own",
                        "UDID/AppDomain-com.example.reader",
                    ],
                    [
                        "org.example.notes", "UDID2/org.example.notes", "data", "own",
                        "UDID2/AppDomain-org.example.notes",
                    ],
                ], "\(all)")
            let text = try sandboxlint(["inputs", "backups/UDID"], in: scene.folder).text
            #expect(text.contains("2 files, 3 bytes"), "\(text)")
            let report = try Report(scene.lint(["backups", "--bundle-id", "org.example.notes"]))
            #expect(report.inputs.map { $0["bundleID"] as? String } == ["org.example.notes"])
            for command in ["inputs", "lint"] {
                let none = try sandboxlint(
                    [command, "backups/UDID", "--bundle-id", "net.none"], in: scene.folder)
                #expect(
                    none.code == 3 && none.errors.contains("It has containers of com.example.reader"), "\(none.errors)")
            }
        }
    }

    @Test("A partial backup is linted; missing payloads are named, and the run is incomplete", .needs(.externalProgram))
    func partial() throws {
        try withInputScene { scene throws in
            _ = try scene.makeArchived()
            let backup = try scene.backUp()
            try scene.shell(
                "rm \(backup)/Status.plist \(backup)/Manifest.plist; rm $(find \(backup)/?? -type f -size 1c)")
            let run = try scene.lint([backup])
            #expect(run.code == 3 && run.errors.contains("unknown whether the backup was finished"), "\(run.errors)")
            #expect(run.errors.contains("1 item of “\(backup)” is missing or damaged, such as “Documents/broken.json”"))
            #expect(try Report(run).findings.contains { $0.path.hasSuffix("a.jpg") })
        }
    }

    @Test("An app, its groups and its extensions in a backup are one app, with the rules of each container")
    func app() throws {
        try withInputScene { scene throws in
            try scene.writeBackup(
                [
                    (.app, "com.example.reader", "Documents/key.pem"),
                    (.group, "group.com.example.reader", "own/key.pem"),
                    (.plugin, "com.example.reader.widget", "Library/Application Support/key.pem"),
                    (.app, "org.example.notes", "Documents/key.pem"),
                    (.group, "group.net.other", "key.pem"),
                ])
            try FileManager.default.createDirectory(
                at: scene.folder.appending(path: "temporary"), withIntermediateDirectories: false)
            let own = [
                ["com.example.reader", "data", "own"], ["group.com.example.reader", "group", "identifier"],
                ["com.example.reader.widget", "plug-in", "identifier"],
            ]
            let listed = try scene.containers("UDID").map { [$0[1], $0[2], $0[3]] }
            #expect(
                Set(listed)
                    == Set(own + [["org.example.notes", "data", "own"], ["group.net.other", "group", "unknown"]]))
            let report = try Report(scene.lint(["UDID", "--bundle-id", "com.example.reader"]))
            #expect(report.run.code == 1, "\(report.run.errors)")
            #expect(Set(report.inputs.compactMap { $0["label"] as? String }) == Set(own.map(\.[0])))
            let paths = report.findings.map(\.path)
            for path in ["Documents/key.pem", "own/key.pem", "Library/Application Support/key.pem"] {
                #expect(paths.contains { $0.hasSuffix(path) }, "\(paths)")
            }
            #expect(report.fingerprints.count == report.findings.count)
        }
    }

    @Test("A signal during the extraction of a backup removes the extracted files", .needs(.externalProgram))
    func signal() throws {
        try withInputScene { scene throws in
            try scene.writeBackup([(.app, "com.example.reader", "Documents/large")])
            try FileManager.default.createDirectory(
                at: scene.folder.appending(path: "temporary"), withIntermediateDirectories: false)
            let script = """
                import os, pathlib, signal, subprocess, sys
                signal.pthread_sigmask(signal.SIG_SETMASK, [])
                payload = next(path for path in pathlib.Path("UDID").glob("??/*"))
                os.truncate(payload, 7 << 30)
                tool = subprocess.Popen([sys.argv[1], "lint", "UDID"])
                while not list(pathlib.Path("temporary").glob("sandboxlint-input-*/0/Documents/*")):
                    assert tool.poll() is None
                os.kill(tool.pid, signal.SIGTERM)
                print(tool.wait(timeout=60), os.listdir("temporary"))
                """
            let run = try Command(
                "python3", ["-c", script, Command.sandboxlint], in: scene.folder, environment: scene.environment)
            #expect(run.text == "143 []\n", "\(run.text) \(run.errors)")
        }
    }

    @Test("sandboxbackup stores the container of a backup that --bundle-id selects", .needs(.externalProgram))
    func backup() throws {
        try withInputScene { scene throws in
            _ = try scene.makeArchived()
            let backup = try scene.backUp(password: "secret")
            try "secret".write(to: scene.folder.appending(path: "password"), atomically: false, encoding: .utf8)
            let run = try sandboxbackup(
                [
                    "create", backup, "--bundle-id", "com.example.reader", "--backup-password-file", "password",
                    "--repository", "second",
                ], in: scene.folder, environment: scene.environment)
            #expect(run.code == 0, "\(run.text) \(run.errors)")
            #expect(try scene.leftovers == [])
        }
    }
}
