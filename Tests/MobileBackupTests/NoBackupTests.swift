import FileSystem
import Foundation
import MobileBackup
import SystemPackage
import TestSupport
import Testing

/// A change that makes a backup unreadable, and the resulting error.
struct Closed: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let code: MobileBackupError.Code
    let says: String
    let plant: @Sendable (URL) throws -> Void

    init(
        _ name: String, _ code: MobileBackupError.Code, _ says: String = "",
        plant: @escaping @Sendable (URL) throws -> Void
    ) {
        (testDescription, self.code, self.says, self.plant) = (name, code, says, plant)
    }
}

/// Returns bytes like those of a cipher, the same in each run.
private func noise(_ count: Int) -> Data {
    var state: UInt64 = 42
    return Data(
        (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        })
}

/// Writes a property list with a Python expression.
private func plist(_ value: String, to file: URL) throws {
    let code = "import sys, plistlib; plistlib.dump(\(value), open(sys.argv[1], 'wb'), fmt=plistlib.FMT_BINARY)"
    let run = try Command("python3", ["-c", code, file.path])
    try #require(run.code == 0, "\(run.errors)")
}

/// Replaces the manifest with the result of SQL statements.
private func manifest(_ backup: URL, _ sql: String) throws {
    try FileManager.default.removeItem(at: backup.appending(path: "Manifest.db"))
    try sqlite(backup, sql)
}

@Suite("Directories that are not readable backups", .needs(.externalProgram)) struct NoBackupTests {
    private static let columns = "fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, flags INTEGER"

    static let cases: [Closed] = [
        Closed(
            "the folder above one", .notABackup,
            """
            The directory contains no Manifest.db, but directories with backups: “inner”. Name one of them.
            """
        ) { backup throws in
            let inner = backup.appending(path: "inner")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
            try FileManager.default.moveItem(
                at: backup.appending(path: "Manifest.db"), to: inner.appending(path: "Manifest.db"))
        },
        Closed("a manifest that is a link", .notABackup) { backup throws in
            let place = backup.appending(path: "Manifest.db")
            try FileManager.default.moveItem(at: place, to: backup.appending(path: "other"))
            try FileManager.default.createSymbolicLink(atPath: place.path, withDestinationPath: "other")
        },
        Closed("a manifest that is a pipe", .notABackup) { backup throws in
            try FileManager.default.removeItem(at: backup.appending(path: "Manifest.db"))
            try createPipe(backup.path + "/Manifest.db")
        },
        Closed(
            "one from before iOS 10.2", .tooOld,
            "The backup was made before iOS 10.2 (Manifest.mbdb). pyiosbackup reads such backups."
        ) { backup throws in
            try FileManager.default.removeItem(at: backup.appending(path: "Manifest.db"))
            try Data("mbdb\u{5}\0".utf8).write(to: backup.appending(path: "Manifest.mbdb"))
        },
        Closed(
            "an encrypted one without its keys", .keybagInvalid,
            "The backup is encrypted, but Manifest.plist contains no keybag. Make a new backup, or restore the file."
        ) { backup throws in
            try plist("{'IsEncrypted': True}", to: backup.appending(path: "Manifest.plist"))
            try noise(8208).write(to: backup.appending(path: "Manifest.db"))
        },
        Closed(
            "an encrypted one whose manifest someone has decrypted", .encrypted,
            """
            The backup is encrypted, but its Manifest.db is not: another tool has decrypted it. Provide the password of \
            the backup, or read it as a partial copy (--partial).
            """
        ) { backup throws in try plist("{'IsEncrypted': True}", to: backup.appending(path: "Manifest.plist")) },
        Closed(
            "one that is encrypted and does not say so", .encrypted,
            """
            The backup is encrypted, judging by its Manifest.db, although Manifest.plist declares it unencrypted. Make a \
            new backup, or restore both files.
            """
        ) { backup throws in try noise(8208).write(to: backup.appending(path: "Manifest.db")) },
        Closed("a manifest that is text", .damaged) { backup throws in
            try Data(String(repeating: "text ", count: 2000).utf8).write(to: backup.appending(path: "Manifest.db"))
        },
        Closed(
            "a manifest of no bytes", .damaged,
            "Manifest.db is not a SQLite database. Make a new backup, or restore the manifest."
        ) { backup throws in try Data().write(to: backup.appending(path: "Manifest.db")) },
        Closed("a manifest with a good beginning alone", .truncated) { backup throws in
            let place = backup.appending(path: "Manifest.db")
            try (try Data(contentsOf: place).prefix(100) + noise(8092)).write(to: place)
        },
        Closed(
            "the folder above several", .notABackup,
            """
            The directory contains no Manifest.db, but directories with backups: “A”, “B”. Name one of them.
            """
        ) { backup throws in
            for name in ["A", "B"] {
                let inner = backup.appending(path: name)
                try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
                try FileManager.default.copyItem(
                    at: backup.appending(path: "Manifest.db"), to: inner.appending(path: "Manifest.db"))
            }
            try FileManager.default.removeItem(at: backup.appending(path: "Manifest.db"))
        },
        Closed(
            "a manifest without the table", .damaged,
            "Manifest.db has no table Files with the expected columns. Nothing was changed."
        ) { backup throws in try manifest(backup, "CREATE TABLE Other(a)") },
        Closed("a table that lacks a column", .damaged) { backup throws in
            try manifest(backup, "CREATE TABLE Files(\(columns))")
        },
        Closed("a table that is an endless view", .damaged) { backup throws in
            try manifest(
                backup,
                """
                CREATE VIEW Files AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
                SELECT i AS fileID, 'a' AS domain, 'b' AS relativePath, 1 AS flags, x'00' AS file FROM n
                """)
        },
        Closed("a column that is made when it is read", .damaged) { backup throws in
            try manifest(backup, "CREATE TABLE Files(\(columns), file BLOB AS (zeroblob(1000000000)))")
        },
        Closed(
            "one without Status.plist", .incomplete,
            """
            Status.plist is missing, so it is unknown whether the backup was finished. Copy the whole backup, or read it \
            as a partial copy (--partial).
            """
        ) { backup throws in try FileManager.default.removeItem(at: backup.appending(path: "Status.plist")) },
        Closed("one that is uploaded yet", .unfinished) { backup throws in
            try plist("{'SnapshotState': 'uploading'}", to: backup.appending(path: "Status.plist"))
        },
        Closed("one that is moved yet", .unfinished) { backup throws in
            try plist("{'SnapshotState': 'moving'}", to: backup.appending(path: "Status.plist"))
        },
        Closed("a status of another type", .unfinished) { backup throws in
            try plist("{'SnapshotState': [b'finished']}", to: backup.appending(path: "Status.plist"))
        },
        Closed("a status that is garbage", .damaged) { backup throws in
            try noise(100).write(to: backup.appending(path: "Status.plist"))
        },
        Closed(
            "one without Manifest.plist", .incomplete,
            """
            Manifest.plist is missing, so it is unknown whether the backup is encrypted. Copy the whole backup, or read \
            it as a partial copy (--partial).
            """
        ) { backup throws in try FileManager.default.removeItem(at: backup.appending(path: "Manifest.plist")) },
        Closed("a Manifest.plist that is cut", .damaged) { backup throws in
            let place = backup.appending(path: "Manifest.plist")
            try (try Data(contentsOf: place)).dropLast(10).write(to: place)
        },
    ]

    @Test("The error describes the problem, and the directory is unchanged", arguments: cases)
    func told(closed: Closed) throws {
        try withBackup(of: [Made("Documents/a", .file, "text")]) { backup throws in
            try closed.plant(backup)
            let before = try TreeListing(of: backup)
            let error = #expect(throws: MobileBackupError.self) { try open(backup) }
            #expect(error?.code == closed.code)
            if !closed.says.isEmpty { #expect(error?.description == closed.says) }
            #expect(error.map { !$0.description.contains(backup.path) } ?? false)
            #expect(try TreeListing(of: backup) == before)
        }
    }
}
