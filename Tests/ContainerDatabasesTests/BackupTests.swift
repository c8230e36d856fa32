import AppContainer
@testable import ContainerDatabases
import FileSystem
import Foundation
import GRDB
import StoragePolicyTesting
import SystemPackage
import TestSupport
import Testing

@Suite("Online backups of databases", .timeLimit(.minutes(60))) struct BackupTests {
    private static let copy = ContainerPath.documents / "copy.sqlite"

    /// Passes a container with a database of 1,000 notes to the body.
    private func withNotes(_ body: (Container, ContainerDatabase) throws -> Void) throws {
        try withContainer { container throws in
            let database = try container.database(named: "notes", migrator: notes)
            try database.write { connection in
                for number in 0..<1_000 {
                    try connection.execute(
                        sql: "INSERT INTO note(text) VALUES(? || hex(randomblob(2000)))", arguments: ["\(number) "])
                }
            }
            try body(container, database)
        }
    }

    private func dump(_ file: URL) throws -> String { try sqlite(file, "SELECT id, text FROM note") }

    @Test(
        "The copy has all rows, is intact for sqlite3, and is a single file; progress is reported to its end",
        .needs(.externalProgram))
    func complete() throws {
        try withNotes { container, database throws in
            var seen: [DatabaseBackupProgress] = []
            try database.backup(to: Self.copy) { progress in
                seen.append(progress)
                return true
            }
            let file = try container.file(Self.copy)
            #expect(try names(in: container.file(.documents)) == ["copy.sqlite"])
            #expect(try Data(contentsOf: file)[18...19] == Data([1, 1]), "a header without a log")
            #expect(try sqlite(file, "PRAGMA integrity_check") == "ok")
            #expect(try dump(file) == dump(container.file(database.item)))
            #expect(seen.count > 3 && seen.last?.isCompleted == true)
            #expect(seen.map(\.completedPageCount) == seen.map(\.completedPageCount).sorted())
        }
    }

    @Test("A copy outside of the container is the same, and a missing directory is an error", .needs(.externalProgram))
    func outside() throws {
        try withNotes { container, database throws in
            try withScratch { folder throws in
                let file = folder.appending(path: "Letters of mine.sqlite")
                try database.backup(to: file)
                #expect(try dump(file) == dump(container.file(database.item)))
                let error = #expect(throws: ContainerDatabaseError.self) {
                    try database.backup(to: folder.appending(path: "missing/a.sqlite"))
                }
                #expect(error?.code == .notFound)
                #expect(try names(in: folder) == ["Letters of mine.sqlite"])
            }
        }
    }

    @Test("A new copy keeps the exclusion, the attributes and the mode of the older one, and has the database's origin")
    func attributes() throws {
        try withNotes { container, database throws in
            try container.save("older", to: Self.copy)
            try container.excludeFromBackup(Self.copy)
            let path = try container.file(Self.copy).path
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
            try database.backup(to: Self.copy)
            #expect(try container.ownMarks(of: Self.copy).contains(where: \.isApple))
            #expect(try container.provenance(of: Self.copy)?.maker == .user)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o640)
        }
    }

    @Test(
        "The log of an older copy is merged into it before it is replaced, so that it does not damage the new one",
        .needs(.externalProgram))
    func staleLog() throws {
        try withNotes { container, database throws in
            let (file, origin) = (try container.file(Self.copy), try container.file(.documents / "origin.sqlite"))
            let session = try Session(
                origin, "PRAGMA journal_mode = WAL; CREATE TABLE old(a); INSERT INTO old VALUES(zeroblob(50000));")
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: origin.path + suffix, toPath: file.path + suffix)
            }
            session.end()
            try container.remove(.documents / "origin.sqlite")
            try database.backup(to: Self.copy)
            #expect(try names(in: container.file(.documents)) == ["copy.sqlite"])
            #expect(try sqlite(file, "PRAGMA integrity_check") == "ok")
            #expect(try dump(file) == dump(container.file(database.item)))
        }
    }

    @Test(
        "A copy that another process has open is not replaced under it, and neither is the database itself",
        .needs(.externalProgram))
    func open() throws {
        try withNotes { container, database throws in
            let file = try container.file(Self.copy)
            let session = try Session(
                file, "PRAGMA journal_mode = WAL; CREATE TABLE old(a); INSERT INTO old VALUES(1); SELECT * FROM old;")
            let error = #expect(throws: ContainerDatabaseError.self) {
                try database.backup(to: Self.copy, waiting: .milliseconds(100))
            }
            #expect(error?.code == .locked)
            session.end()
            #expect(try sqlite(file, "SELECT a FROM old") == "1")
            let itself = #expect(throws: ContainerDatabaseError.self) { try database.backup(to: database.item) }
            #expect(itself?.code == .locked)
            #expect(try names(in: container.file(.documents)) == ["copy.sqlite"])
        }
    }

    @Test("A backup that its progress stops leaves the older copy and nothing else")
    func stopped() throws {
        try withNotes { container, database throws in
            try container.save("older", to: Self.copy)
            let error = #expect(throws: ContainerDatabaseError.self) {
                try database.backup(to: Self.copy) { _ in false }
            }
            #expect(error?.code == .cancelled)
            #expect(try names(in: container.file(.documents)) == ["copy.sqlite"])
            #expect(try container.loadText(Self.copy) == "older")
        }
    }

    @Test(
        "A database that another process has locked is copied as soon as it is free, and not before the time is over",
        .needs(.externalProgram))
    func retry() throws {
        try withScratch { folder throws in
            let file = folder.appending(path: "rollback.sqlite")
            _ = try sqlite(file, "CREATE TABLE note(id INTEGER PRIMARY KEY, text); INSERT INTO note(text) VALUES('a')")
            var configuration = Configuration()
            configuration.readonly = true
            let source = try DatabaseQueue(path: file.path, configuration: configuration)
            let session = try Session(file, "BEGIN EXCLUSIVE; INSERT INTO note(text) VALUES('b');")
            let opened = try Folder(opening: FilePath(folder.path))
            let impatient = OnlineBackup(source: source, path: "rollback.sqlite", time: .milliseconds(200))
            #expect(throws: DatabaseError.self) {
                try impatient.write(to: "copy", in: opened, attributes: []) { _ in true }
            }
            #expect(try names(in: folder).contains("copy") == false)
            // The lock is released while the backup waits for it.
            let patient = OnlineBackup(source: source, path: "rollback.sqlite", time: .seconds(60))
            let waiting = Thread { _ = try? session.run("COMMIT;") }
            waiting.start()
            try patient.write(to: "copy", in: opened, attributes: []) { _ in true }
            #expect(try dump(folder.appending(path: "copy")) == "1|a\n2|b")
            session.end()
        }
    }

    @Test("A store that another engine has open is copied with its log", .needs(.externalProgram))
    func foreignStore() throws {
        try withContainer { container throws in
            let place = try container.storeDirectory(named: "Library", isBackedUp: true)
            var error = #expect(throws: ContainerDatabaseError.self) { try place.backup(to: Self.copy) }
            #expect(error?.code == .notFound)
            let session = try Session(
                place.url,
                "PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES(1); BEGIN; INSERT INTO t VALUES(2);")
            try place.backup(to: Self.copy)
            let copy = try container.file(Self.copy)
            #expect(try sqlite(copy, "PRAGMA integrity_check; SELECT a FROM t; PRAGMA journal_mode") == "ok\n1\ndelete")
            try session.run("COMMIT;")
            try place.backup(to: Self.copy)
            #expect(try sqlite(copy, "SELECT count(*) FROM t") == "2")
            session.end()
            #expect(try container.list(#require(Self.copy.parent)).count == 1)
            try container.save("no database, but a text that is long enough", to: place.item)
            error = #expect(throws: ContainerDatabaseError.self) { try place.backup(to: Self.copy) }
            #expect(error?.code == .notADatabase)
            #expect(try sqlite(copy, "SELECT count(*) FROM t") == "2")
        }
    }

    @Test("A backup during writes of another thread is a consistent state", .needs(.externalProgram))
    func concurrent() throws {
        try withNotes { container, database throws in
            let isDone = Flag()
            let writer = Thread {
                // Two rows in each transaction.
                while !isDone.isSet {
                    try? database.write { connection in
                        for _ in 0..<2 {
                            try connection.execute(sql: "INSERT INTO note(text) VALUES(hex(randomblob(3000)))")
                        }
                    }
                }
                isDone.end()
            }
            writer.start()
            for _ in 0..<10 {
                try database.backup(to: Self.copy)
                let file = try container.file(Self.copy)
                #expect(try sqlite(file, "PRAGMA integrity_check; SELECT count(*) % 2 FROM note") == "ok\n0")
            }
            isDone.set()
            isDone.wait()
        }
    }

    @Test(
        "A process that is killed during a backup leaves the older or the new copy, complete", .needs(.externalProgram),
        arguments: [1, 2, 3, 5, 8])
    func killed(count: Int) throws {
        try withNotes { container, database throws in
            try database.close()
            let process = Process()
            process.executableURL = URL(fileURLWithPath: Command.databaseProbe)
            process.arguments = ["backup", try container.path(.root).string]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            var lines = 0
            while lines < count {
                let data = output.fileHandleForReading.availableData
                try #require(!data.isEmpty, "the probe ended")
                lines += data.count { $0 == UInt8(ascii: "\n") }
            }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let file = try container.file(Self.copy)
            let rows = try sqlite(file, "PRAGMA integrity_check; SELECT count(*) FROM note").split(separator: "\n")
            #expect(rows.first == "ok")
            #expect(try #require(Int(rows.last ?? "")) >= 1_000 + count)
            #expect(try sqlite(try container.file(database.item), "PRAGMA integrity_check") == "ok")
            try container.sweepLeftovers(olderThan: .zero)
            #expect(try names(in: container.file(.documents)) == ["copy.sqlite"])
        }
    }
}

/// A flag that one thread sets for another one, which reports its end.
private final class Flag: @unchecked Sendable {
    private let lock = NSCondition()
    private var (isRaised, hasEnded) = (false, false)

    var isSet: Bool { lock.withLock { isRaised } }

    func set() { lock.withLock { isRaised = true } }

    func end() {
        lock.withLock {
            hasEnded = true
            lock.broadcast()
        }
    }

    func wait() { lock.withLock { while !hasEnded { lock.wait() } } }
}
