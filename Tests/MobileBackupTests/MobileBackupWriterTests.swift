import FileSystem
import Foundation
import MobileBackup
import SystemPackage
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct MobileBackupWriterTests {
    @Test("Entries are read back with everything that the layout stores")
    func roundTrip() throws {
        let made = try madeContainer()
        try withBackup(of: made) { backup throws in
            let read = try open(backup)
            let (entries, problems) = try read.all()
            #expect(problems.isEmpty)
            #expect(try read.problems().isEmpty)
            for one in made {
                let entry = try #require(entries.first { $0.entry == one.entry }, "\(one.entry.path.text)")
                guard one.entry.kind == .file else { continue }
                #expect(entry.size == UInt64(one.content.count))
                #expect(try read.content(of: entry).stored.contents() == one.content)
            }
            // In addition to the added entries: the roots of three domains, and four parent directories.
            let names = Set(made.map { $0.entry.domain.name + "/" + $0.entry.path.text })
            let added = entries.map { $0.entry.domain.name + "/" + $0.entry.path.text }.filter { !names.contains($0) }
            #expect(
                added.sorted() == [
                    "AppDomain-com.acme.reader/", "AppDomain-com.acme.reader/Library",
                    "AppDomain-com.acme.reader/Library/Application Support",
                    "AppDomain-com.acme.reader/Library/Application Support/deep",
                    "AppDomain-com.acme.reader/Library/Application Support/deep/er",
                    "AppDomainGroup-group.com.acme/", "AppDomainPlugin-com.acme.reader.widget/",
                    "AppDomainPlugin-com.acme.reader.widget/Library",
                ])
            #expect(
                try read.domains().map(\.bundleID) == [
                    "com.acme.reader", "group.com.acme", "com.acme.reader.widget",
                ])
        }
    }

    @Test("sqlite3 reads the manifest, and its format is that of a device")
    func manifest() throws {
        try withBackup(of: madeContainer()) { backup throws in
            #expect(try sqlite(backup, "PRAGMA integrity_check") == "ok")
            #expect(
                try sqlite(backup, "PRAGMA page_size; PRAGMA user_version; PRAGMA auto_vacuum; PRAGMA journal_mode")
                    == "4096\n2\n2\nwal")
            #expect(
                try sqlite(backup, "SELECT flags, count(*) FROM Files GROUP BY flags") == "1|10\n2|10\n4|2")
            #expect(
                try sqlite(backup, "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1")
                    == "FilesDomainIdx\nFilesFlagsIdx\nFilesRelativePathIdx")
        }
    }

    @Test("The identifier of a known file is the same as on every device")
    func knownIdentifier() throws {
        let message = try Made("Library/SMS/sms.db", in: BackupDomain(.system, identifier: "HomeDomain"))
        try withBackup(of: [message]) { backup throws in
            let name = "3d/3d0d7e5fb2ce288813306e4d4636395e047a3d28"
            #expect(FileManager.default.fileExists(atPath: backup.appending(path: name).path))
        }
    }

    @Test("The manifest has no companion files, and an empty file has an empty payload")
    func files() throws {
        try withBackup(of: [Made("Documents/empty")]) { backup throws in
            let names = try FileManager.default.contentsOfDirectory(atPath: backup.path).sorted()
            #expect(names.filter { $0.count > 2 } == ["Info.plist", "Manifest.db", "Manifest.plist", "Status.plist"])
            let folder = try #require(names.first { $0.count == 2 })
            let payloads = try FileManager.default.contentsOfDirectory(atPath: backup.appending(path: folder).path)
            #expect(payloads.count == 1)
            #expect(try Data(contentsOf: backup.appending(path: "\(folder)/\(payloads[0])")).isEmpty)
        }
    }

    @Test("The same entries give the same bytes, in any order")
    func deterministic() throws {
        let contents = try [madeContainer(), madeContainer().reversed()].map { entries in
            try withBackup(of: entries) { backup throws in
                let paths = try FileManager.default.subpathsOfDirectory(atPath: backup.path)
                return Dictionary(
                    uniqueKeysWithValues: paths.compactMap { path in
                        (try? Data(contentsOf: backup.appending(path: path))).map { (path, $0) }
                    })
            }
        }
        let areEqual = contents[0] == contents[1]
        #expect(areEqual && contents[0].count == 14)
    }

    @Test("No backup exists before finish, and a released writer leaves nothing")
    func unfinished() throws {
        try withScratch { root throws in
            let folder = try Folder(opening: FilePath(root.path))
            var writer: MobileBackupWriter? = try MobileBackupWriter(in: folder, of: .phone)
            try writer?.add(Made("Documents/a").entry) { payload throws in try payload.write([1, 2, 3]) }
            let names = try FileManager.default.contentsOfDirectory(atPath: root.path)
            #expect(names == [BackedUpDevice.phone.identifier + ".unfinished"])
            let error = #expect(throws: MobileBackupError.self) { try open(root.appending(path: names[0])) }
            #expect(error?.code == .incomplete || error?.code == .damaged)
            writer = nil
            #expect(try FileManager.default.contentsOfDirectory(atPath: root.path).isEmpty)
        }
    }

    @Test("One backup of a device is written at a time, and the leftover of a killed process is replaced")
    func claim() throws {
        try withScratch { root throws in
            let folder = try Folder(opening: FilePath(root.path))
            let left = root.appending(path: BackedUpDevice.phone.identifier + ".unfinished")
            try FileManager.default.createDirectory(
                at: left.appending(path: "ab"), withIntermediateDirectories: true)
            try Data("rest".utf8).write(to: left.appending(path: "ab/rest"))
            do {
                let writer = try MobileBackupWriter(in: folder, of: .phone)
                let error = #expect(throws: MobileBackupError.self) {
                    _ = try MobileBackupWriter(in: folder, of: .phone)
                }
                #expect(error?.code == .beingWritten)
                try writer.finish()
            }
            let backup = root.appending(path: BackedUpDevice.phone.identifier)
            #expect(try open(backup).problems().isEmpty)
            let error = #expect(throws: MobileBackupError.self) { _ = try MobileBackupWriter(in: folder, of: .phone) }
            #expect(error?.code == .exists)
            #expect(
                error?.description == """
                    00008110-000A1B2C3D4E5F60 exists already and was not changed. Move it, or choose another directory.
                    """)
        }
    }

    @Test("Nothing remains if the manifest cannot be created")
    func noManifest() throws {
        try withScratch { root throws in
            // SQLite does not open a path of more than 512 bytes.
            let deep = ["d", "e", "f"].reduce(root) { $0.appending(path: String(repeating: $1, count: 200)) }
            try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: true)
            let error = #expect(throws: MobileBackupError.self) {
                _ = try MobileBackupWriter(in: Folder(opening: FilePath(deep.path)), of: .phone)
            }
            #expect(error?.description.hasPrefix("Manifest.db cannot be written") == true)
            #expect(try FileManager.default.contentsOfDirectory(atPath: deep.path).isEmpty)
        }
    }

    @Test("A date outside every calendar is written unchanged", arguments: [Int64.min, .max])
    func extremeTime(date: Int64) throws {
        try withScratch { root throws in
            var device = BackedUpDevice.phone
            device.date = date
            try write([Made("a/b")], in: root, of: device)
            let backup = try open(root.appending(path: device.identifier))
            #expect(try backup.date() == nil)
            #expect(try backup.all().entries.map(\.entry.facts.modified) == [date, date, 1_700_000_000])
        }
    }

    @Test("An item that the layout cannot represent is refused with its reason", arguments: EntryRefusal.Code.allCases)
    func refusals(code: EntryRefusal.Code) throws {
        let error = #expect(throws: EntryRefusal.self) {
            switch code {
            case .nameNotText: _ = try BackupPath(bytes: [0x61, 0xff])
            case .targetNotText: _ = try BackupEntry.Kind.symbolicLink(targetBytes: [0xc3, 0x28])
            case .pathInvalid: _ = try BackupPath(bytes: Array("Documents/../../x".utf8))
            case .domainInvalid: _ = try BackupDomain(.app, identifier: "a/b")
            case .attributesTooLarge: _ = try Made("a", attributes: ["big": Array(repeating: 7, count: 102_300)])
            }
        }
        #expect(error?.code == code)
    }

    @Test(
        "A path that leads out of its domain cannot be constructed",
        arguments: ["/a", "a/", "a//b", "..", "./a", "a/.", "a\0b"])
    func paths(path: String) {
        #expect(throws: EntryRefusal.self) { try BackupPath(bytes: Array(path.utf8)) }
    }

    @Test("The largest accepted attributes keep the record within the limits of readers")
    func attributesAtTheLimit() throws {
        try withBackup(of: [Made("a", attributes: ["big": Array(repeating: 7, count: 101_000)])]) { backup throws in
            let length = try #require(Int(try sqlite(backup, "SELECT max(length(file)) FROM Files")))
            #expect(length > 101_000 && length <= 102_400)
        }
    }

    @Test("A file whose content cannot be read is omitted, other files are written")
    func contentFails() throws {
        struct Gone: Error {}
        try withScratch { root throws in
            let writer = try MobileBackupWriter(in: Folder(opening: FilePath(root.path)), of: .phone)
            #expect(throws: Gone.self) {
                try writer.add(Made("Documents/a").entry) { payload throws in
                    try payload.write([1])
                    throw Gone()
                }
            }
            try writer.add(Made("Documents/b").entry)
            try writer.finish()
            let backup = try open(root.appending(path: BackedUpDevice.phone.identifier))
            #expect(try backup.problems().isEmpty)
            #expect(try backup.all().entries.map(\.entry.path.text).sorted() == ["", "Documents", "Documents/b"])
        }
    }

    @Test("A second entry with an identifier is refused, and the first one is unchanged")
    func taken() throws {
        try withScratch { root throws in
            let writer = try MobileBackupWriter(in: Folder(opening: FilePath(root.path)), of: .phone)
            let first = try Made("b-c", .file, "first", in: BackupDomain(.app, identifier: "a"))
            try writer.add(first.entry) { payload throws in try payload.write(first.content) }
            for second in [
                try Made("b-c", .file, "second", in: BackupDomain(.app, identifier: "a")),
                try Made("c", in: BackupDomain(.app, identifier: "a-b")),
                try Made("c", .directory, in: BackupDomain(.app, identifier: "a-b")),
            ] {
                let error = #expect(throws: MobileBackupError.self) { try writer.add(second.entry) }
                #expect(error?.code == .taken)
            }
            try writer.finish()
            let backup = try open(root.appending(path: BackedUpDevice.phone.identifier))
            #expect(try backup.problems().isEmpty)
            let entry = try #require(try backup.all().entries.first { $0.entry.path == first.entry.path })
            #expect(try backup.content(of: entry).stored.contents() == first.content)
        }
    }

    @Test("An entry below a file fails the backup")
    func inAFile() throws {
        try withScratch { root throws in
            let error = #expect(throws: MobileBackupError.self) { try write([Made("a/b"), Made("a")], in: root) }
            #expect(error?.code == .notADirectory)
            #expect(try FileManager.default.contentsOfDirectory(atPath: root.path).isEmpty)
        }
    }

    @Test("An invalid directory name is refused as identifier", arguments: ["", "..", "a/b", "ä", "a\0"])
    func device(identifier: String) throws {
        try withScratch { root throws in
            var device = BackedUpDevice.phone
            device.identifier = identifier
            let error = #expect(throws: MobileBackupError.self) { try write([], in: root, of: device) }
            #expect(error?.code == .deviceInvalid)
        }
    }
}
