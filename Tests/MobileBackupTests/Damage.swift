import Foundation
import MobileBackup
import TestSupport
import Testing

/// A kind of damage, and the problem that a verification reports for it.
struct Damage: Sendable {
    let name: String
    let kinds: [BackupProblem.Kind]
    let plant: @Sendable (Planting) throws -> Void

    init(
        _ name: String, _ kinds: BackupProblem.Kind..., plant: @escaping @Sendable (Planting) throws -> Void
    ) {
        (self.name, self.kinds, self.plant) = (name, kinds, plant)
    }
}

/// A backup to damage, and the affected items.
struct Planting {
    let backup: URL
    /// A file of at least two bytes with an attribute, whose row and payload are damaged.
    var file = "Documents/flagged"
    /// Another file.
    var other = "Documents/old"
    var link = "Documents/link"
    /// A directory with one entry.
    var folder = "Library/Application Support/deep/er"

    /// The payload of the file.
    func payload() throws -> URL {
        let name = try sqlite(backup, "SELECT substr(fileID, 1, 2) || '/' || fileID FROM Files WHERE \(Self.row(file))")
        return backup.appending(path: name)
    }

    /// Changes the payload of the file.
    func change(_ body: (Data) -> Data) throws {
        let place = try payload()
        try body(Data(contentsOf: place)).write(to: place)
    }

    /// Changes a row of the app.
    func update(_ path: String, _ change: String) throws {
        try sqlite(backup, "UPDATE Files SET \(change) WHERE \(Self.row(path))")
    }

    static func row(_ path: String) -> String { "domain = 'AppDomain-com.acme.reader' AND relativePath = \(sql(path))" }

    /// Returns a text quoted for SQL.
    static func sql(_ text: String) -> String {
        "CAST(x'\(text.utf8.map { String(format: "%02x", $0) }.joined())' AS TEXT)"
    }

    /// Changes the record of a row with a Python expression over `o`, the objects of the archive, and `f`, the fields
    /// of the file.
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
}

extension Damage {
    static let all: [Damage] = [
        Damage("a payload is missing", .payloadMissing) {
            try FileManager.default.removeItem(at: $0.payload())
        },
        Damage("a payload is cut", .payloadLength) { try $0.change { $0.dropLast() } },
        Damage("a payload is longer", .payloadLength) { try $0.change { $0 + [0] } },
        Damage("a payload of no room says that it has two terabytes", .payloadTooLarge) {
            try $0.edit($0.file, #"f["Size"] = 1 << 41"#)
            try $0.backup.resize($0.payload().path, to: 2 << 40)
        },
        Damage("a byte of a payload is another", .payloadChanged) {
            try $0.change { [$0[0] ^ 1] + $0.dropFirst() }
        },
        Damage("a payload is a directory", .payloadNotAFile) {
            let place = try $0.payload()
            try FileManager.default.removeItem(at: place)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        },
        Damage("a payload is a link to a file of the right content", .payloadNotAFile) {
            let place = try $0.payload()
            let other = $0.backup.deletingLastPathComponent().appending(path: "outside")
            try FileManager.default.moveItem(at: place, to: other)
            try FileManager.default.createSymbolicLink(at: place, withDestinationURL: other)
        },
        Damage("a payload is a pipe", .payloadNotAFile) {
            let place = try $0.payload()
            try FileManager.default.removeItem(at: place)
            try createPipe(place.path)
        },
        Damage("a row is gone", .payloadOrphaned) {
            try sqlite($0.backup, "DELETE FROM Files WHERE \(Planting.row($0.file))")
        },
        Damage("a payload is told of as a directory's", .kindDiffers, .payloadOrphaned) {
            try $0.update($0.file, "flags = 2")
        },
        Damage("a payload lies in another's folder", .foreign, .payloadMissing) {
            let place = try $0.payload()
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
            try $0.update($0.file, "fileID = '3d0d7e5fb2ce288813306e4d4636395e047a3d28'")
        },
        Damage("an identifier has capitals", .identifierMalformed, .payloadOrphaned) {
            try $0.update($0.file, "fileID = upper(fileID)")
        },
        Damage("an identifier leads out", .identifierMalformed, .payloadOrphaned) {
            try $0.update($0.file, "fileID = '../../../../../../../../etc/passwd.......'")
        },
        Damage("an identifier is stored as bytes", .identifierNotText, .payloadOrphaned) {
            try $0.update($0.file, "fileID = CAST(fileID AS BLOB)")
        },
        Damage("an identifier is NULL", .identifierNotText, .payloadOrphaned) {
            try $0.update($0.file, "fileID = NULL")
        },
        Damage("a path leads out", .pathInvalid) { try $0.update($0.file, "relativePath = '../../etc/passwd'") },
        Damage("a path is absolute", .pathInvalid) { try $0.update($0.file, "relativePath = '/etc/passwd'") },
        Damage("a path ends in a slash", .pathInvalid) { try $0.update($0.file, "relativePath = relativePath || '/'") },
        Damage("a path holds a NUL", .pathInvalid) { try $0.update($0.file, "relativePath = 'a' || char(0) || 'b'") },
        Damage("a path is no UTF-8", .pathInvalid) { try $0.update($0.file, "relativePath = CAST(x'61ff' AS TEXT)") },
        Damage("a path is NULL", .pathInvalid) { try $0.update($0.file, "relativePath = NULL") },
        Damage("a path is another's", .identifierWrong, .duplicate) {
            try $0.update($0.file, "relativePath = \(Planting.sql($0.other))")
        },
        Damage("a domain is empty", .domainInvalid) { try $0.update($0.file, "domain = ''") },
        Damage("a domain is a number", .domainInvalid) { try $0.update($0.file, "domain = x'31'") },
        Damage("a domain is another", .identifierWrong) { try $0.update($0.file, "domain = 'HomeDomain'") },
        Damage("flags say nothing known", .flagsInvalid, .payloadOrphaned) { try $0.update($0.file, "flags = 3") },
        Damage("flags are NULL", .flagsInvalid, .payloadOrphaned) { try $0.update($0.file, "flags = NULL") },
        Damage("a link is told of as a file", .kindDiffers) { try $0.update($0.link, "flags = 1") },
        Damage("a record is NULL", .recordMissing) { try $0.update($0.file, "file = NULL") },
        Damage("a record is a text", .recordDamaged) { try $0.update($0.file, "file = 'MBFile'") },
        Damage("a record is garbage", .recordDamaged) { try $0.update($0.file, "file = randomblob(500)") },
        Damage("a record is cut", .recordDamaged) {
            try $0.update($0.file, "file = substr(file, 1, length(file) - 40)")
        },
        Damage("a record is larger than one can be", .recordDamaged) {
            try $0.update($0.file, "file = zeroblob(20 << 20)")
        },
        Damage("a record is of another class", .recordDamaged) {
            try $0.edit($0.file, #"o[f["$class"].data]["$classname"] = "MBDirectory""#)
        },
        Damage("a record's top is no object", .recordDamaged) { try $0.edit($0.file, #"p["$top"]["root"] = UID(99)"#) },
        Damage("a record has no mode", .fieldInvalid) { try $0.edit($0.file, #"del f["Mode"]"#) },
        Damage("a record has no time", .fieldInvalid) { try $0.edit($0.file, #"del f["LastModified"]"#) },
        Damage("a record's time is a text", .fieldInvalid) { try $0.edit($0.file, #"f["LastModified"] = "now""#) },
        Damage("a record's size is below zero", .fieldInvalid) { try $0.edit($0.file, #"f["Size"] = -1"#) },
        Damage("a record's mode is out of range", .fieldInvalid) { try $0.edit($0.file, #"f["Mode"] = 1 << 40"#) },
        Damage("a record's path names itself", .fieldInvalid) {
            try $0.edit($0.file, #"o[f["RelativePath"].data] = f["RelativePath"]"#)
        },
        Damage("a link's record has no target", .fieldInvalid) { try $0.edit($0.link, #"del f["Target"]"#) },
        Damage("attributes are garbage", .fieldInvalid) {
            try $0.edit($0.file, #"o[f["ExtendedAttributes"].data] = b"garbage""#)
        },
        Damage("a digest is too short", .fieldInvalid) { try $0.edit($0.file, #"o[f["Digest"].data] = b"12345""#) },
        Damage("a digest is another's", .payloadChanged) { try $0.edit($0.file, #"o[f["Digest"].data] = bytes(20)"#) },
        Damage("a record's path is another", .pathDiffers) {
            try $0.edit($0.file, #"o[f["RelativePath"].data] = "Documents/elsewhere""#)
        },
        Damage("a record has no size", .sizeMissing) { try $0.edit($0.file, #"del f["Size"]"#) },
        Damage("a record claims a terabyte", .payloadLength) { try $0.edit($0.file, #"f["Size"] = 1 << 40"#) },
        Damage("a record has a key", .encrypted) {
            try $0.edit($0.file, #"f["EncryptionKey"] = UID(len(o)); o.append(bytes(44))"#)
        },
        Damage("a directory's row is gone", .parentMissing) {
            try sqlite($0.backup, "DELETE FROM Files WHERE \(Planting.row($0.folder))")
        },
        Damage("a row is there twice", .duplicate, .duplicate) {
            try sqlite(
                $0.backup,
                """
                CREATE TABLE Copy AS SELECT * FROM Files; DROP TABLE Files; ALTER TABLE Copy RENAME TO Files;
                INSERT INTO Files SELECT * FROM Files WHERE \(Planting.row($0.file));
                """)
        },
        Damage("an index lacks a row", .manifestDamaged, .manifestDamaged) {
            try sqlite(
                $0.backup,
                """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = 'CREATE INDEX FilesFlagsIdx ON Files(flags) WHERE relativePath <> \(Planting.sql($0.other).replacing("'", with: "''"))'
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
}
