import AppContainer
import ContainerDatabases
import Foundation
import GRDB
import TestSupport
import Testing

@Suite("Inspection of databases", .timeLimit(.minutes(60))) struct InspectionTests {
    @Test(
        "A database of another origin is read with the rows of its log, and no file beside it changes",
        .needs(.externalProgram))
    func untouched() throws {
        try withContainer { container throws in
            let item = ContainerPath.documents / "Model.sqlite"
            let file = try container.file(item)
            // The log is copied while the other process is connected, so that it is not merged.
            let origin = file.deletingLastPathComponent().appending(path: "origin.sqlite")
            let session = try Session(
                origin,
                "PRAGMA journal_mode = WAL; CREATE TABLE t(a TEXT, b BLOB); INSERT INTO t VALUES('in the log', x'0102');"
            )
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: origin.path + suffix, toPath: file.path + suffix)
            }
            session.end()
            // A new database replaces the main file, and the log stays.
            let replaced = ContainerPath.documents / "Replaced.sqlite"
            let (main, log) = (try container.file(replaced).path, try container.file(replaced).path + "-wal")
            try executeSQL("CREATE TABLE u(a); CREATE TABLE v(a); INSERT INTO u VALUES('new')", in: main)
            try FileManager.default.copyItem(atPath: file.path + "-wal", toPath: log)
            let alone = try container.inspectDatabase(replaced)
            #expect(alone.foreignLog?.hasPrefix("it ") == true && alone.objects.map(\.name) == ["u", "v"])
            #expect(try alone.rows(of: "u").values == [[.text("new")]])
            for path in [main, log, origin.path] { try FileManager.default.removeItem(atPath: path) }
            let before = try fingerprint(of: file.deletingLastPathComponent())
            let inspected = try container.inspectDatabase(item)
            #expect(inspected.hasWriteAheadLog && inspected.foreignLog == nil && inspected.pageSize == 4_096)
            #expect(inspected.objects.map(\.columns) == [["a TEXT", "b BLOB"]])
            #expect(inspected.files.keys.sorted() == ["Model.sqlite", "Model.sqlite-wal"])
            #expect(try inspected.rows(of: "t").values == [[.text("in the log"), .blob(Data([1, 2]))]])
            #expect(try inspected.rowCount(of: "t") == 1 && inspected.problems(complete: true).isEmpty)
            #expect(try fingerprint(of: file.deletingLastPathComponent()) == before)
        }
    }

    private func fingerprint(of folder: URL) throws -> [String] {
        try names(in: folder).map { name in
            let file = folder.appending(path: name)
            let status = try FileManager.default.attributesOfItem(atPath: file.path)
            return "\(name) \(status[.modificationDate] ?? "") \(status[.systemFileNumber] ?? "")"
                + (try Data(contentsOf: file)).base64EncodedString()
        }
    }

    @Test("An open database is inspected without losing its locks", .needs(.externalProgram))
    func open() throws {
        try withContainer { container throws in
            let database = try container.database(named: "notes", migrator: notes)
            try database.write { try $0.execute(sql: "INSERT INTO note(text) VALUES('a')") }
            let inspected = try container.inspectDatabase(database.item)
            #expect(try inspected.rows(of: "note").values == [[.integer(1), .text("a")]])
            // Another connection can take the exclusive lock only if this process has lost its shared one.
            let other = try Command(
                "sqlite3", ["-batch", try container.file(database.item).path, "PRAGMA journal_mode = DELETE"])
            #expect(other.code != 0 && other.errors.contains("locked"), "\(other.text) \(other.errors)")
        }
    }

    @Test(
        "A store of Core Data is recognised with its entities, its external files and those that are missing",
        .needs(.externalProgram))
    func coreData() throws {
        try withContainer { container throws in
            let ids = ["0F8FAD5B-D9CB-469F-A165-70867728950E", "7C9E6679-7425-40DE-944B-E07FC1F90AE7"]
            let item = ContainerPath.applicationSupport / "Model.sqlite"
            try container.createDirectory(.applicationSupport)
            _ = try sqlite(
                try container.file(item),
                """
                CREATE TABLE Z_METADATA(Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
                CREATE TABLE Z_PRIMARYKEY(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
                INSERT INTO Z_PRIMARYKEY VALUES(1, 'Photo', 0, 2), (2, 'Portrait', 1, 0);
                CREATE TABLE ZPHOTO(Z_PK INTEGER PRIMARY KEY, ZDATA BLOB);
                INSERT INTO ZPHOTO(ZDATA) VALUES(CAST(char(2) || '\(ids[0])' || char(0) AS BLOB)),
                    (CAST(char(2) || '\(ids[1])' || char(0) AS BLOB));
                """)
            try container.save("x", to: .applicationSupport / ".Model_SUPPORT/_EXTERNAL_DATA" / ids[0])
            let store = try #require(try container.inspectDatabase(item).coreData)
            #expect(store.entities == ["Photo": "ZPHOTO", "Portrait": "ZPHOTO"])
            #expect(store.externalFiles == ids && store.missingFiles == [ids[1]])
        }
    }

    @Test("What is not a database, is missing, too large or a directory is an error that says so")
    func errors() throws {
        try withContainer { container throws in
            try container.save("a letter", to: .documents / "a.sqlite")
            let database = try container.database(named: "notes", migrator: notes)
            try database.close()
            let cases: [(ContainerPath, UInt64, ContainerDatabaseError.Code)] = [
                (.documents / "a.sqlite", 1 << 20, .notADatabase), (.documents / "b.sqlite", 1 << 20, .notFound),
                (database.item, 100, .tooLarge), (.documents, 1 << 20, .file), ("../a", 1, .file),
            ]
            for (item, limit, code) in cases {
                let error = #expect(throws: ContainerDatabaseError.self) {
                    try container.inspectDatabase(item, limit: limit)
                }
                #expect(error?.code == code, "\(item) \(String(describing: error))")
            }
            let unknown = #expect(throws: ContainerDatabaseError.self) {
                try container.inspectDatabase(database.item).rows(of: "missing")
            }
            #expect(unknown?.code == .failed)
        }
    }
}
