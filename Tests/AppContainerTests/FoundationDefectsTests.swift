import AppContainer
import FaultedOperations
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Defects of Foundation 6.3.1 on Linux, each with the call that replaces it. The defects themselves are not tested,
/// because they may be fixed.
@Suite("Replacements for calls with defects in Foundation", .timeLimit(.minutes(60))) struct FoundationDefectsTests {
    private static let save = "save over a file"

    /// Saves over a file of mode 0640 with an exclusion, in a process under strace, and returns the output.
    private func traced(_ arguments: [String], _ container: Container) throws -> String {
        let operation = try #require(FaultedOperation.all.first { $0.description == Self.save })
        try operation.prepare(container)
        return try Command(
            "strace",
            ["-qq", "-f", "-o", container.location.string + ".trace"] + arguments
                + [Command.probe, "run", container.location.string, Self.save]
        ).text
    }

    @Test(
        "1: a new name is flushed: its directory is synced, and so are new parent directories",
        .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs strace"))
    func directorySync() throws {
        try withContainer { container throws in
            let trace = container.location.string + ".trace"
            let saved = try Command(
                "strace",
                [
                    "-f", "-y", "-o", trace, "-e", "trace=fsync,mkdirat,renameat", Command.probe, "run",
                    container.location.string, "save in new directories",
                ])
            #expect(saved.text == "done\n")
            let path = container.location.string
            let steps = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n").compactMap { line in
                if line.contains("mkdirat(") { return "make" }
                if line.contains("renameat(") { return "rename" }
                return line.contains("fsync(")
                    ? line.firstRange(of: "\(path)/").map { rest in
                        String(line[rest.upperBound...].prefix { $0 != ">" })
                    }?.replacing(#/\.appcontainer-staging-.*/#, with: "file") : nil
            }
            #expect(
                steps == ["make", "Documents", "make", "Documents/x", "Documents/x/y/file", "rename", "Documents/x/y"])
        }
    }

    @Test("2: the mode stays", arguments: ["600", "400", "200", "664", "755"])
    func mode(mode: String) throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "a"
            try container.save("old", to: place)
            let path = try container.path(place).string
            try setMode(mode, of: path)
            try container.save("new", to: place)
            #expect(try TestSupport.mode(of: path) == mode)
        }
    }

    @Test("3: attributes, including the backup exclusion, are kept")
    func attributesStay() throws {
        try withContainer { container throws in
            var container = container
            container.recording = .given
            let place = ContainerPath.documents / "a"
            try container.save("old", to: place)
            try container.excludeFromBackup(place)
            let path = try container.path(place)
            for (name, value) in [("user.a", "1"), ("user.empty", "")] {
                try AttributeTool.set(name, to: value, of: path.string)
            }
            let before = try attributes(path)
            try container.save("new", to: place)
            #expect(try attributes(path) == before)
            #expect(before.split(separator: "\n").count == 3)
        }
    }

    @Test("4: the caller decides what happens to a link or a file with other hard links")
    func links() throws {
        try withContainer { container throws in
            try container.save("old", to: .documents / "a")
            let folder = try container.path(.documents).string
            try FileManager.default.createSymbolicLink(atPath: folder + "/symbolic", withDestinationPath: "a")
            try FileManager.default.linkItem(atPath: folder + "/a", toPath: folder + "/hard")
            #expect(throws: ContainerError.self) { try container.save("new", to: .documents / "symbolic") }
            #expect(throws: ContainerError.self) {
                try container.save(
                    "new", to: .documents / "hard", options: .init(overwrite: .replacing(hardLink: .refuse)))
            }
            try container.save(
                "new", to: .documents / "symbolic", options: .init(overwrite: .replacing(symbolicLink: .follow)))
            #expect(try container.loadText(.documents / "a") == "new")
            #expect(try container.loadText(.documents / "hard") == "old")
        }
    }

    @Test(
        "5: more than 2,147,479,552 bytes in one save are stored exactly", .needs(.process),
        .enabled(if: Platform.isLinux, "stores a large file in /dev/shm"))
    func large() throws {
        // In tmpfs if it has enough space.
        let memory = FilePath("/dev/shm/sandboxlint-\(UUID().uuidString)")
        let space = try? Command("df", ["-B1", "--output=avail", "/dev/shm"]).text.split(separator: "\n").last
        let hasRoom = space.flatMap { UInt64($0.trimmingCharacters(in: .whitespaces)) } ?? 0 > 6 << 30
        try withScratch { scratch throws in
            let path = hasRoom ? memory : FilePath(scratch.path).appending("c")
            let container = try Container.create(at: path, bundleIdentifier: "com.example.app")
            defer { try? FileManager.default.removeItem(atPath: path.string) }
            // A source with holes, marked at the limit of one call and at its end.
            let size = (2 << 30) + (5 << 20) + 7
            let source = scratch.appending(path: "source")
            #expect(FileManager.default.createFile(atPath: source.path, contents: nil))
            let handle = try FileHandle(forWritingTo: source)
            for offset in [0, 0x7fff_f000 - 1, 0x7fff_f000, 1 << 31, size - 1] {
                try handle.seek(toOffset: UInt64(offset))
                try handle.write(contentsOf: Data([UInt8(truncatingIfNeeded: offset >> 8) | 1]))
            }
            try handle.close()
            let bytes = try Data(contentsOf: source, options: .alwaysMapped)
            #expect(bytes.count == size)
            try container.save(bytes, to: .caches / "large", options: .init(durability: .none))
            let saved = try container.path(.caches / "large").string
            let compared = try Command("cmp", [source.path, saved])
            #expect(compared.code == 0, "\(compared.text)\(compared.errors)")
        }
    }

    @Test(
        "6: an interrupted write is continued", .needs(.externalProgram), .enabled(if: Platform.isLinux, "runs strace"))
    func interrupted() throws {
        try withContainer { container throws in
            let inject = ["-e", "trace=write", "-e", "inject=write:error=EINTR:when=1..3"]
            #expect(try traced(inject, container) == "done\n")
            #expect(try container.loadText(.documents / "a") == "new content")
        }
    }

    @Test(
        "7: a rename that fails is an error, and the old file is complete", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs strace"), arguments: ["EBUSY", "EINVAL"])
    func renameFails(errno: String) throws {
        try withContainer { container throws in
            let said = try traced(
                ["-e", "trace=renameat,open,openat", "-e", "inject=renameat:error=\(errno)"], container)
            #expect(said.contains("Nothing on disk has changed"))
            #expect(try container.loadText(.documents / "a") == "old content of Documents/a")
            // It was not overwritten and restored, either.
            let trace = try String(contentsOfFile: container.location.string + ".trace", encoding: .utf8)
            #expect(!trace.contains("O_TRUNC"))
            #expect(try container.list(.documents).map(\.description) == ["Documents/a"])
        }
    }

    @Test(
        "8: leftovers of a killed save are swept", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs strace"))
    func killed() throws {
        try withContainer { container throws in
            let inject = ["-e", "trace=renameat", "-e", "inject=renameat:signal=SIGKILL"]
            #expect(try traced(inject, container).isEmpty)
            #expect(try container.list(.documents).count == 2)
            let later = Timestamp(seconds: Timestamp.now.seconds + 7_200)
            #expect(try container.sweepLeftovers(olderThan: .seconds(3_600), now: later).count == 1)
            #expect(try container.loadText(.documents / "a") == "old content of Documents/a")
        }
    }

    @Test("9: a save that must not replace anything is an error if the name is taken, and does not crash")
    func withoutOverwriting() throws {
        try withContainer { container throws in
            try container.save("old", to: .documents / "a", options: .init(overwrite: .never, durability: .full))
            let error = #expect(throws: ContainerError.self) {
                try container.save("new", to: .documents / "a", options: .init(overwrite: .never, durability: .full))
            }
            #expect(error?.code == .alreadyExists)
        }
    }

    @Test("10: after a replacement, the new item is in place")
    func replaceItem() throws {
        try withContainer { container throws in
            try container.save("old", to: .documents / "a")
            try container.save("new", to: .temporary / "b")
            try container.replace(.documents / "a", with: .temporary / "b")
            #expect(try container.loadText(.documents / "a") == "new")
            #expect(try container.list(.temporary).isEmpty)
        }
    }

    @Test(
        "11: a copied file keeps its attributes and times, also when it is moved to another file system",
        .enabled(if: Platform.isLinux, "moves to /dev/shm or /var/tmp"))
    func copyAndMove() throws {
        try withContainer { container throws in
            let otherPath = try #require(try newPathOnAnotherFileSystem(than: container.location.string))
            let other = try Container.create(at: FilePath(otherPath), bundleIdentifier: "com.example.other")
            defer { try? FileManager.default.removeItem(atPath: otherPath) }
            try container.save("x", to: .documents / "a")
            try container.excludeFromBackup(.documents / "a")
            let path = try container.path(.documents / "a").string
            try URL(filePath: "/").setTimes("2020-02-03T04:05:06.789Z", of: path)
            try container.copy(.documents / "a", to: .documents / "b")
            try container.move(.documents / "a", to: .documents / "c", in: other)
            for copy in [try container.path(.documents / "b"), try other.path(.documents / "c")] {
                #expect(try attributes(copy).contains("com_apple_backup_excludeItem"))
                let file = try OpenFile(opening: copy)
                #expect(try file.status().modified == Timestamp(seconds: 1_580_702_706, nanoseconds: 789_000_000))
            }
        }
    }

    @Test("12: an excluded file is excluded, and reported as such")
    func exclusion() throws {
        try withContainer { container throws in
            try container.save("x", to: .documents / "a")
            try container.excludeFromBackup(.documents / "a")
            #expect(try container.exclusion(of: .documents / "a").state == .excluded)
            #expect(try attributes(container.path(.documents / "a")).contains("0x62706c6973743030"))
        }
    }
}
