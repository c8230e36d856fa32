import Foundation
import MobileBackup
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct HostileManifestTests {
    /// Adds rows with Python: `good` is a valid record, `add` adds one with a path.
    private func add(_ code: String, to backup: URL) throws {
        let frame = """
            import sys, sqlite3, hashlib, plistlib, random
            from plistlib import UID
            db = sqlite3.connect(sys.argv[1])
            good = db.execute("SELECT file FROM Files WHERE relativePath = 'Documents/flagged'").fetchone()[0]
            domain = "AppDomain-com.acme.reader"
            def add(record, path, flags=2):
                name = hashlib.sha1((domain + "-" + path).encode()).hexdigest()
                db.execute("INSERT INTO Files VALUES(?, ?, ?, ?, ?)", [name, domain, path, flags, record])
            def change(edit):
                p = plistlib.loads(good); edit(p, p["$objects"], p["$objects"][1])
                return plistlib.dumps(p, fmt=plistlib.FMT_BINARY)

            """
        let run = try Command(
            "python3", ["-c", frame + code + "\ndb.commit()", backup.appending(path: "Manifest.db").path])
        try #require(run.code == 0, "\(run.errors)")
    }

    @Test(
        "A record with any changed byte is an entry or a problem, and other records are unaffected",
        .needs(.externalProgram))
    func changedRecords() throws {
        try withBackup(of: madeContainer()) { backup throws in
            try add(
                """
                for at in range(len(good)):
                    for mask in (1, 0x80, 0xff):
                        add(good[:at] + bytes([good[at] ^ mask]) + good[at + 1:], "Documents/%d-%d" % (at, mask), 1)
                for at in range(len(good)): add(good[:at], "Documents/cut-%d" % at, 1)
                """, to: backup)
            let rows = try #require(Int(try sqlite(backup, "SELECT count(*) FROM Files")))
            #expect(rows > 2000)
            let read = try open(backup)
            let (entries, problems) = try read.all()
            // Each has the path of another record, unless it is unreadable.
            #expect(entries.count == 22)
            #expect(Set(problems.map(\.row)).count == rows - 22)
            #expect(
                problems.allSatisfy { [.recordDamaged, .fieldInvalid, .pathDiffers, .kindDiffers].contains($0.kind) })
            var seen: [BackupProblem] = []
            #expect(try read.verify { seen.append($0) }.rows == rows)
            #expect(Set(seen.map(\.row)) == Set(problems.map(\.row)))
        }
    }

    @Test(
        "Changed bytes anywhere in the manifest cause no crash, no hang and no invalid path", arguments: 0..<60)
    func changedManifest(seed: Int) throws {
        try withBackup(of: madeContainer()) { backup throws in
            let paths = Set(try open(backup).all().entries.map(\.entry.path))
            let place = backup.appending(path: "Manifest.db")
            var bytes = try Data(contentsOf: place)
            var state = UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 | 1
            // After the header, which would be refused at once.
            for _ in 0..<20 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[100 + Int((state >> 33) % UInt64(bytes.count - 100))] = UInt8(truncatingIfNeeded: state >> 24)
            }
            try bytes.write(to: place)
            do {
                let read = try open(backup)
                let problems = try read.problems()
                let entries = try read.all().entries
                // A change that SQLite accepts may be in free space or in the numbers of a record.
                #expect(problems.contains { $0.kind == .manifestDamaged } || entries.count + problems.count >= 22)
                #expect(entries.allSatisfy { paths.contains($0.entry.path) })
            } catch let error as MobileBackupError {
                #expect(error.code == .damaged)
            }
        }
    }

    @Test("A manifest truncated anywhere is damaged, or its missing rows are reported", arguments: 1..<20)
    func cutManifest(twentieth: Int) throws {
        try withBackup(of: madeContainer()) { backup throws in
            let place = backup.appending(path: "Manifest.db")
            let bytes = try Data(contentsOf: place)
            try bytes.prefix(bytes.count * twentieth / 20).write(to: place)
            do {
                #expect(try !open(backup, allowsPartial: true).problems().isEmpty)
            } catch let error as MobileBackupError {
                #expect(error.code == .damaged)
            }
            let error = #expect(throws: MobileBackupError.self) { try open(backup) }
            #expect(error?.code == .truncated)
        }
    }

    /// Records that would exhaust the stack or memory of a naive reader.
    static let bombs: [(name: String, code: String)] = [
        ("a dictionary that holds itself", "def e(p, o, f): f['x'] = UID(1); f['RelativePath'] = UID(1)"),
        ("an array of itself", "def e(p, o, f): o.append([UID(len(o))]); f['ExtendedAttributes'] = UID(len(o) - 1)"),
        (
            "references in a ring",
            "def e(p, o, f): o += [UID(len(o) + 1), UID(len(o))]; f['RelativePath'] = UID(len(o) - 2)"
        ),
        ("a reference past the end", "def e(p, o, f): f['RelativePath'] = UID(2**63)"),
        ("a class that is itself", "def e(p, o, f): f['$class'] = UID(1)"),
        ("a mode of many digits", "def e(p, o, f): f['Mode'] = 2**63"),
        (
            "attributes within attributes",
            """
            def e(p, o, f):
                data = b""
                for _ in range(400): data = plistlib.dumps({"a": data}, fmt=plistlib.FMT_BINARY)
                o.append(data); f['ExtendedAttributes'] = UID(len(o) - 1)
            """
        ),
        ("twenty thousand objects", "def e(p, o, f): o += ['x%d' % i for i in range(20_000)]"),
    ]

    @Test(
        "A recursive or oversized record costs no more than another one", .needs(.externalProgram),
        arguments: bombs.indices)
    func bomb(index: Int) throws {
        try withBackup(of: madeContainer()) { backup throws in
            try add("\(Self.bombs[index].code)\nadd(change(e), 'Documents/bomb', 1)", to: backup)
            let start = ContinuousClock.now
            let (entries, problems) = try open(backup).all()
            #expect(entries.count == 22, "\(Self.bombs[index].name)")
            #expect(problems.count == 1)
            #expect(ContinuousClock.now - start < .seconds(60))
        }
    }

    @Test("Deeply nested lists, and counts beyond the record, are not records", .needs(.externalProgram))
    func nesting() throws {
        try withBackup(of: madeContainer()) { backup throws in
            try add(
                """
                xml = '<?xml version="1.0"?><plist version="1.0">' + '<array>' * 600 + '</array>' * 600 + '</plist>'
                add(xml.encode(), 'Documents/deep', 1)
                add(b'bplist00' + b'\\xaf\\x12\\x7f\\xff\\xff\\xff' + bytes(40), 'Documents/huge', 1)
                """, to: backup)
            #expect(try open(backup).all().problems.map(\.kind) == [.recordDamaged, .recordDamaged])
        }
    }

    @Test("A table with its own column rowid does not cause an endless loop")
    func rowID() throws {
        try withBackup(of: madeContainer()) { backup throws in
            try sqlite(backup, "ALTER TABLE Files ADD COLUMN rowid TEXT DEFAULT 'a'")
            let error = #expect(throws: MobileBackupError.self) { _ = try open(backup).all() }
            #expect(error?.code == .damaged)
            #expect(try open(backup).problems().map(\.kind) == [.manifestDamaged])
        }
    }

    @Test("A table without row IDs is damaged")
    func withoutRowID() throws {
        try withBackup(of: madeContainer()) { backup throws in
            try sqlite(
                backup,
                """
                CREATE TABLE Copy(fileID TEXT PRIMARY KEY, domain, relativePath, flags, file) WITHOUT ROWID;
                INSERT INTO Copy SELECT * FROM Files; DROP TABLE Files; ALTER TABLE Copy RENAME TO Files;
                """)
            #expect(try open(backup).problems().map(\.kind) == [.manifestDamaged])
        }
    }

    @Test("A domain that is read as another one yields no entry twice")
    func doubledDomains() throws {
        try withBackup(of: madeContainer()) { backup throws in
            try sqlite(
                backup,
                """
                INSERT INTO Files VALUES('a', 'AppDomain-com.acme.reader' || char(0) || 'x', '', 2, NULL);
                INSERT INTO Files VALUES('b', CAST(x'41ff' AS TEXT), '', 2, NULL);
                """)
            let read = try open(backup)
            #expect(try read.all().entries.count == 22)
            #expect(try read.problems().filter { $0.kind == .domainInvalid }.count == 2)
        }
    }

    @Test("More domains than on any device are refused")
    func manyDomains() throws {
        try withBackup(of: madeContainer()) { backup throws in
            try sqlite(
                backup,
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100001)
                INSERT INTO Files SELECT i, 'domain' || i, '', 2, NULL FROM n
                """)
            let error = #expect(throws: MobileBackupError.self) { try open(backup).domains() }
            #expect(error?.code == .tooLarge)
        }
    }

    @Test("A manifest in UTF-16 is read like one in UTF-8", .needs(.externalProgram))
    func otherEncoding() throws {
        try withBackup(of: madeContainer()) { backup throws in
            let other = backup.appending(path: "Manifest.other")
            let dump = try Command("sqlite3", [backup.path + "/Manifest.db", ".dump"]).succeeded().text
            try executeSQL("PRAGMA encoding = 'UTF-16le';\n" + dump, in: other.path)
            try FileManager.default.removeItem(at: backup.appending(path: "Manifest.db"))
            try FileManager.default.moveItem(at: other, to: backup.appending(path: "Manifest.db"))
            #expect(try sqlite(backup, "PRAGMA encoding") == "UTF-16le")
            #expect(try open(backup).problems().isEmpty)
            #expect(try open(backup).all().entries.count == 22)
        }
    }
}
