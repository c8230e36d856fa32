import CFileSystem
import FileSystem
import Foundation
import MobileBackup
import SystemPackage
import TestSupport
import Testing

@Suite("Extraction of a domain", .timeLimit(.minutes(60))) struct ExtractionTests {
    /// The kinds of problems that only these tests cause.
    static let kinds: Set<BackupProblem.Kind> = [
        .notInADirectory, .impossibleName, .tooDeep, .setIDBitsDropped, .attributesNotStored, .notStored,
    ]

    /// Extracts the app of a backup, and passes the result and the directory to `body`.
    private func withExtraction<Result>(
        _ backup: MobileBackup, _ domain: BackupDomain? = nil, limits: ExtractionLimits = ExtractionLimits(),
        _ body: (ExtractedDomain, URL) throws -> Result
    ) throws -> Result {
        try withScratch { folder throws in
            let target = folder.appending(path: "target")
            try FileManager.default.createDirectory(at: target, withIntermediateDirectories: false)
            let extracted = try backup.extract(
                domain ?? .reader, into: Folder(opening: FilePath(target.path)), limits: limits)
            #expect(try names(in: folder) == ["target"])
            return try body(extracted, target)
        }
    }

    /// Requires that a directory holds the items of the app, with content, attributes, modes and times.
    private func requireEqual(_ made: [Made], _ target: URL) throws {
        let folder = try Folder(opening: FilePath(target.path))
        for one in made where try one.entry.domain == .reader {
            let path = FilePath(bytes: Array(one.entry.path.bytes))
            let status = try folder.status(path)
            #expect(status.modified == Timestamp(seconds: one.entry.facts.modified), "\(path)")
            if case .symbolicLink(let link) = one.entry.kind {
                #expect(try folder.linkTarget(path) == Array(link.utf8))
                continue
            }
            let owner: UInt16 = one.entry.kind == .directory ? 0o700 : 0
            #expect(status.permissions == one.entry.facts.permissions & 0o1777 | owner, "\(path)")
            let file = try folder.open(path)
            let attributes = try file.attributeValues()
            #expect(attributes.map(\.name) == one.entry.attributes.map(\.name))
            #expect(attributes.map(\.value) == one.entry.attributes.map(\.value))
            if one.entry.kind == .file { #expect(try file.contents() == one.content) }
        }
    }

    @Test(
        "A domain becomes a directory with the same items, from a plain and from an encrypted backup",
        .needs(.externalProgram),
        arguments: [false, true])
    func equal(isEncrypted: Bool) throws {
        let made = try madeContainer()
        try withBackup(of: made) { backup throws in
            if isEncrypted { try encrypt(backup, password: "secret") }
            let before = try TreeListing(of: backup)
            try withExtraction(try open(backup, password: "secret")) { extracted, target throws in
                try requireEqual(made, target)
                #expect(extracted.incidents.isEmpty && extracted.incidentCount == 0)
                #expect((extracted.files, extracted.links) == (8, 2))
                #expect(extracted.directories == 7)
                #expect(extracted.protectionClasses == [3: 8])
                #expect(
                    extracted.bytes
                        == UInt64(made.reduce(0) { $0 + (try! $1.entry.domain == .reader ? $1.content.count : 0) }))
                #expect(try itemPaths(beneath: target).count == 16)
            }
            #expect(try TreeListing(of: backup) == before)
        }
    }

    @Test("Random containers are extracted without a difference", .needs(.externalProgram), arguments: 0..<12)
    func random(seed: Int) throws {
        var random = SeededNumbers(seed: UInt64(seed))
        let container = try RandomContainer(using: &random)
        try withBackup(of: container.entries) { backup throws in
            if seed % 2 == 0 { try encrypt(backup, password: "secret") }
            try withExtraction(try open(backup, password: "secret")) { extracted, target throws in
                try requireEqual(container.entries, target)
                #expect(extracted.incidents.allSatisfy { $0.kind == .setIDBitsDropped })
            }
        }
    }

    @Test("Set-user-ID and set-group-ID bits are dropped and reported")
    func setIDBits() throws {
        let made = [
            try Made("Documents/a", .file, "a", mode: 0o6755), try Made("Documents/b", .directory, mode: 0o2700),
        ]
        try withBackup(of: made) { backup throws in
            try withExtraction(try open(backup)) { extracted, target throws in
                #expect(Set(extracted.incidents.map(\.kind)) == [.setIDBitsDropped] && extracted.incidentCount == 2)
                let folder = try Folder(opening: FilePath(target.path))
                #expect(try folder.status("Documents/a").permissions == 0o755)
                #expect(try folder.status("Documents/b").permissions == 0o700)
            }
        }
    }

    /// Adds rows with Python: `add` adds a row and a payload with a changed copy of a valid record.
    private func plant(_ code: String, in backup: URL) throws {
        let frame = """
            import os, sys, sqlite3, hashlib, plistlib
            from plistlib import UID
            os.chdir(sys.argv[1])
            db = sqlite3.connect("Manifest.db")
            good = db.execute("SELECT file FROM Files WHERE relativePath = 'Documents/flagged'").fetchone()[0]
            domain = "AppDomain-com.acme.reader"
            def add(path, flags=1, edit=lambda f, o: None, record=True):
                name = hashlib.sha1((domain + "-" + path).encode()).hexdigest()
                p = plistlib.loads(good)
                o, f = p["$objects"], p["$objects"][1]
                o[f["RelativePath"].data] = path
                f["Mode"] = {1: 0o100644, 2: 0o40755, 4: 0o120755}[flags]
                if flags == 4: f["Target"] = UID(len(o)); o.append("/etc")
                if flags != 1: f.pop("Digest")
                edit(f, o)
                blob = plistlib.dumps(p, fmt=plistlib.FMT_BINARY) if record is True else record
                db.execute("INSERT INTO Files VALUES(?, ?, ?, ?, ?)", [name, domain, path, flags, blob])
                if flags == 1:
                    os.makedirs(name[:2], exist_ok=True)
                    open(name[:2] + "/" + name, "wb").write(b"text")
            def attributes(value): return lambda f, o: (
                o.append(plistlib.dumps(value, fmt=plistlib.FMT_BINARY)), f.update(ExtendedAttributes=UID(len(o) - 1)))

            """
        try Command.setUp("python3", ["-c", frame + code + "\ndb.commit()", backup.path])
    }

    @Test(
        "Rows that lead out, lie below files or links, repeat or overflow are incidents, and nothing is outside",
        .needs(.externalProgram))
    func hostileRows() throws {
        try withBackup(of: madeContainer()) { backup throws in
            try plant(
                """
                add("../../escaped"); add("/etc/escaped"); add("Documents/../../escaped"); add("Documents/a\\0b")
                add("Documents/flagged/below")
                add("Documents/link/through")
                add("Documents/absolute/passwd")
                add("Documents/folder", 4); add("Documents/folder/within")
                add("/".join(["d"] * 200)); add("Documents/" + "n" * 256)
                add("Documents/null", record=None); add("Documents/blob", record=bytes(100 << 10))
                add("Documents/huge", record=bytes(2 << 20))
                add("Documents/nul attribute", edit=attributes({"a\\0b": b"1"}))
                add("Documents/no name", edit=attributes({"": b"1"}))
                add("Documents/long attribute", edit=attributes({"n" * 300: b"1", "kept": b"2"}))
                add("Documents/large attribute", edit=attributes({"large": bytes(90_000), "kept": b"2"}))
                add("Documents/link attribute", 4, edit=attributes({"kept": b"2"}))
                add("Documents/late", edit=lambda f, o: f.update(LastModified=2**62))
                add("unlisted/parent/file")
                """, in: backup)
            try withExtraction(try open(backup)) { extracted, target throws in
                let kinds = Dictionary(grouping: extracted.incidents) { String(decoding: $0.path, as: UTF8.self) }
                    .mapValues { $0.map(\.kind) }
                let deep = Array(repeating: "d", count: 200).joined(separator: "/")
                var expected: [String: [BackupProblem.Kind]] = [
                    "../../escaped": [.pathInvalid], "/etc/escaped": [.pathInvalid],
                    "Documents/../../escaped": [.pathInvalid], "Documents/a\0b": [.pathInvalid],
                    "Documents/flagged/below": [.notInADirectory], "Documents/link": [.duplicate, .parentMissing],
                    "Documents/absolute": [.duplicate, .parentMissing],
                    "Documents/folder": [.duplicate, .parentMissing],
                    deep: [.tooDeep], "Documents/\(String(repeating: "n", count: 256))": [.impossibleName],
                    "Documents/null": [.recordMissing], "Documents/blob": [.recordDamaged],
                    "Documents/huge": [.recordDamaged], "Documents/nul attribute": [.fieldInvalid],
                    "Documents/no name": [.fieldInvalid], "Documents/long attribute": [.attributesNotStored],
                    "Documents/large attribute": [.attributesNotStored],
                    "Documents/link attribute": [.attributesNotStored], "Documents/late": [.notStored],
                    "unlisted": [.parentMissing], "unlisted/parent": [.parentMissing],
                ]
                let folder = try Folder(opening: FilePath(target.path))
                // A file system in memory stores any time.
                if try folder.status("Documents/late").modified.seconds == 1 << 62 { expected["Documents/late"] = nil }
                for (path, kinds) in kinds { #expect(expected[path] == kinds, "\(path): \(kinds)") }
                #expect(Set(kinds.keys) == Set(expected.keys))
                #expect(try folder.open("unlisted/parent/file").contents() == Array("text".utf8))
                #expect(try folder.status("Documents/link").kind == .directory)
                #expect(try folder.open("Documents/large attribute").attribute("kept") == [UInt8(ascii: "2")])
                #expect(try folder.statusIfPresent("Documents/null") == nil)
            }
        }
    }

    @Test("A second row of a path, in a table without keys, is an incident")
    func repeated() throws {
        try withBackup(of: madeContainer()) { backup throws in
            try sqlite(
                backup,
                """
                CREATE TABLE Copy AS SELECT * FROM Files; DROP TABLE Files; ALTER TABLE Copy RENAME TO Files;
                INSERT INTO Files SELECT * FROM Files WHERE domain = 'AppDomain-com.acme.reader' AND relativePath <> '';
                """)
            try withExtraction(try open(backup)) { extracted, target throws in
                #expect(Set(extracted.incidents.map(\.kind)) == [.duplicate])
                #expect(extracted.incidentCount == 16)
                try requireEqual(madeContainer(), target)
            }
        }
    }

    @Test("Missing, truncated and foreign payloads are incidents, and other files are written")
    func payloads() throws {
        for (kind, change) in [
            (BackupProblem.Kind.payloadMissing, { (url: URL) throws in try FileManager.default.removeItem(at: url) }),
            (.payloadLength, { try Data("te".utf8).write(to: $0) }),
            (
                .payloadNotAFile,
                {
                    try FileManager.default.removeItem(at: $0)
                    try FileManager.default.createSymbolicLink(atPath: $0.path, withDestinationPath: "/etc/passwd")
                }
            ),
        ] {
            try withBackup(of: madeContainer()) { backup throws in
                try change(Planting(backup: backup).payload())
                try withExtraction(try open(backup)) { extracted, target throws in
                    #expect(extracted.incidents.map(\.kind) == [kind] && extracted.files == 7)
                    #expect(try !names(in: target.appending(path: "Documents")).contains("flagged"))
                }
            }
        }
    }

    @Test("Limits on items, bytes, paths and incidents end the extraction with an error or bound its result")
    func limits() throws {
        try withBackup(of: madeContainer()) { backup throws in
            let read = try open(backup)
            for change in [
                { $0.items = 10 }, { $0.bytes = 1_000_000 }, { $0.pathBytes = 100 },
            ] as [(inout ExtractionLimits) -> Void] {
                var limits = ExtractionLimits()
                change(&limits)
                let error = #expect(throws: MobileBackupError.self) {
                    try withExtraction(read, limits: limits) { _, _ in }
                }
                #expect(error?.code == .tooLarge)
            }
            try sqlite(backup, "UPDATE Files SET file = NULL")
            var limits = ExtractionLimits()
            limits.incidents = 3
            try withExtraction(try open(backup), limits: limits) { extracted, _ in
                #expect(extracted.incidents.count == 3 && extracted.incidentCount > 10)
            }
        }
    }

    @Test("An existing item is not replaced")
    func existing() throws {
        try withBackup(of: madeContainer()) { backup throws in
            try withScratch { target throws in
                try FileManager.default.createDirectory(
                    at: target.appending(path: "Documents"), withIntermediateDirectories: false)
                let old = target.appending(path: "Documents/old")
                try Data("mine".utf8).write(to: old)
                let extracted = try open(backup).extract(.reader, into: Folder(opening: FilePath(target.path)))
                #expect(extracted.incidents.map(\.kind) == [.duplicate])
                #expect(try Data(contentsOf: old) == Data("mine".utf8))
            }
        }
    }

    @Test("A payload with a hole takes no space, and is copied by the kernel", .needs(.externalProgram))
    func holes() throws {
        try withBackup(of: madeContainer()) { backup throws in
            let planting = Planting(backup: backup)
            let payload = try planting.payload()
            try backup.resize(payload.path, to: 4 << 30)
            try planting.edit(planting.file, #"f["Size"] = 4 << 30; del f["Digest"]"#)
            try withExtraction(try open(backup)) { extracted, target throws in
                let status = try Folder(opening: FilePath(target.path)).status("Documents/flagged")
                #expect(status.size == 4 << 30 && status.allocated <= 2 << 20)
                #expect(extracted.incidents.isEmpty)
            }
        }
    }

    @Test("Containers are assigned to apps by their identifiers, and each is in at least one")
    func apps() throws {
        func domain(_ owner: BackupDomain.Owner, _ name: String) throws -> Made {
            try Made("Documents/a", .file, "a", in: BackupDomain(owner, identifier: name))
        }
        let made = [
            try domain(.app, "com.acme.reader"), try domain(.app, "com.acme.readerlite"), try domain(.app, "org.other"),
            try domain(.plugin, "com.acme.reader.widget"), try domain(.plugin, "com.orphan.widget"),
            try domain(.group, "group.com.acme.reader.shared"), try domain(.group, "group.com.acme"),
            try domain(.group, "AB12CD34EF.org.other"), try domain(.group, "group.unknown"),
            try domain(.system, "HomeDomain"),
        ]
        try withBackup(of: made) { backup throws in
            let apps = try open(backup).apps().map { ($0.identifier, $0.domains.map(\.name)) }
            let expected = [
                (
                    "com.acme.reader",
                    [
                        "AppDomain-com.acme.reader", "AppDomainGroup-group.com.acme",
                        "AppDomainGroup-group.com.acme.reader.shared", "AppDomainPlugin-com.acme.reader.widget",
                    ]
                ),
                ("com.acme.readerlite", ["AppDomain-com.acme.readerlite", "AppDomainGroup-group.com.acme"]),
                ("com.orphan.widget", ["AppDomainPlugin-com.orphan.widget"]),
                ("group.unknown", ["AppDomainGroup-group.unknown"]),
                ("org.other", ["AppDomain-org.other", "AppDomainGroup-AB12CD34EF.org.other"]),
            ]
            #expect(apps.map(\.0) == expected.map(\.0) && apps.map(\.1) == expected.map(\.1), "\(apps)")
        }
    }
}
