import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Guide: exclude files from backup") struct KeepOutOfBackupsTests {
    private let tile = Data("PNG".utf8)

    @Test("The exclusion of a directory applies to files saved in it, and is reported with its evidence")
    func directory() throws {
        try withContainer { container throws in
            // shown in KeepOutOfBackups.md
            let maps = ContainerPath.applicationSupport / "Maps"
            try container.createDirectory(maps)
            try container.excludeFromBackup(maps)
            try container.save(tile, to: maps.appending("14/8.png"))
            // end
            // shown in KeepOutOfBackups.md
            let seen = try container.exclusion(of: maps.appending("14/8.png"))
            let decision = "\(seen.state), by \(seen.carrier ?? "nothing")"
            // end
            let path = "Library/Application Support/com.example.app/Maps"
            #expect(decision == "excluded, by \(path)")
            #expect(try container.ownMarks(of: maps.appending("14/8.png")).isEmpty)

            // shown in KeepOutOfBackups.md
            let flagged = try container.excludedItems()
            // end
            #expect(flagged == [maps])

            // shown in KeepOutOfBackups.md
            try container.excludeFromBackup(maps, recursively: true)
            try container.includeInBackup(maps, recursively: true)
            // end
            #expect(try container.excludedItems() == [])
        }
    }

    @Test("A system-defined directory is refused")
    func systemDirectory() throws {
        try withContainer { container throws in
            let error = #expect(throws: ContainerError.self) { try container.excludeFromBackup(.documents) }
            #expect(error?.code == .systemDirectory)
            // Only the exclusion is considered, not the location.
            try container.save(tile, to: .caches / "a")
            #expect(try container.exclusion(of: .caches / "a").state == .included)
            #expect(try container.isBackedUp(.caches / "a") == false)
        }
    }

    @Test("The exclusion of a file is kept when the file is saved again")
    func file() throws {
        try withContainer { container throws in
            let newer = Data("2".utf8)
            try container.save("1", to: .documents / "model.bin")
            // shown in KeepOutOfBackups.md
            try container.excludeFromBackup(.documents / "model.bin")
            try container.save(newer, to: .documents / "model.bin")
            let isStillFlagged = try container.exclusion(of: .documents / "model.bin").state == .excluded
            // end
            #expect(isStillFlagged)
            #expect(try container.load(.documents / "model.bin") == newer)
        }
    }

    @Test("Expired files are removed, and no others")
    func expiry() throws {
        try withContainer { container throws in
            let maps = ContainerPath.applicationSupport / "Maps"
            let server = try #require(URL(string: "https://maps.example.com/14/9.png"))
            let month = 30 * 86_400.0
            let inAMonth = Date(timeIntervalSinceNow: month)
            try container.save(
                tile, to: maps.appending("14/8.png"), options: .init(provenance: .downloaded(from: server)))
            try container.save(
                "Dear reader", to: .documents / "letter.txt", options: .init(provenance: Provenance(.user)))
            // shown in KeepOutOfBackups.md
            try container.save(
                tile, to: maps.appending("14/9.png"),
                options: .init(provenance: .downloaded(from: server, expires: inAMonth)))

            let purged = try container.purgeExpired()
            let freed = purged.reduce(0) { $0 + $1.size }
            // end
            #expect(purged.isEmpty && freed == 0)
            // A save without a provenance keeps the date; one with another provenance replaces it.
            try container.save(tile, to: maps.appending("14/9.png"))
            let later = Date(timeIntervalSinceNow: 2 * month)
            let gone = try container.purgeExpired(now: later).map(\.path)
            #expect(try gone == [maps.appending("14/9.png")])
            try container.save(
                tile, to: maps.appending("14/9.png"),
                options: .init(provenance: .downloaded(from: server, expires: inAMonth)))
            try container.save(
                tile, to: maps.appending("14/9.png"), options: .init(provenance: .downloaded(from: server)))
            #expect(try container.purgeExpired(now: later).isEmpty)
            #expect(try container.list(.documents).count == 1)
        }
    }
}
