import AppContainer
import CFileSystem
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

/// A digest that a test can compute: the sum of the bytes and their number.
private struct Sum: DigestFunction {
    private var sum: UInt8 = 0
    private var count: UInt8 = 0
    init() {}
    mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        for byte in bufferPointer {
            sum &+= byte
            count &+= 1
        }
    }
    func finalize() -> [UInt8] { [sum, count] }
}

@Suite("Finished downloads", .timeLimit(.minutes(60))) struct DownloadTests {
    private func url() throws -> URL { try #require(URL(string: "https://user@films.example.com/a.mp4?token=1")) }

    /// A finished download outside of the container.
    private func withDownload(_ text: String, _ body: (Container, URL) throws -> Void) throws {
        try withContainer { container throws in
            let file = URL(
                filePath: container.location.removingLastComponent().appending("CFNetworkDownload.tmp").string)
            try Data(text.utf8).write(to: file)
            try setMode("0600", of: file.path)
            try body(container, file)
        }
    }

    @Test(
        "A download is moved, with its address and its line, into a directory that is excluded",
        arguments: [true, false])
    func moved(isKept: Bool) throws {
        try withDownload("film") { container, file throws in
            let inode = try OpenFile(opening: FilePath(file.path)).status().identity.inode
            let item = try container.store(
                downloadAt: file, named: "films/a.mp4", from: try url(), keepOffline: isKept,
                checks: [.size(4), .digest(Sum.self, "A804")])
            let path = try container.path(item).string
            #expect(try OpenFile(opening: FilePath(path)).status().identity.inode == inode)
            #expect(!FileManager.default.fileExists(atPath: file.path))
            #expect(try container.provenance(of: item)?.origin == "https://films.example.com/a.mp4")
            #expect(try container.provenance(of: item)?.maker == .downloaded)
            #expect(try container.isBackedUp(item) == false)
            #expect(try container.ownMarks(of: item).isEmpty)
            #expect(try container.loadText(item) == "film")
            #expect(try container.digest(of: item, using: Sum.self) == Data([0xa8, 4]))
        }
    }

    @Test("A download that is not what was expected remains where it is, and nothing else changes")
    func damaged() throws {
        try withDownload("film") { container, file throws in
            for check in [DownloadCheck.size(5), .digest(Sum.self, "0000"), .digest(Sum.self, "")] {
                let error = #expect(throws: ContainerError.self) {
                    try container.store(downloadAt: file, named: "a", from: try url(), checks: [.size(4), check])
                }
                #expect(error?.code == .damaged && error?.description.contains("Download it again") == true)
                #expect(try Data(contentsOf: file) == Data("film".utf8))
                #expect(try !container.exists(.applicationSupport / "Downloads"))
            }
        }
    }

    @Test("An existing file is replaced, or kept with the download, as the policy says")
    func existing() throws {
        try withDownload("new") { container, file throws in
            let kind = ContentKind.downloaded(from: try url(), keepOffline: true)
            try container.store("old", named: "a", as: kind)
            let error = #expect(throws: ContainerError.self) {
                try container.store(downloadAt: file, named: "a", from: try url(), options: .init(overwrite: .never))
            }
            #expect(error?.code == .alreadyExists && FileManager.default.fileExists(atPath: file.path))
            #expect(try container.loadText(kind.path(named: "a")) == "old")
            let item = try container.store(
                downloadAt: file, named: "a", from: try url(),
                options: .init(permissions: .ownerRead, protection: .complete))
            #expect(try container.loadText(item) == "new")
            #expect(try container.attributes(of: item).permissions == .ownerRead)
            #expect(try container.protection(of: item) == .complete)
        }
    }

    @Test("A directory, a link, a missing file and another URL are no downloads")
    func noFiles() throws {
        try withDownload("x") { container, file throws in
            let folder = file.deletingLastPathComponent()
            let link = folder.appending(path: "link")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            for (url, code) in [
                (folder, ContainerError.Code.notAFile), (link, .notAFile), (folder.appending(path: "none"), .notFound),
                (try url(), .invalidPath),
            ] {
                let error = #expect(throws: ContainerError.self) {
                    try container.store(downloadAt: url, named: "a", from: try self.url())
                }
                #expect(error?.code == code)
            }
        }
    }

    @Test("A download is flushed to disk before it is moved, also if nothing is recorded", arguments: [true, false])
    func flushed(isRecorded: Bool) throws {
        try withDownload("film") { made, file throws in
            var calls = Syscalls.live
            let events = LockedValue<[String]>([])
            calls.sync = { descriptor in
                events.withLock { $0.append("sync") }
                return Syscalls.live.sync(descriptor)
            }
            calls.rename = { from, old, to, new in
                events.withLock { $0.append("rename") }
                return Syscalls.live.rename(from, old, to, new)
            }
            var container = try Container.open(made.location, bundleIdentifier: "com.example.app", calls: calls)
            if !isRecorded { container.recording = .off }
            // Creates the directory.
            try container.store(downloadAt: file, named: "a", from: try url())
            try Data("film".utf8).write(to: file)
            events.withLock { $0 = [] }
            try container.store(downloadAt: file, named: "a", from: try url())
            #expect(events.withLock(\.self).prefix(2) == ["sync", "rename"])
        }
    }

    @Test(
        "From another volume the download is copied and removed; without space it stays",
        .enabled(if: Platform.isLinux, "uses /dev/shm"))
    func otherVolume() throws {
        try withContainer { made throws in
            let file = URL(filePath: "/dev/shm/sandboxlint-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            try Data("film".utf8).write(to: file)
            var calls = Syscalls.live
            let isFull = LockedValue(true)
            calls.space = { folder, space in
                let result = Syscalls.live.space(folder, space)
                if isFull.withLock(\.self) { space.pointee.available = 3 }
                return result
            }
            let container = try Container.open(made.location, bundleIdentifier: "com.example.app", calls: calls)
            // The scratch folder of the tests may be in memory, too.
            let isOther =
                try container.folder.status("").identity.device
                != OpenFile(opening: FilePath(file.path)).status().identity.device
            if isOther {
                let error = #expect(throws: ContainerError.self) {
                    try container.store(downloadAt: file, named: "a", from: try url())
                }
                #expect(error?.code == .noSpace && FileManager.default.fileExists(atPath: file.path))
            }
            isFull.withLock { $0 = false }
            let item = try container.store(downloadAt: file, named: "a", from: try url())
            #expect(try container.loadText(item) == "film" && !FileManager.default.fileExists(atPath: file.path))
            #expect(try container.provenance(of: item)?.maker == .downloaded)
        }
    }
}
