import AppContainer
import ContainerArchives
import ContainerDatabases
import ContainerPreferences
import Foundation
import GRDB
import StoragePolicy
import SystemPackage
import TestSupport
import Testing

/// Runs the code of the remedies with this package, and lints the container before and after it.
@Suite("Remedies with this package") struct LibraryRemedyTests {
    private let data = Data("PNG".utf8)

    /// Returns the paths of the findings of a rule.
    private func findings(_ rule: String, in container: Container, _ configuration: String = "") throws -> [String] {
        var catalogue = try Catalogue.embedded()
        try catalogue.restrict(select: [rule], ignore: [])
        let file = container.location.removingLastComponent().appending(".sandboxlint.yml").string
        try Data(configuration.utf8).write(to: URL(filePath: file))
        let linter = try Linter(catalogue: catalogue, configuration: try Configuration.read(file))
        return try linter.lint(container).findings.map(\.displayPath)
    }

    @Test("Excluded, cached and kept downloads are no findings any more")
    func downloads() throws {
        try withContainer { container throws in
            let server = try #require(URL(string: "https://maps.example.com/14/8.png"))
            let kind = Provenance.downloaded(from: server)
            try container.save(data, to: .documents / "Maps/8.png", options: .init(provenance: kind))
            try container.save(data, to: .documents / "Other/8.png", options: .init(provenance: kind))
            try container.save(data, to: .applicationSupport / "Maps/8.png", options: .init(provenance: kind))
            #expect(try findings("regenerable-in-documents", in: container).count == 2)
            #expect(try findings("regenerable-in-app-support", in: container).count == 1)
            // shown in move-to-caches/AppContainer
            try container.move(.documents / "Maps", to: .caches / "Maps")
            // end
            #expect(try findings("regenerable-in-documents", in: container) == ["Documents/Other/8.png"])
            try container.remove(.documents / "Other")
            // shown in save-in-caches/AppContainer
            try container.store(data, named: "8.png", as: .downloaded(from: server, keepOffline: false))
            // end
            // shown in keep-offline/AppContainer
            try container.store(data, named: "8.png", as: .downloaded(from: server, keepOffline: true))
            // end
            #expect(try container.exists(.caches / "8.png"))
            #expect(try container.exclusion(of: .applicationSupport / "Downloads/8.png").state == .excluded)
            // shown in exclude-directory/AppContainer
            let directory = ContainerPath.applicationSupport / "Maps"
            try container.createDirectory(directory)
            try container.excludeFromBackup(directory)
            // end
            #expect(try findings("regenerable-in-app-support", in: container) == [])
            #expect(try findings("regenerable-in-documents", in: container) == [])
            // shown in check-before-use/AppContainer
            if try !container.exists(.caches / "8.png") { try download() }
            // end
            func download() throws { Issue.record("The file exists.") }
        }
    }

    @Test("A file is excluded, saved again and included")
    func exclusions() throws {
        try withContainer { container throws in
            let file = ContainerPath.applicationSupport / "Library.realm.lock"
            try container.save("", to: file)
            try container.save("[]", to: .applicationSupport / "session.json")
            try container.excludeFromBackup(.applicationSupport / "session.json")
            // shown in exclude-file/AppContainer
            try container.excludeFromBackup(.applicationSupport / "Library.realm.lock")
            // end
            // shown in save-excluded/AppContainer
            // The new file gets the exclusion of the old one before it becomes visible.
            try container.save(data, to: .applicationSupport / "session.json")
            // end
            #expect(try container.exclusion(of: file).state == .excluded)
            #expect(try container.exclusion(of: .applicationSupport / "session.json").state == .excluded)

            let database = try container.path(.applicationSupport / "Library.sqlite").string
            try executeSQL("CREATE TABLE t(a); INSERT INTO t VALUES(1)", in: database)
            try container.excludeFromBackup(.applicationSupport / "Library.sqlite")
            #expect(try findings("user-store-excluded", in: container).count == 1)
            // shown in include-in-backup/AppContainer
            try container.includeInBackup(.applicationSupport / "Library.sqlite")
            // end
            #expect(try findings("user-store-excluded", in: container) == [])
        }
    }

    @Test("Documents, files of the app, of a group, and of another app are saved where they belong")
    func places() throws {
        try withContainer { container throws in
            // shown in save-user-document/AppContainer
            try container.store(data, named: "Letter.txt", as: .userDocument)
            // end
            // shown in save-app-file/AppContainer
            try container.save(data, to: .applicationSupport / "index.json")
            // end
            #expect(try container.exists(.documents / "Letter.txt"))
            #expect(
                try container.path(.applicationSupport / "index.json").string.hasSuffix(
                    "Library/Application Support/com.example.app/index.json"))
            try container.remove(.applicationSupport / "index.json")
            try container.save("[]", to: .documents / "index.json")
            // shown in move-to-application-support/AppContainer
            try container.move(.documents / "index.json", to: .applicationSupport / "index.json")
            // end
            #expect(try container.loadText(.applicationSupport / "index.json") == "[]")

            try container.save("x", to: .documents / "Inbox/a.pdf")
            try container.save("y", to: .documents / ".Draft.txt")
            let received = try container.url(for: .documents / "Inbox/a.pdf")
            // shown in take-out-of-inbox/AppContainer
            let item = try container.path(for: received)
            try container.move(item, to: .documents / item.name)
            // end
            // shown in rename/AppContainer
            try container.move(.documents / ".Draft.txt", to: .documents / "Draft.txt")
            // end
            #expect(try container.list(.documents).map(\.name) == ["a.pdf", "Draft.txt", "Inbox", "Letter.txt"])

            let picked = URL(filePath: container.location.removingLastComponent().appending("b.pdf").string)
            try data.write(to: picked)
            // shown in import-file/AppContainer
            try container.importFile(at: picked, to: .documents / picked.lastPathComponent)
            // end
            #expect(try container.load(.documents / "b.pdf") == data)
            // shown in log-in-caches/AppContainer
            let log = try container.appender(to: .caches / "Logs/app.log")
            try log.append("started")
            try log.flush()
            // end
            #expect(try container.loadText(.caches / "Logs/app.log") == "started\n")
            // shown in save-atomically/AppContainer
            try container.save(data, to: .applicationSupport / "shelf.plist")
            // end
            try container.createDirectory(.applicationSupport / "Letters")
            // shown in protect-until-first-unlock/AppContainer
            let directory = ContainerPath.applicationSupport / "Letters"
            try container.setProtection(.completeUntilFirstUserAuthentication, of: directory)
            // end
            #expect(try container.protection(of: directory) == .completeUntilFirstUserAuthentication)
        }
    }

    /// Only compiled: on Linux there are no groups.
    private func shareInGroup() throws {
        // shown in save-in-group/AppContainer
        let group = try Container.group("group.com.example")
        try group.save(data, to: .applicationSupport / "shared.json")
        // end
    }

    @Test("Temporary files, leftovers and expired files are deleted")
    func leftovers() throws {
        try withContainer { container throws in
            let server = try #require(URL(string: "https://maps.example.com/14/8.png"))
            func export() throws {
                // shown in delete-after-use/AppContainer
                let file = ContainerPath.temporary / "export.zip"
                defer { try? container.remove(file) }
                // end
                try container.save("x", to: file)
            }
            try export()
            #expect(try container.list(.temporary) == [])
            try container.save("x", to: .temporary / "a/b")
            // shown in clear-tmp/AppContainer
            try container.removeAll(in: .temporary)
            // end
            #expect(try container.list(.temporary) == [])

            try container.save("x", to: .temporary / "CFNetworkDownload_1.tmp")
            let download = try container.url(for: .temporary / "CFNetworkDownload_1.tmp")
            // shown in take-download/AppContainer
            try container.move(try container.path(for: download), to: .caches / "8.png")
            // end
            #expect(try container.loadText(.caches / "8.png") == "x")

            try container.save("x", to: .applicationSupport / "upload.part")
            // shown in delete/AppContainer
            try container.remove(.applicationSupport / "upload.part")
            // end
            // shown in sweep-leftovers/AppContainer
            try container.sweepLeftovers()
            // end
            #expect(try container.list(.applicationSupport) == [])
            // shown in expire/AppContainer
            let kind = ContentKind.downloaded(from: server, keepOffline: false)
            try container.store(data, named: "8.png", as: kind, expires: .now + 30 * 86_400)
            try container.purgeExpired()
            // end
            #expect(try container.exists(.caches / "8.png"))
            #expect(try container.purgeExpired(now: .now + 31 * 86_400).count == 1)
        }
    }

    @Test("A database has a directory of its own, and is checkpointed, vacuumed, copied and deleted")
    func databases() throws {
        try withContainer { container throws in
            // shown in open-in-application-support/ContainerDatabases
            let database = try container.database(named: "Letters")
            // end
            try database.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES(randomblob(1000000))") }
            try database.write { try $0.execute(sql: "DELETE FROM t") }
            func size(_ suffix: String) throws -> UInt64 {
                let path = try container.path(database.item).string + suffix
                return try FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64 ?? 0
            }
            #expect(try size("-wal") > 1_000_000)
            // shown in checkpoint/ContainerDatabases
            _ = try database.pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            // end
            #expect(try size("-wal") == 0)
            let full = try size("")
            // shown in vacuum/ContainerDatabases
            try database.pool.vacuum()
            // end
            _ = try database.pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            #expect(try size("") < full / 10)
            // shown in copy-database/ContainerDatabases
            try database.backup(to: .documents / "Copy.sqlite")
            // end
            #expect(try container.inspectDatabase(.documents / "Copy.sqlite").objects.map(\.name) == ["t"])
            try database.close()
            // shown in delete-database/ContainerDatabases
            try container.deleteDatabase(named: "Letters")
            // end
            #expect(try !container.exists(.database(named: "Letters")))
        }
    }

    @Test("Paths are stored relative to the container, and large data beside preferences")
    func preferences() throws {
        try withContainer { container throws in
            try container.save("Dear reader", to: .documents / "Letters/first.txt")
            let device = "/var/mobile/Containers/Data/Application/8C2C1F8B-6C0F-4B0E-9C3E-0A7C5B1D2E3F"
            try container.preferences().set(device + "/Documents/Letters/first.txt", forKey: "recent")
            #expect(try findings("absolute-container-path", in: container).count == 1)
            // shown in store-relative-path/ContainerPreferences
            let preferences = try container.preferences()
            try preferences.set("Documents/Letters/first.txt", forKey: "recent")
            let path = try preferences.string(forKey: "recent") ?? "Documents"
            let recent = try container.url(for: ContainerPath(path))
            // end
            #expect(try String(contentsOf: recent, encoding: .utf8) == "Dear reader")
            #expect(try findings("absolute-container-path", in: container) == [])

            try preferences.set(Data(count: 2_000_000), forKey: "cover")
            #expect(try findings("blob-in-preferences", in: container).count == 1)
            // shown in store-beside-preferences/ContainerPreferences
            try container.save(data, to: .applicationSupport / "cover.png")
            try container.preferences().set("cover.png", forKey: "cover")
            // end
            #expect(try findings("blob-in-preferences", in: container) == [])
            // shown in set-preference/ContainerPreferences
            try container.preferences().set(true, forKey: "nightMode")
            // end
            #expect(try preferences.bool(forKey: "nightMode"))
        }
        try withContainer { container throws in
            // shown in name-suite/ContainerPreferences
            let preferences = try container.preferences(suite: "com.example.app.widget")
            // end
            try preferences.set(1, forKey: "a")
            #expect(try findings("preferences-foreign-domain", in: container) == [])
        }
    }

    @Test("A named class is archived under its name and decoded with the allowed classes")
    func archives() throws {
        try withContainer { container throws in
            try container.archive(Shelf([Book(title: "SICP", address: nil)]), to: .documents / "shelf.archive")
            // shown in decode-securely/ContainerArchives
            let shelf = try container.unarchive(
                Shelf.self, from: .documents / "shelf.archive", allowing: [Book.self])
            // end
            #expect(shelf.books.map(\.title) == ["SICP"])
            #expect(Bookmark.archiveName == "Bookmark")
        }
    }

    @Test("A suppression is written in the format of the linter, and removed")
    func suppressions() throws {
        try withContainer { container throws in
            try container.save("x", to: .temporary / "exports/a.zip")
            let week = -8 * 86_400.0
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: week)],
                ofItemAtPath: try container.path(.temporary / "exports/a.zip").string)
            #expect(try findings("stale-tmp", in: container).count == 1)
            // shown in suppress/AppContainer
            try container.suppress(
                "stale-tmp", reason: "uploaded at the next launch", at: .temporary / "exports/a.zip")
            // end
            #expect(try findings("stale-tmp", in: container) == [])
            // shown in remove-suppression/AppContainer
            try container.unsuppress("stale-tmp", at: .temporary / "exports/a.zip")
            // end
            #expect(try findings("stale-tmp", in: container).count == 1)
        }
    }
}

// shown in name-archived-class/ContainerArchives
extension Bookmark: ArchiveNamed {
    static var archiveName: String? { "Bookmark" }
}
// end
