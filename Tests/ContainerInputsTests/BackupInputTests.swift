import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("sandboxlint lint BACKUP", .timeLimit(.minutes(60))) struct BackupInputTests {
    @Test(
        "A backup, encrypted or not, has the findings of the container for the items in it; all are known as included",
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
                #expect(report.inputs.first?["exclusionEvidence"] as? String == "xattr")
                #expect(report.run.errors.isEmpty && report.run.code == direct.run.code, "\(report.run.errors)")
            }
            #expect(try scene.leftovers == [])
        }
    }

    @Test("A wrong or missing password exits with 3 and the solution, and leaves nothing")
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

    @Test("inputs lists the apps of several backups with sizes, and --bundle-id selects one in every backup")
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
            let text = try Command(Command.sandboxlint, ["inputs", "backups/UDID"], in: scene.folder).text
            #expect(text.contains("2 files, 3 bytes"), "\(text)")
            let report = try Report(scene.lint(["backups", "--bundle-id", "org.example.notes"]))
            #expect(report.inputs.map { $0["bundleID"] as? String } == ["org.example.notes"])
            for command in ["inputs", "lint"] {
                let none = try Command(
                    Command.sandboxlint, [command, "backups/UDID", "--bundle-id", "net.none"], in: scene.folder)
                #expect(
                    none.code == 3 && none.errors.contains("It has containers of com.example.reader"), "\(none.errors)")
            }
        }
    }

    @Test("A partial backup is linted; missing payloads are named, and the run is incomplete")
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

    @Test("sandboxbackup stores the container of a backup that --bundle-id selects")
    func backup() throws {
        try withInputScene { scene throws in
            _ = try scene.makeArchived()
            let backup = try scene.backUp(password: "secret")
            try "secret".write(to: scene.folder.appending(path: "password"), atomically: false, encoding: .utf8)
            let run = try Command(
                Command.sandboxbackup,
                [
                    "create", backup, "--bundle-id", "com.example.reader", "--backup-password-file", "password",
                    "--repository", "second",
                ], in: scene.folder, environment: scene.environment)
            #expect(run.code == 0, "\(run.text) \(run.errors)")
            #expect(try scene.leftovers == [])
        }
    }
}
