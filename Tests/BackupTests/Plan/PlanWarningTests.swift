import AppContainer
import BackupPlan
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite struct PlanWarningTests {
    private func flag(_ paths: String..., in folder: URL) throws {
        for path in paths {
            try AttributeTool.set(
                "user.com.apple.metadata:com_apple_backup_excludeItem", to: "x", of: path, in: folder)
        }
    }

    private func makeDatabases(_ paths: String..., in folder: URL) throws {
        for path in paths { try executeSQL("CREATE TABLE t(a)", in: "\(folder.path)/\(path)") }
    }

    @Test("Excluded user databases are reported, recognized by their content")
    func databases() throws {
        try withContainer { container, folder throws in
            try folder.makeDirectories("Documents/flagged/deep", "Library/Application Support/x", "Library/Own")
            try makeDatabases(
                "Documents/own.db", "Documents/flagged/deep/no-extension", "Documents/kept.db", "Documents/again.db",
                "Library/Application Support/x/y.sqlite", "Library/Caches/z.db", "Library/Own/w.db", "tmp/v.db",
                in: folder)
            try AttributeTool.set(
                "user.appcontainer.provenance", to: "downloaded", of: "Documents/again.db", in: folder)
            try folder.makeHole("Documents/false.sqlite", size: 4096)
            try folder.write(Data("not a database".utf8), to: "Documents/false.sqlite", at: 0)
            try flag(
                "Documents/own.db", "Documents/again.db", "Documents/false.sqlite", "Documents/flagged",
                "Library/Own/w.db", "Library/Application Support/x/y.sqlite", "Library/Caches/z.db", in: folder)
            let plan = try Plan(of: container)
            #expect(
                plan.warningLines == [
                    "database-left-out Documents/flagged/deep/no-extension", "database-left-out Documents/own.db",
                    "database-left-out Library/Application Support/x/y.sqlite",
                ])
            #expect(plan.warnings.first?.bytes == 8192 || plan.warnings.first?.bytes == 4096 * 2)
        }
    }

    @Test("Databases of which only one file is included are reported, whichever it is")
    func splits() throws {
        try withContainer("group.com.example") { container, folder throws in
            let own = folder.appending(path: "Own")
            try folder.makeDirectories("Own")
            try makeDatabases("log", "main", "both", "none", "journal", "pair", "pair-wal", in: own)
            try own.write(to: "log-wal", "main-wal", "both-wal", "none-wal", "journal-wal", "journal-journal")
            // SQLite needs its name for the journal while it creates the database.
            try own.makeDirectories("pair-journal")
            try own.write("x", to: "text", "text-wal")
            try flag(
                "log-wal", "main", "both", "both-wal", "journal-journal", "text-wal", "pair-wal", in: own)
            #expect(
                try Plan(of: container).warningLines.filter { $0.hasPrefix("store-split") } == [
                    "store-split Own/journal Own/journal-journal", "store-split Own/log Own/log-wal",
                    "store-split Own/main Own/main-wal", "store-split Own/pair Own/pair-wal",
                ])
        }
    }

    @Test("Caches from one megabyte are reported in total, with the largest file")
    func regenerable() throws {
        try withContainer { container, _ throws in
            let url = try #require(URL(string: "https://example.com/a"))
            for (name, size) in [("b", 600_000), ("a", 600_000), ("c", 1)] {
                try container.save(
                    Data(count: size), to: .documents / name, options: .init(provenance: .downloaded(from: url)))
            }
            try container.save(
                Data(count: 999_999), to: .applicationSupport / "d", options: .init(provenance: .derived()))
            try container.save(
                Data(count: 5_000_000), to: .documents / "own", options: .init(provenance: Provenance(.user)))
            try container.save(Data(count: 5_000_000), to: .caches / "e", options: .init(provenance: .derived()))
            try container.save(Data(count: 5_000_000), to: .documents / "f", options: .init(provenance: .derived()))
            try container.excludeFromBackup(.documents / "f")
            let plan = try Plan(of: container)
            #expect(plan.warningLines == ["regenerable-kept Documents Documents/a"])
            #expect(plan.warnings.first?.items == 3 && plan.warnings.first?.bytes == 1_200_001)
            #expect(
                plan.warnings.first?.message
                    == "3 files here are re-downloadable or regenerable and take 1.2 MB of every backup; the largest "
                    + "is Documents/a. Move them to Library/Caches or exclude them from backup.")
        }
    }

    @Test("Links into another container are reported by its UUID, other links are not")
    func links() throws {
        try withScratch { folder throws in
            let own = "0A1B2C3D-0000-4000-8000-00000000ABCD"
            let place = folder.appending(path: own)
            let container = try Container.create(at: FilePath(place.path), bundleIdentifier: "com.example.app")
            let (other, base) = ("11111111-2222-3333-4444-555555555555", "Containers/Data/Application")
            let root = "/private/var/mobile/\(base)"
            for (link, target) in [
                ("Documents/old", "\(root)/\(other)/Documents/x"), ("tmp/gone", "\(root)/\(other)"),
                ("Documents/here", "\(root)/\(own.lowercased())/Documents/x"),
                ("Documents/relative", "../\(base)/\(other)"), ("Documents/elsewhere", "/\(other)/x"),
                ("Documents/plain", "/Containers/not-a-uuid"),
            ] { try place.makeLink(link, to: target) }
            #expect(try Plan(of: container).warningLines == ["link-to-old-container Documents/old"])
        }
    }
}
