import FileSystem
import Foundation
import MobileBackup
import SystemPackage
import TestSupport
import Testing

@Suite("Partial copies of backups", .timeLimit(.minutes(60))) struct PartialBackupTests {
    /// The kinds of problems that only these tests cause.
    static let kinds: Set<BackupProblem.Kind> = [
        .statusMissing, .declarationMissing, .manifestDecrypted, .manifestTruncated,
    ]

    @Test(
        "A copy with only Manifest.db, Info.plist and a few payloads is read with incidents, as mvt reads it",
        .needs(.externalProgram))
    func forensicCopy() throws {
        try withBackup(of: madeContainer()) { backup throws in
            for name in ["Status.plist", "Manifest.plist"] {
                try FileManager.default.removeItem(at: backup.appending(path: name))
            }
            let mvt = try IndependentReader.mvt.read(backup)
            let payload = try Planting(backup: backup).payload()
            for name in try names(in: backup)
            where name.count == 2 && name != payload.path.split(separator: "/").dropLast().last.map(String.init) {
                try FileManager.default.removeItem(at: backup.appending(path: name))
            }
            let read = try open(backup, allowsPartial: true)
            #expect(read.incidents.map(\.kind) == [.declarationMissing, .statusMissing])
            #expect(read.incidents.map(\.path) == [Array("Manifest.plist".utf8), Array("Status.plist".utf8)])
            #expect(try read.date() == nil)
            let entries = try read.all().entries
            #expect(
                Set(entries.map { Array("\($0.entry.domain.name)/\($0.entry.path.text)".utf8) }) == Set(mvt.map(\.name))
            )
            let problems = Set(try read.problems().map(\.kind))
            #expect(problems == [.declarationMissing, .statusMissing, .payloadMissing])
            let entry = try #require(entries.first { $0.entry.path.text == "Documents/flagged" })
            #expect(try read.content(of: entry).contents() == Array("text".utf8))
            let error = #expect(throws: MobileBackupError.self) { try open(backup) }
            #expect(error?.code == .incomplete)
        }
    }

    @Test(
        "Damaged property lists are incidents; a backup that is still being written is refused",
        .needs(.externalProgram))
    func damagedLists() throws {
        try withBackup(of: madeContainer()) { backup throws in
            let status = backup.appending(path: "Status.plist")
            for name in ["Status.plist", "Manifest.plist"] {
                let place = backup.appending(path: name)
                try Data(contentsOf: place).dropLast(10).write(to: place)
                #expect(throws: MobileBackupError.self) { try open(backup) }
            }
            #expect(
                try open(backup, allowsPartial: true).incidents.map(\.detail)
                    == ["not a property list", "not a property list"])
            try Command.setUp(
                "python3",
                [
                    "-c",
                    "import plistlib, sys; plistlib.dump({'SnapshotState': 'uploading'}, open(sys.argv[1], 'wb'))",
                    status.path,
                ])
            let error = #expect(throws: MobileBackupError.self) { try open(backup, allowsPartial: true) }
            #expect(error?.code == .unfinished)
        }
    }

    @Test("A truncated manifest is read as far as possible in a partial copy, and refused otherwise")
    func truncated() throws {
        try withBackup(of: (0..<300).map { try Made("Documents/\($0)", .file, "\($0)") }) { backup throws in
            let place = backup.appending(path: "Manifest.db")
            let bytes = try Data(contentsOf: place)
            try bytes.prefix(bytes.count / 2).write(to: place)
            #expect(throws: MobileBackupError.self) { try open(backup) }
            let read = try open(backup, allowsPartial: true)
            #expect(read.incidents.map(\.kind) == [.manifestTruncated])
            #expect(try !read.manifestFaults().isEmpty)
        }
    }

    @Test(
        "The backups below a directory of Finder or iTunes are listed with their properties", .needs(.externalProgram))
    func devices() throws {
        try withScratch { root throws in
            var device = BackedUpDevice.phone
            let parent = root.appending(path: "MobileSync/Backup")
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            for name in ["A", "B"] {
                device.identifier = name
                try write([Made("Documents/a")], in: parent, of: device)
            }
            try encrypt(parent.appending(path: "B"), password: "secret")
            try FileManager.default.createDirectory(
                at: parent.appending(path: "old"), withIntermediateDirectories: false)
            try Data("mbdb".utf8).write(to: parent.appending(path: "old/Manifest.mbdb"))
            try Data().write(to: parent.appending(path: ".DS_Store"))
            for (path, prefix) in [("", "MobileSync/Backup/"), ("MobileSync", "Backup/"), ("MobileSync/Backup", "")] {
                let found = try DeviceBackup.backups(in: Folder(opening: FilePath(root.appending(path: path).path)))
                #expect(found.map(\.path.string) == ["\(prefix)A", "\(prefix)B", "\(prefix)old"])
                #expect(found.map(\.isEncrypted) == [false, true, nil])
                #expect(found.map(\.deviceName) == ["Ada’s iPhone", "Ada’s iPhone", nil])
                #expect(found.map(\.productVersion) == ["17.5.1", "17.5.1", nil])
                #expect(found.map(\.date) == [1_750_000_000, 1_750_000_000, nil])
            }
            #expect(try DeviceBackup.backups(in: Folder(opening: FilePath(parent.appending(path: "A").path))).isEmpty)
        }
    }
}
