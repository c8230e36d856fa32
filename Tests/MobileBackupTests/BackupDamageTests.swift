import Foundation
import MobileBackup
import TestSupport
import Testing

/// A way to damage a backup, and what a verification says of it.
struct Damage: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let kinds: [BackupProblem.Kind]
    let plant: @Sendable (Planting) throws -> Void

    init(
        _ name: String, _ kinds: BackupProblem.Kind..., plant: @escaping @Sendable (Planting) throws -> Void
    ) {
        (testDescription, self.kinds, self.plant) = (name, kinds, plant)
    }
}

/// A backup to be damaged.
struct Planting {
    let backup: URL

    /// The payload of a path of the app's.
    func payload(_ path: String) throws -> URL {
        let name = try sqlite(backup, "SELECT substr(fileID, 1, 2) || '/' || fileID FROM Files WHERE \(Self.row(path))")
        return backup.appending(path: name)
    }

    /// Changes a row of the app's.
    func update(_ path: String, _ change: String) throws {
        try sqlite(backup, "UPDATE Files SET \(change) WHERE \(Self.row(path))")
    }

    static func row(_ path: String) -> String { "domain = 'AppDomain-com.acme.reader' AND relativePath = '\(path)'" }

    /// Changes a row's record by a Python expression over `o`, the archive's objects, and `f`, the file's fields.
    func edit(_ path: String, _ change: String) throws {
        let code = """
            import sys, sqlite3, plistlib
            from plistlib import UID
            db = sqlite3.connect(sys.argv[1])
            where = "\(Self.row(path))"
            p = plistlib.loads(db.execute("SELECT file FROM Files WHERE " + where).fetchone()[0])
            o = p["$objects"]; f = o[1]
            \(change)
            db.execute("UPDATE Files SET file = ? WHERE " + where, [plistlib.dumps(p, fmt=plistlib.FMT_BINARY)])
            db.commit()
            """
        let run = try Command("python3", ["-c", code, backup.appending(path: "Manifest.db").path])
        try #require(run.code == 0, "\(run.errors)")
    }

    /// The path whose row and payload are damaged.
    static let target = "Documents/flagged"
}

private let target = Planting.target

@Suite("Damage to a backup") struct BackupDamageTests {
    static let damages: [Damage] = [
        Damage("a payload is missing", .payloadMissing) {
            try FileManager.default.removeItem(at: $0.payload(target))
        },
        Damage("a payload is cut", .payloadLength) { try Data("te".utf8).write(to: $0.payload(target)) },
        Damage("a payload is longer", .payloadLength) { try Data("text and more".utf8).write(to: $0.payload(target)) },
        Damage("a byte of a payload is another", .payloadChanged) {
            try Data("tent".utf8).write(to: $0.payload(target))
        },
        Damage("a payload is a directory", .payloadNotAFile) {
            let place = try $0.payload(target)
            try FileManager.default.removeItem(at: place)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        },
        Damage("a payload is a link to a file of the right content", .payloadNotAFile) {
            let place = try $0.payload(target)
            let other = $0.backup.deletingLastPathComponent().appending(path: "outside")
            try FileManager.default.moveItem(at: place, to: other)
            try FileManager.default.createSymbolicLink(at: place, withDestinationURL: other)
        },
        Damage("a payload is a pipe", .payloadNotAFile) {
            let place = try $0.payload(target)
            try FileManager.default.removeItem(at: place)
            #expect(try Command("mkfifo", [place.path]).code == 0)
        },
        Damage("a row is gone", .payloadOrphaned) {
            try sqlite($0.backup, "DELETE FROM Files WHERE \(Planting.row(target))")
        },
        Damage("a payload is told of as a directory's", .kindDiffers, .payloadOrphaned) {
            try $0.update(target, "flags = 2")
        },
        Damage("a payload lies in another's folder", .foreign, .payloadMissing) {
            let place = try $0.payload(target)
            let folder = $0.backup.appending(path: place.lastPathComponent.hasPrefix("00") ? "01" : "00")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try FileManager.default.moveItem(at: place, to: folder.appending(path: place.lastPathComponent))
        },
        Damage("something else lies in the backup", .foreign) {
            try Data().write(to: $0.backup.appending(path: "notes.txt"))
        },
        Damage("the folder of a backup that runs is there", .foreign) {
            try FileManager.default.createDirectory(
                at: $0.backup.appending(path: "Snapshot"), withIntermediateDirectories: false)
        },
        Damage("Info.plist is missing", .informationDamaged) {
            try FileManager.default.removeItem(at: $0.backup.appending(path: "Info.plist"))
        },
        Damage("Info.plist is garbage", .informationDamaged) {
            try Data("garbage".utf8).write(to: $0.backup.appending(path: "Info.plist"))
        },
        Damage("an identifier is of another path", .identifierWrong, .payloadOrphaned) {
            try $0.update(target, "fileID = '3d0d7e5fb2ce288813306e4d4636395e047a3d28'")
        },
        Damage("an identifier has capitals", .identifierMalformed, .payloadOrphaned) {
            try $0.update(target, "fileID = upper(fileID)")
        },
        Damage("an identifier leads out", .identifierMalformed, .payloadOrphaned) {
            try $0.update(target, "fileID = '../../../../../../../../etc/passwd.......'")
        },
        Damage("an identifier is stored as bytes", .identifierNotText, .payloadOrphaned) {
            try $0.update(target, "fileID = CAST(fileID AS BLOB)")
        },
        Damage("an identifier is NULL", .identifierNotText, .payloadOrphaned) {
            try $0.update(target, "fileID = NULL")
        },
        Damage("a path leads out", .pathInvalid) { try $0.update(target, "relativePath = '../../etc/passwd'") },
        Damage("a path is absolute", .pathInvalid) { try $0.update(target, "relativePath = '/etc/passwd'") },
        Damage("a path ends in a slash", .pathInvalid) { try $0.update(target, "relativePath = relativePath || '/'") },
        Damage("a path holds a NUL", .pathInvalid) { try $0.update(target, "relativePath = 'a' || char(0) || 'b'") },
        Damage("a path is no UTF-8", .pathInvalid) { try $0.update(target, "relativePath = CAST(x'61ff' AS TEXT)") },
        Damage("a path is NULL", .pathInvalid) { try $0.update(target, "relativePath = NULL") },
        Damage("a path is another's", .identifierWrong, .duplicate) {
            try $0.update(target, "relativePath = 'Documents/old'")
        },
        Damage("a domain is empty", .domainInvalid) { try $0.update(target, "domain = ''") },
        Damage("a domain is a number", .domainInvalid) { try $0.update(target, "domain = x'31'") },
        Damage("a domain is another", .identifierWrong) { try $0.update(target, "domain = 'HomeDomain'") },
        Damage("flags say nothing known", .flagsInvalid, .payloadOrphaned) { try $0.update(target, "flags = 3") },
        Damage("flags are NULL", .flagsInvalid, .payloadOrphaned) { try $0.update(target, "flags = NULL") },
        Damage("a link is told of as a file", .kindDiffers) { try $0.update("Documents/link", "flags = 1") },
        Damage("a record is NULL", .recordMissing) { try $0.update(target, "file = NULL") },
        Damage("a record is a text", .recordDamaged) { try $0.update(target, "file = 'MBFile'") },
        Damage("a record is garbage", .recordDamaged) { try $0.update(target, "file = randomblob(500)") },
        Damage("a record is cut", .recordDamaged) {
            try $0.update(target, "file = substr(file, 1, length(file) - 40)")
        },
        Damage("a record is larger than one can be", .recordDamaged) {
            try $0.update(target, "file = zeroblob(20 << 20)")
        },
        Damage("a record is of another class", .recordDamaged) {
            try $0.edit(target, #"o[f["$class"].data]["$classname"] = "MBDirectory""#)
        },
        Damage("a record's top is no object", .recordDamaged) { try $0.edit(target, #"p["$top"]["root"] = UID(99)"#) },
        Damage("a record has no mode", .fieldInvalid) { try $0.edit(target, #"del f["Mode"]"#) },
        Damage("a record has no time", .fieldInvalid) { try $0.edit(target, #"del f["LastModified"]"#) },
        Damage("a record's time is a text", .fieldInvalid) { try $0.edit(target, #"f["LastModified"] = "now""#) },
        Damage("a record's size is below zero", .fieldInvalid) { try $0.edit(target, #"f["Size"] = -1"#) },
        Damage("a record's mode is out of range", .fieldInvalid) { try $0.edit(target, #"f["Mode"] = 1 << 40"#) },
        Damage("a record's path names itself", .fieldInvalid) {
            try $0.edit(target, #"o[f["RelativePath"].data] = f["RelativePath"]"#)
        },
        Damage("a link's record has no target", .fieldInvalid) { try $0.edit("Documents/link", #"del f["Target"]"#) },
        Damage("attributes are garbage", .fieldInvalid) {
            try $0.edit(target, #"o[f["ExtendedAttributes"].data] = b"garbage""#)
        },
        Damage("a digest is too short", .fieldInvalid) { try $0.edit(target, #"o[f["Digest"].data] = b"12345""#) },
        Damage("a digest is another's", .payloadChanged) { try $0.edit(target, #"o[f["Digest"].data] = bytes(20)"#) },
        Damage("a record's path is another", .pathDiffers) {
            try $0.edit(target, #"o[f["RelativePath"].data] = "Documents/elsewhere""#)
        },
        Damage("a record has no size", .sizeMissing) { try $0.edit(target, #"del f["Size"]"#) },
        Damage("a record claims a terabyte", .payloadLength) { try $0.edit(target, #"f["Size"] = 1 << 40"#) },
        Damage("a record has a key", .encrypted) {
            try $0.edit(target, #"f["EncryptionKey"] = UID(len(o)); o.append(bytes(44))"#)
        },
        Damage("a directory's row is gone", .parentMissing) {
            try sqlite($0.backup, "DELETE FROM Files WHERE \(Planting.row("Library/Application Support/deep/er"))")
        },
        Damage("a row is there twice", .duplicate, .duplicate) {
            try sqlite(
                $0.backup,
                """
                CREATE TABLE Copy AS SELECT * FROM Files; DROP TABLE Files; ALTER TABLE Copy RENAME TO Files;
                INSERT INTO Files SELECT * FROM Files WHERE \(Planting.row(target));
                """)
        },
        Damage("an index lacks a row", .manifestDamaged, .manifestDamaged) {
            try sqlite(
                $0.backup,
                """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = 'CREATE INDEX FilesFlagsIdx ON Files(flags) WHERE relativePath <> ''Documents/old'''
                    WHERE name = 'FilesFlagsIdx';
                """)
            try sqlite($0.backup, "REINDEX FilesFlagsIdx")
            try sqlite(
                $0.backup,
                """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = 'CREATE INDEX FilesFlagsIdx ON Files(flags)' WHERE name = 'FilesFlagsIdx';
                """)
        },
    ]

    @Test("It is named, with its place, and nothing else is", arguments: damages)
    func named(damage: Damage) throws {
        try withBackup(of: madeContainer()) { backup throws in
            try damage.plant(Planting(backup: backup))
            let problems = try open(backup).problems()
            #expect(problems.map(\.kind.rawValue).sorted() == damage.kinds.map(\.rawValue).sorted())
            for problem in problems where problem.row > 0 {
                let row = try sqlite(
                    backup, "SELECT hex(domain), hex(relativePath) FROM Files WHERE rowid = \(problem.row)")
                #expect(row == "\(hex(problem.domain))|\(hex(problem.path))")
            }
        }
    }

    private func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02X", $0) }.joined() }

    @Test("Each kind of damage that has a name is planted")
    func allKinds() {
        let planted = Set(Self.damages.flatMap(\.kinds))
        // A file that may not be read is one only where this process is not root.
        #expect(Set(BackupProblem.Kind.allCases).subtracting(planted) == [.payloadUnreadable])
    }

    @Test("Where a row is damaged, what else there is is read")
    func rest() throws {
        try withBackup(of: madeContainer()) { backup throws in
            try Planting(backup: backup).update(target, "file = x'00'")
            let (entries, problems) = try open(backup).all()
            #expect(problems.map(\.kind) == [.recordDamaged])
            #expect(entries.count == 21)
        }
    }

    @Test("A payload that is not as its record says is not given out")
    func payloads() throws {
        try withBackup(of: madeContainer()) { backup throws in
            try Data("te".utf8).write(to: Planting(backup: backup).payload(target))
            let read = try open(backup)
            let entry = try #require(try read.all().entries.first { $0.entry.path.text == target })
            let problem = #expect(throws: BackupProblem.self) { try read.payload(of: entry) }
            #expect(problem?.kind == .payloadLength)
            #expect(problem?.detail == "2 bytes instead of 4")
        }
    }

    @Test("A row that is only in the write-ahead log is seen, and the log is left alone")
    func log() throws {
        try withBackup(of: madeContainer()) { backup throws in
            let script = """
                import sys, sqlite3, os
                db = sqlite3.connect(sys.argv[1])
                db.execute("PRAGMA wal_autocheckpoint = 0")
                db.execute("UPDATE Files SET file = NULL WHERE \(Planting.row(target))")
                db.commit()
                os._exit(0)
                """
            #expect(try Command("python3", ["-c", script, backup.appending(path: "Manifest.db").path]).code == 0)
            let sums = { try Command("sh", ["-c", "ls; sha256sum Manifest.db*"], in: backup).text }
            let before = try sums()
            #expect(before.contains("Manifest.db-wal"))
            #expect(try open(backup).problems().map(\.kind) == [.recordMissing])
            #expect(try sums() == before)
        }
    }
}
