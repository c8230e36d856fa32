import Foundation
import TestSupport
import TextOutput
import Testing
import ToolSupport

@Suite(
    "The content of a restored container", .needs([.externalProgram, .root]), .timeLimit(.minutes(60)),
    .enabled(if: Platform.isLinux, "has access lists of POSIX, flags of ext4, and names that are not UTF-8"))
struct FidelityTests {
    /// A way to store and restore a container.
    enum Way: String, CaseIterable {
        case native, mobilebackup, restic, borg

        /// The losses that LAYOUT.md and the guide document, except for fractions of seconds.
        var losses: Set<String> {
            let list = "0x0200000001000600ffffffff02000400d204000004000400ffffffff10000400ffffffff20000400ffffffff"
            let acl = "system.posix_acl_access \(list) is none: Documents/notes/5.txt"
            let flags = "flags nodump is none: Documents/notes/6.txt"
            return switch self {
            case .native: [acl, flags]
            case .mobilebackup:
                [
                    acl, flags, "gone: Documents/to-bytes", "gone: Documents/\u{fffd}bytes",
                    "gone: Documents/\u{fffd}directory", "gone: Documents/\u{fffd}directory/in",
                    "nlink 2 is none: Documents/letter.txt", "nlink 2 is none: Documents/notes/same.txt",
                    "first ./Documents/letter.txt is none: Documents/letter.txt",
                    "first ./Documents/letter.txt is none: Documents/notes/same.txt",
                ]
            // As in Debian 12; restic 0.16 and later preserve the target.
            case .restic: [flags, "link \\377 is \\357\\277\\275: Documents/to-bytes"]
            case .borg:
                [
                    "time -2.500000000 is 0.0: Documents/nothing", "time -1.999999999 is 0.0: Documents/notes/1.txt",
                    "time 4102444800.1 is 2147310847.0: Documents/photo.bin",
                ]
            }
        }
    }

    /// The paths that a plan excludes.
    private static let leftOut: Set = [
        ".com.apple.mobile_container_manager.metadata.plist", "Documents/notes/8.txt", "Documents/pipe",
        "Documents/tiles", "Documents/tiles/1.png", "Library/Caches", "Library/Caches/web", "Library/Caches/web/a",
        "Other", "Other/thing", "SystemData", "tmp", "tmp/b",
    ]

    @Test(
        "It is exactly what the plan includes, according to libarchive and the system, except for declared losses",
        arguments: Way.allCases)
    func comesBack(way: Way) throws {
        try withRichContainer { folder, container throws in
            let before = try MtreeListing(of: container)
            var expected = before
            expected.keep(only: try planned(container))
            #expect(expected.items.count > 330)
            let leftOut = Set(before.items.keys).subtracting(expected.items.keys)
            #expect(Set(leftOut.map { String(decoding: $0, as: UTF8.self) }) == Self.leftOut)
            let target = folder.appending(path: "restored")
            switch way {
            case .native:
                let store = folder.appending(path: "store").path
                try backed("create", container.path, "--repository", store)
                try backed("restore", "latest", "--preserve-special-modes", "--repository", store, "--to", target.path)
            case .mobilebackup: try throughMobileBackup(folder, container, target)
            case .restic, .borg: try through(way.rawValue, folder, container, target)
            }
            if way == .mobilebackup {
                expected.roundTimes()
                expected.dropSetIDBits()
            }
            var differences = try expected.differences(in: MtreeListing(of: target))
            // SQLite recreates it.
            let index = differences.remove("gone: Library/Application Support/com.example.app/log.sqlite-shm")
            #expect(index != nil)
            // restic does not store the root itself.
            if way == .restic { differences = differences.filter { !$0.hasSuffix(": ") } }
            let isFlagged = before.items[Array("Documents/notes/6.txt".utf8)]?["flags"] != nil
            #expect(differences == way.losses.filter { isFlagged || !$0.hasPrefix("flags ") })
            #expect(before.differences(in: try MtreeListing(of: container)) == [])
            let log = "Library/Application Support/com.example.app/log.sqlite"
            #expect(try executeSQL("SELECT a FROM note", in: "\(target.path)/\(log)") == "in the log\n")
            guard way == .native || way == .mobilebackup else { return }
            let room = try ["sparse", "hole"].map { try allocatedSize(of: "\(target.path)/Documents/\($0).bin") }
            #expect(room.reduce(0, +) == 4096, "\(room)")
        }
    }

    /// Returns the paths that the plan includes.
    private func planned(_ container: URL) throws -> Set<[UInt8]> {
        struct Line: Decodable { let path, decision: String? }
        let plan = try sandboxbackup(["plan", container.path, "--format", "jsonl"])
        return Set(
            try plan.output.split(separator: UInt8(ascii: "\n")).compactMap { text in
                let line = try JSONDecoder().decode(Line.self, from: text)
                return line.decision == "include" ? line.path.map(ByteText.unescaped) : nil
            })
    }

    private func throughMobileBackup(_ folder: URL, _ container: URL, _ target: URL) throws {
        let (store, second) = (folder.appending(path: "store").path, folder.appending(path: "second").path)
        let backup = try exported(container.path, store, to: folder.appending(path: "out"), code: 3)
        let text = try backed("import", backup.path, "--preserve-owners", "--repository", second, code: 3)
        let named = text.split(separator: "\n").filter { $0.hasPrefix("  ") }
        #expect(named.count == 4 && named.allSatisfy { $0.hasPrefix("  set-id-bits-dropped: ") }, "\(text)")
        try backed("restore", "latest", "--repository", second, "--to", target.path, code: 3)
    }

    private func through(_ tool: String, _ folder: URL, _ container: URL, _ target: URL) throws {
        let sample = EngineSample(
            tool: tool, folder: folder, container: container, repository: folder.appending(path: "repository").path)
        try sample.makeRepository()
        let run = try sample.create("--format", "json")
        let report = try EngineReport(run)
        // Items that a tool cannot store are reported by create.
        let told =
            tool == "borg" ? "stored-with-other-time: Documents/photo.bin" : "target-not-text: Documents/to-bytes"
        #expect(run.code == 3 && report.lines == [told])
        for snapshot in [report.snapshot, try #require(report.stores)] {
            #expect(try sample.restore(snapshot, to: target).code == 0)
        }
    }
}
