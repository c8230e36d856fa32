import AppContainer
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("BackupExclusion") struct BackupExclusionTests {
    @Test("The value of the exclusion is the 61 bytes that Python's plistlib writes", .needs(.externalProgram))
    func value() throws {
        let write = "import plistlib;print(plistlib.dumps('com.apple.backupd',fmt=plistlib.FMT_BINARY).hex())"
        let hex = ExclusionMark.value.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
        #expect(ExclusionMark.value.count == 61)
        #expect(try Command("python3", ["-c", write]).text == hex + "\n")
    }

    @Test("The exclusion is set, reported with its evidence, inherited, and removed")
    func setAndClear() throws {
        try withContainer { container throws in
            try container.save("x", to: .applicationSupport / "Maps/tiles/1.png")
            let file = ContainerPath.applicationSupport / "Maps/tiles/1.png"
            #expect(try container.exclusion(of: file) == .included)
            try container.excludeFromBackup(.applicationSupport / "Maps")
            let seen = try container.exclusion(of: file)
            #expect(seen.state == .excluded && seen.mark == .modern)
            #expect(seen.carrier == "Library/Application Support/com.example.app/Maps")
            #expect(try container.ownMarks(of: file).isEmpty)
            let path = try container.path(.applicationSupport / "Maps")
            let hex = ExclusionMark.value.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            #expect(try attributes(path).contains("user.com.apple.metadata:com_apple_backup_excludeItem=0x\(hex)"))
            try container.includeInBackup(.applicationSupport / "Maps")
            #expect(try container.exclusion(of: file) == .included)
        }
    }

    @Test(
        "Every spelling of the attribute counts, with any value",
        arguments: [
            ("com.apple.metadata:com_apple_backup_excludeItem", "", ExclusionMark.modern),
            ("com.apple.metadata:com_apple_backup_excludeItem#S", "true", .modern),
            ("com.apple.MobileBackup", "x", .legacy),
            ("DosStream.com.apple.metadata:com_apple_backup_excludeItem:$DATA", "x", .dosStream),
            ("DosStream.com.apple.metadata\u{F022}com_apple_backup_excludeItem:$DATA", "x", .dosStream),
            ("DosStream.com.apple.metadata:com_apple_backup_excludeItem", "x", .dosStream),
            ("com.apple.metadata:com_apple_backup_excludeItem:$DATA", "x", .dosStream),
            ("com.apple.metadata\u{F022}com_apple_backup_excludeItem", "x", .dosStream),
            ("DosStream.com.apple.metadata:com_apple_backup_excludeItem#S:$DATA", "x", .dosStream),
            ("rsync.com.apple.metadata:com_apple_backup_excludeItem", "x", .rsync),
            ("rsync.com.apple.MobileBackup", "x", .legacy),
        ])
    func spellings(name: String, value: String, mark: ExclusionMark) throws {
        try withContainer { container throws in
            try container.save("x", to: .documents / "a")
            let path = try container.path(.documents / "a").string
            try AttributeTool.set("user." + name, to: value, of: path)
            let seen = try container.exclusion(of: .documents / "a")
            #expect(seen.state == .excluded && seen.mark == mark && seen.carrier == "Documents/a")
            try container.includeInBackup(.documents / "a")
            #expect(try container.exclusion(of: .documents / "a").state == .included)
        }
    }

    @Test(
        "Similar names and the status of rsync are no marks",
        arguments: [
            "rsync.%stat", "rsync.xdg.robots.backup", "DosStream.rsync.com.apple.MobileBackup",
            "com.apple.MobileBackup2",
            "x.com.apple.metadata:com_apple_backup_excludeItem",
            "com.apple.metadata:com_apple_backup_excludeItem:$DATA2",
        ])
    func otherNames(name: String) throws {
        try withContainer { container throws in
            try container.save("x", to: .documents / "a")
            let path = try container.path(.documents / "a").string
            try AttributeTool.set("user." + name, to: "false", of: path)
            #expect(try container.ownMarks(of: .documents / "a").isEmpty)
        }
    }

    @Test("The mark that rsync stores with --fake-super excludes the file", .needs(.externalProgram))
    func fakeSuper() throws {
        try withContainer { container throws in
            try container.save("x", to: .documents / "a")
            let path = try container.path(.documents / "a").string
            let scratch = path + ".source"
            // An attribute outside of the namespace for users, and a mode that only a superuser may set for others.
            try Command.setUp("bash", ["-ec", "echo x >\(scratch); chmod 4755 \(scratch)"])
            try AttributeTool.set("trusted.example", to: "x", of: scratch)
            try Command.setUp("rsync", ["-aX", "-M--fake-super", scratch, path])
            let names = try attributes(try container.path(.documents / "a"))
            #expect(names.contains("user.rsync.trusted.example") && names.contains("user.rsync.%stat"))
            try AttributeTool.set("user.rsync.\(ExclusionMark.modern.rawValue)", to: "x", of: path)
            #expect(try container.exclusion(of: .documents / "a").mark == .rsync)
        }
    }

    @Test("Marks of other systems are reported, and do not exclude from Apple's backups")
    func foreign() throws {
        try withContainer { container throws in
            try container.save("x", to: .documents / "cache/a")
            try container.save(
                "Signature: 8a477f597d28d172789f06886806bc55\n", to: .documents / "cache/CACHEDIR.TAG")
            let seen = try container.exclusion(of: .documents / "cache/a")
            #expect(seen.state == .included && seen.mark == .cacheTag && seen.carrier == "Documents/cache")
            let path = try container.path(.documents / "cache/a").string
            try AttributeTool.set("user.xdg.robots.backup", to: "true", of: path)
            #expect(try container.ownMarks(of: .documents / "cache/a").isEmpty)
            try AttributeTool.set("user.xdg.robots.backup", to: "false", of: path)
            #expect(try container.ownMarks(of: .documents / "cache/a") == [.robots])
            #expect(try container.exclusion(of: .documents / "cache/a").state == .included)
        }
    }

    @Test("A system-defined directory is not excluded unless forced")
    func systemDirectories() throws {
        try withContainer { container throws in
            for place in [ContainerPath.documents, .library, .init("Library/Caches")] {
                let error = #expect(throws: ContainerError.self) { try container.excludeFromBackup(place) }
                #expect(error?.code == .systemDirectory)
                #expect(try container.exclusion(of: place).state == .included)
            }
            try container.excludeFromBackup(.documents, force: true)
            #expect(try container.exclusion(of: .documents).state == .excluded)
        }
    }

    @Test("The exclusion is flushed to disk; if that fails, it is visible and the error says so")
    func durable() throws {
        try withContainer { made throws in
            try made.save("x", to: .documents / "maps/a")
            let isSynced = AtomicFlag(false)
            var calls = Syscalls.live
            calls.sync = { _ in
                isSynced.set(true)
                return -5
            }
            let container = try Container.open(made.location, bundleIdentifier: nil, calls: calls)
            let error = #expect(throws: ContainerError.self) { try container.excludeFromBackup(.documents / "maps") }
            let wasSynced = isSynced.value
            #expect(wasSynced)
            #expect(error?.code == .durabilityUnknown && error?.errno == 5)
            #expect(
                error?.description == "cannot sync “Documents/maps”: Input/output error. The change is visible but may "
                    + "not survive a power loss. Repeat it.")
            #expect(try container.exclusion(of: .documents / "maps/a").state == .excluded)
        }
    }
}
