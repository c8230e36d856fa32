import AppContainer
import ContainerPreferences
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Exclusion of trees", .timeLimit(.minutes(60))) struct ExclusionTreeTests {
    private func withTree(_ body: (Container) throws -> Void) throws {
        try withContainer { container throws in
            for name in ["t/a", "t/sub/b", "t/sub/deep/c", "other"] {
                try container.save(name, to: .documents / name, options: .init(durability: .none))
            }
            try FileManager.default.createSymbolicLink(
                atPath: try container.path(.documents / "t/link").string, withDestinationPath: "a")
            try body(container)
        }
    }

    @Test("With recursion, each file and directory is excluded, links are not, and all marks can be removed")
    func recursive() throws {
        try withTree { container throws in
            try container.excludeFromBackup(.documents / "t", recursively: true)
            #expect(
                try container.excludedItems().map(\.description) == [
                    "Documents/t", "Documents/t/a", "Documents/t/sub", "Documents/t/sub/b", "Documents/t/sub/deep",
                    "Documents/t/sub/deep/c",
                ])
            try container.includeInBackup(.documents / "t", recursively: true)
            #expect(try container.excludedItems().isEmpty)
        }
    }

    @Test("Toggling returns the new state, also below an excluded directory")
    func toggle() throws {
        try withTree { container throws in
            let place = ContainerPath.documents / "t/a"
            #expect(try container.toggleBackupExclusion(of: place).state == .excluded)
            #expect(try container.toggleBackupExclusion(of: place).state == .included)
            try container.excludeFromBackup(.documents / "t")
            try container.toggleBackupExclusion(of: place)
            let seen = try container.toggleBackupExclusion(of: place)
            #expect(seen.state == .excluded && seen.carrier == "Documents/t")
        }
    }

    @Test(
        "A system-defined directory is excluded only with force",
        arguments: ["", "Documents", "Library", "Library/Caches", "Library/Application Support", "tmp"])
    func system(path: String) throws {
        try withContainer { container throws in
            try container.createDirectory(ContainerPath("Library/Application Support"))
            let place = ContainerPath(path)
            let error = #expect(throws: ContainerError.self) { try container.excludeFromBackup(place) }
            #expect(error?.code == .systemDirectory)
            #expect(throws: ContainerError.self) { try container.toggleBackupExclusion(of: place) }
            #expect(try container.ownMarks(of: place).isEmpty)
            try container.excludeFromBackup(place, force: true)
            #expect(try container.ownMarks(of: place) == [.modern])
        }
    }

    @Test("A symbolic link cannot be excluded, and its target is not")
    func link() throws {
        try withTree { container throws in
            let error = #expect(throws: ContainerError.self) {
                try container.excludeFromBackup(.documents / "t/link")
            }
            #expect(error?.code == .notAFile)
            #expect(try container.excludedItems().isEmpty)
        }
    }

    @Test(
        "Exclusion, mode, times and attributes are kept by a copy or a move of a file or tree to another file system",
        .needs(.process),
        .enabled(if: Platform.isLinux, "copies to /dev/shm or /var/tmp"))
    func acrossDisks() throws {
        try withTree { container throws in
            let path = try #require(try newPathOnAnotherFileSystem(than: container.location.string))
            let other = try Container.create(at: FilePath(path), bundleIdentifier: "com.example.other")
            defer { try? FileManager.default.removeItem(atPath: path) }
            try container.excludeFromBackup(.documents / "t/sub")
            try container.excludeFromBackup(.documents / "t/a")
            let from = try container.path(.documents / "t").string
            try setMode("640", of: from + "/a")
            try URL(filePath: from).setTimes("2020-02-03T04:05:06.789Z", of: "a", "sub", ".", followingLinks: false)
            // Sorted by line: the order of entries and the sizes of directories differ between file systems.
            func shown(_ path: String) throws -> String {
                let show = "find . ! -name link -printf '%P %y %m %T@\\n' | sort"
                let folder = URL(filePath: path)
                return try Command("sh", ["-c", show], in: folder).text + AttributeTool.listing(below: folder)
            }
            let before = try shown(from)
            try container.copy(.documents / "t", to: .documents / "copy", in: other)
            #expect(try shown(other.path(.documents / "copy").string) == before)
            try container.move(.documents / "t", to: .documents / "moved", in: other)
            #expect(try shown(other.path(.documents / "moved").string) == before)
            #expect(try container.list(.documents).map(\.description) == ["Documents/other"])
            let link = try other.path(.documents / "moved/link").string
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "a")
        }
    }

    @Test("A replacement gets the exclusion and mode of the replaced file or directory", arguments: ["a", "sub"])
    func replace(name: String) throws {
        try withTree { container throws in
            let old = ContainerPath.documents / "t/\(name)"
            try container.excludeFromBackup(old)
            let path = try container.path(old).string
            try setMode("750", of: path)
            let isFile = name == "a"
            try container.save("new", to: isFile ? .documents / "new" : .documents / "new/x")
            try container.replace(old, with: .documents / "new")
            #expect(try container.loadText(isFile ? old : .documents / "t/sub/x") == "new")
            #expect(try container.exclusion(of: old).state == .excluded)
            #expect(try mode(of: path) == "750")
            #expect(try container.list(.documents).map(\.description) == ["Documents/other", "Documents/t"])
            let error = #expect(throws: ContainerError.self) {
                try container.replace(.documents / "t/sub", with: .documents / "other")
            }
            #expect(error?.code == .notAFile)
        }
    }
}

@Suite("Links, hard links, special files", .timeLimit(.minutes(60))) struct OverwriteTests {
    private func withOdd(_ body: (Container, String) throws -> Void) throws {
        try withContainer { container throws in
            try container.save("target", to: .documents / "target")
            try container.excludeFromBackup(.documents / "target")
            let folder = try container.path(.documents).string
            try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "target")
            try FileManager.default.createSymbolicLink(atPath: folder + "/out", withDestinationPath: "../../outside")
            try createPipe(folder + "/pipe")
            try body(container, folder)
        }
    }

    @Test("By default a link and a pipe are refused and remain")
    func refused() throws {
        try withOdd { container, folder throws in
            for name in ["link", "out", "pipe"] {
                let error = #expect(throws: ContainerError.self) { try container.save("new", to: .documents / name) }
                #expect(error?.code == .notAFile)
            }
            #expect(try container.loadText(.documents / "target") == "target")
            #expect(try kind(of: folder + "/pipe") == "p")
            for (name, target) in [("link", "target"), ("out", "../../outside")] {
                #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)") == target)
            }
        }
    }

    @Test("With the option, a link is followed inside the container, and its target keeps its exclusion")
    func follow() throws {
        try withOdd { container, folder throws in
            let overwrite = Overwrite.replacing(symbolicLink: .follow)
            try container.save("new", to: .documents / "link", options: .init(overwrite: overwrite))
            #expect(try container.loadText(.documents / "target") == "new")
            #expect(try container.exclusion(of: .documents / "target").state == .excluded)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/link") == "target")
            let error = #expect(throws: ContainerError.self) {
                try container.save("new", to: .documents / "out", options: .init(overwrite: overwrite))
            }
            #expect(error?.code == .leavesContainer)
        }
    }

    @Test("With the option, a link or a pipe is replaced, and the target of a link remains")
    func replace() throws {
        try withOdd { container, folder throws in
            let overwrite = Overwrite.replacing(symbolicLink: .replace, specialFile: .replace)
            for name in ["link", "out", "pipe"] {
                try container.save(name, to: .documents / name, options: .init(overwrite: overwrite))
            }
            #expect(try container.loadText(.documents / "target") == "target")
            for name in ["link", "out", "pipe"] { #expect(try kind(of: "\(folder)/\(name)") == "f") }
        }
    }

    @Test("By default a file with other hard links is replaced; with the option, it is refused")
    func hardLink() throws {
        try withOdd { container, folder throws in
            try FileManager.default.linkItem(atPath: folder + "/target", toPath: folder + "/second")
            let error = #expect(throws: ContainerError.self) {
                try container.save(
                    "new", to: .documents / "second", options: .init(overwrite: .replacing(hardLink: .refuse)))
            }
            #expect(error?.code == .hasOtherNames)
            try container.save("new", to: .documents / "second")
            #expect(try container.loadText(.documents / "target") == "target")
            #expect(try container.loadText(.documents / "second") == "new")
            #expect(try container.exclusion(of: .documents / "second").state == .excluded)
        }
    }

    @Test("A directory is never replaced", arguments: [Overwrite.replace, .never])
    func directory(overwrite: Overwrite) throws {
        try withOdd { container, _ throws in
            try container.createDirectory(.documents / "d")
            #expect(throws: ContainerError.self) {
                try container.save("x", to: .documents / "d", options: .init(overwrite: overwrite))
            }
            #expect(try container.list(.documents / "d").isEmpty)
        }
    }
}

@Suite("Lock", .timeLimit(.minutes(60))) struct ContainerLockTests {
    @Test("A second process waits in vain and is told who holds the lock; readers share it")
    func exclude() throws {
        try withContainer { container throws in
            let second = try Container.open(container.location)
            try container.withLock { () throws in
                let error = #expect(throws: ContainerError.self) { try second.lock(within: .milliseconds(5)) }
                #expect(error?.code == .locked)
                #expect(error?.description.contains("process \(getpid())") == true)
            }
            let reader = try container.lock(.shared)
            try second.lock(.shared).release()
            #expect(throws: ContainerError.self) { try second.lock(.exclusive, within: .zero) }
            reader.release()
            try second.lock(.exclusive, within: .zero).release()
        }
    }

    @Test(
        "A lock leaves nothing on disk, and another program's flock on the directory counts", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs flock"))
    func others() throws {
        try withContainer { container throws in
            let before = try names(in: container.location.string)
            try container.withLock { () throws in
                let path = container.location.string
                #expect(try Command("flock", ["--nonblock", path, "true"]).code == 1)
                #expect(try names(in: path) == before)
            }
            #expect(try Command("flock", ["--nonblock", container.location.string, "true"]).code == 0)
        }
    }
}

@Suite("Capacity, usage, expiry", .timeLimit(.minutes(60))) struct UsageTests {
    @Test("Free space is equal to that of df, except for concurrent writes", .needs(.process))
    func capacity() throws {
        try withContainer { container throws in
            let capacity = try container.capacity()
            // The last line: device, size, used and available in units of 1024 bytes, and more.
            let shown = try Command("df", ["-P", "-k", container.location.string]).text
            let fields = try #require(shown.split(separator: "\n").last).split(separator: " ")
            try #require(fields.count >= 4)
            #expect(UInt64(fields[1]).map { $0 * 1024 } == capacity.total)
            let available = try #require(UInt64(fields[3])) * 1024
            #expect(capacity.available > available / 2 && capacity.available < available / 2 * 3)
            #expect(capacity.available <= capacity.free && capacity.free <= capacity.total)
        }
    }

    @Test(
        "Items and bytes are counted by location and exclusion, sparse files and hard links by their allocated size",
        .needs(.process))
    func usage() throws {
        try withContainer { container throws in
            try container.save([UInt8](repeating: 1, count: 10_000), to: .documents / "a")
            try container.save([UInt8](repeating: 1, count: 500), to: .caches / "b")
            try container.save([UInt8](repeating: 1, count: 70), to: .applicationSupport / "flagged/c")
            try container.excludeFromBackup(.applicationSupport / "flagged")
            let folder = URL(filePath: try container.path(.temporary).string)
            try folder.makeHole("sparse", size: 1 << 30)
            try folder.setTimes("2001-02-03T04:05:06Z", of: "sparse")
            try FileManager.default.linkItem(
                atPath: try container.path(.documents / "a").string,
                toPath: try container.path(.documents / "a2").string)
            let usage = try container.usage(naming: 2)
            #expect(usage.byLocation[.documents]?.items == 2)
            #expect(usage.byLocation[.documents]?.logical == 20_000)
            #expect(usage.byLocation[.urlCache]?.logical == 500)
            #expect(usage.byLocation[.temporary]?.logical == 1 << 30)
            #expect(usage.byBackup[.included]?.logical == 20_000)
            // The sparse file, the cache, the flagged file, and the container's metadata.
            #expect(usage.byBackup[.excluded]?.logical == usage.all.logical - 20_000)
            #expect(usage.byBackup[.excluded]?.items == 4 && usage.byBackup[.unknown] == nil)
            #expect(usage.largest.map(\.path.description) == ["tmp/sparse", "Documents/a"])
            #expect(usage.oldest.first?.path.description == "tmp/sparse")
            #expect(usage.oldest.first?.modified == Date(timeIntervalSince1970: 981_173_106))
            // The result of du, which also counts a file with two hard links once.
            let du = try Command("du", ["-s", "-k", container.location.string]).text
            #expect(usage.all.onDisk == du.split(separator: "\t").first.flatMap { UInt64($0) }.map { $0 * 1024 })
        }
    }

    @Test("Expired re-downloadable and regenerable files are removed; all others remain")
    func purge() throws {
        try withContainer { container throws in
            let url = try #require(URL(string: "https://example.com/x"))
            let (past, future) = (Date(timeIntervalSince1970: 1_000), Date(timeIntervalSince1970: 3_000))
            try container.save(
                "1", to: .caches / "old", options: .init(provenance: .downloaded(from: url, expires: past)))
            try container.save(
                "22", to: .applicationSupport / "thumb", options: .init(provenance: .derived(expires: past)))
            try container.save(
                "3", to: .caches / "new", options: .init(provenance: .downloaded(from: url, expires: future)))
            try container.save("4", to: .caches / "kept", options: .init(provenance: .downloaded(from: url)))
            // A file of the user with a forged expiry date.
            try container.save("5", to: .documents / "letter", options: .init(provenance: Provenance(.user)))
            let letter = try container.path(.documents / "letter").string
            try AttributeTool.set("user.appcontainer.expires", to: "1970-01-01T00:00:00Z", of: letter)

            let purged = try container.purgeExpired(now: Date(timeIntervalSince1970: 2_000))
            #expect(
                purged.map(\.path.description) == [
                    "Library/Application Support/{bundle-id}/thumb", "Library/Caches/{bundle-id}/old",
                ])
            #expect(purged.map(\.size) == [2, 1])
            #expect(try container.usage().all.items == 4)  // including the metadata file
        }
    }

    @Test("Of files with equal sizes and dates, those with the first paths are listed")
    func equalFiles() throws {
        try withContainer { container throws in
            let names = ["a", "a-1", "a.txt", "b/a", "b/c/d", "b-1", "b0", "c", "\u{e9}", "z/\u{1f600}"]
            for name in names.shuffled() {
                try container.save("equal", to: .documents / name)
                try container.setDates(of: .documents / name, modified: Date(timeIntervalSince1970: 1_700_000_000))
            }
            let sorted = names.map { ContainerPath.documents / $0 }
                .sorted { $0.description.utf8.lexicographicallyPrecedes($1.description.utf8) }
            for count in 0...names.count + 1 {
                let usage = try container.usage(of: .documents, naming: count)
                #expect(usage.largest.map(\.path) == Array(sorted.prefix(count)), "\(count)")
                #expect(usage.oldest.map(\.path) == Array(sorted.prefix(count)), "\(count)")
                #expect(usage.all.items == names.count && usage.all.logical == 50)
            }
        }
    }

    @Test("Returned paths are equal to those of the static functions")
    func resolvers() throws {
        try withContainer { container throws in
            let places = [
                ContainerPath.documents / "a", .applicationSupport / "b/c", .caches / "d", .temporary / "e",
                .library / "f/g", .preferences / "com.example.app.plist", ContainerPath("StoreKit/h"),
            ]
            for (number, place) in places.enumerated() {
                try container.save([UInt8](repeating: 1, count: 20_000 - number), to: place)
                try container.excludeFromBackup(place)
            }
            #expect(try container.usage(naming: places.count).largest.map(\.path) == places)
            #expect(try Set(container.excludedItems()) == Set(places))
        }
    }

    @Test(
        "The backup state follows from location and exclusion",
        arguments: [
            ("Documents/a", false, true), ("Documents/a", true, false), ("Library/Caches/a", false, false),
            ("Library/Mine/a", false, true), ("tmp/a", false, false), ("SystemData/a", false, false),
            ("Library/Preferences/a.plist", false, true), ("Other/a", false, false),
        ])
    func isBackedUp(path: String, isFlagged: Bool, expected: Bool) throws {
        try withContainer { container throws in
            let place = ContainerPath(path)
            try container.save("x", to: place)
            if isFlagged { try container.excludeFromBackup(place) }
            #expect(try container.isBackedUp(place) == expected)
        }
    }

    @Test("A new download in place of an expired file remains")
    func renewed() throws {
        try withContainer { container throws in
            let url = try #require(URL(string: "https://example.com/x"))
            let place = ContainerPath.caches / "a"
            try container.save(
                "1", to: place, options: .init(provenance: .downloaded(from: url, expires: .distantPast)))
            try container.save("2", to: place, options: .init(provenance: .downloaded(from: url)))
            #expect(try container.purgeExpired().isEmpty)
        }
    }
}
