import AppContainer
import BackupPlan
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite struct PlanWarningTests {
    private static let flag = AttributeTool.command(
        setting: "user.com.apple.metadata:com_apple_backup_excludeItem", to: "x")
    private static let database = "sqlite3 \"$1\" 'CREATE TABLE t(a)'"

    @Test("Excluded user databases are reported, recognized by their content")
    func databases() throws {
        try withContainer { container, folder throws in
            try inContainer(
                folder,
                """
                make() { \(Self.database); }
                mkdir -p Documents/flagged/deep Library/Caches 'Library/Application Support/x' Library/Own
                make Documents/own.db; make Documents/flagged/deep/no-extension; make Documents/kept.db
                make 'Library/Application Support/x/y.sqlite'; make Library/Caches/z.db; make Library/Own/w.db; make tmp/v.db
                make Documents/again.db; \(AttributeTool.command(setting: "user.appcontainer.provenance", to: "downloaded")) Documents/again.db
                printf 'not a database' > Documents/false.sqlite; truncate -s 4096 Documents/false.sqlite
                \(Self.flag) Documents/{own,again}.db Documents/false.sqlite Documents/flagged Library/Own/w.db \
                    'Library/Application Support/x/y.sqlite' Library/Caches/z.db
                """)
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
            try inContainer(
                folder,
                """
                make() { \(Self.database); }
                mkdir Own; cd Own
                for name in log main both none journal; do make $name; touch $name-wal; done; touch journal-journal
                make pair; make pair-wal; mkdir pair-journal
                printf x > text; printf x > text-wal
                \(Self.flag) log-wal main both both-wal journal-journal text-wal pair-wal
                """)
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
                try container.save(Data(count: size), to: .documents / name, provenance: .downloaded(from: url))
            }
            try container.save(Data(count: 999_999), to: .applicationSupport / "d", provenance: .derived())
            try container.save(Data(count: 5_000_000), to: .documents / "own", provenance: Provenance(.user))
            try container.save(Data(count: 5_000_000), to: .caches / "e", provenance: .derived())
            try container.save(Data(count: 5_000_000), to: .documents / "f", provenance: .derived())
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
            try inContainer(
                place,
                """
                cd Documents; base=/private/var/mobile/Containers/Data/Application
                ln -s $base/11111111-2222-3333-4444-555555555555/Documents/x old
                ln -s $base/\(own.lowercased())/Documents/x here
                ln -s ../Containers/Data/Application/11111111-2222-3333-4444-555555555555 relative
                ln -s /11111111-2222-3333-4444-555555555555/x elsewhere; ln -s /Containers/not-a-uuid plain
                ln -s $base/11111111-2222-3333-4444-555555555555 ../tmp/gone
                """)
            #expect(try Plan(of: container).warningLines == ["link-to-old-container Documents/old"])
        }
    }
}
