import CFileSystem
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("AtomicWrite", .timeLimit(.minutes(60))) struct AtomicWriteTests {
    /// The calls that were made, in order.
    private final class Record: Sendable {
        private let names = LockedValue<[String]>([])
        func add(_ name: String) { names.withLock { $0.append(name) } }
        var all: [String] { names.withLock { $0 } }
    }

    private static func recording(_ record: Record) -> Syscalls {
        var calls = Syscalls.live
        calls.write = { descriptor, bytes, count in
            record.add("write")
            return cfs_write(descriptor, bytes, count)
        }
        calls.copyAttributes = { from, to, hasList in
            record.add("attributes")
            return cfs_copy_attributes(from, to, hasList)
        }
        calls.sync = { descriptor in
            var status = cfs_status()
            _ = cfs_status_at(descriptor, "", &status)
            record.add(status.kind == 2 ? "sync folder" : "sync file")
            return cfs_sync(descriptor)
        }
        calls.rename = { oldFolder, old, newFolder, new in
            record.add("rename")
            return cfs_rename(oldFolder, old, newFolder, new)
        }
        return calls
    }

    private func withOld(_ calls: Syscalls, _ body: (Folder, URL) throws -> Void) throws {
        try withScratch { url throws in
            try Data("old".utf8).write(to: url.appending(path: "file"))
            try body(try Folder(opening: FilePath(url.path), calls: calls), url)
        }
    }

    private func write(_ text: String, in folder: Folder, _ replace: AtomicWrite = AtomicWrite()) throws {
        try Array(text.utf8).withUnsafeBytes { try replace.write($0, to: "file", in: folder) }
    }

    private func content(_ url: URL) throws -> String {
        try String(contentsOf: url.appending(path: "file"), encoding: .utf8)
    }

    @Test(
        "Each durability makes the expected calls in order",
        arguments: [
            (WriteDurability.none, ["write", "attributes", "rename"]),
            (.file, ["write", "attributes", "sync file", "rename"]),
            (.full, ["write", "attributes", "sync file", "rename", "sync folder"]),
        ])
    func order(durability: WriteDurability, steps: [String]) throws {
        let record = Record()
        try withOld(Self.recording(record)) { folder, url throws in
            try write("new", in: folder, AtomicWrite(durability: durability))
            #expect(record.all == steps)
            #expect(try content(url) == "new")
        }
    }

    @Test("Short and interrupted writes are continued")
    func shortWrites() throws {
        var calls = Syscalls.live
        let count = Counter()
        calls.write = { descriptor, bytes, _ in
            count.add(1) % 3 == 0
                ? -Int(Errno.interrupted.rawValue) : cfs_write(descriptor, bytes, 1)
        }
        try withOld(calls) { folder, url throws in
            try write("a longer text", in: folder)
            #expect(try content(url) == "a longer text")
            #expect(count.value > 13)
        }
    }

    enum Failing: String, CaseIterable { case write, zeroWrite, attributes, permissions, sync, close, rename }

    @Test(
        "If a step before the rename fails, the old file is complete and nothing else remains",
        arguments: Failing.allCases)
    func failures(step: Failing) throws {
        var calls = Syscalls.live
        switch step {
        case .write: calls.write = { _, _, _ in -28 }
        case .zeroWrite: calls.write = { _, _, _ in 0 }
        case .attributes: calls.copyAttributes = { _, _, _ in -5 }
        case .permissions: calls.setPermissions = { _, _ in -1 }
        case .sync: calls.sync = { _ in -5 }
        case .close:
            calls.close = { descriptor in
                _ = cfs_close(descriptor)
                return -5
            }
        case .rename: calls.rename = { _, _, _, _ in -5 }
        }
        try withOld(calls) { folder, url throws in
            let error = #expect(throws: AtomicWriteError.self) { try write("new", in: folder) }
            #expect(error?.stage == .untouched)
            #expect(try content(url) == "old")
            #expect(try FileManager.default.contentsOfDirectory(atPath: url.path) == ["file"])
        }
    }

    @Test("A failed sync is not repeated")
    func noSecondSync() throws {
        var calls = Syscalls.live
        let count = Counter()
        calls.sync = { _ in
            count.add(1)
            return -5
        }
        try withOld(calls) { folder, _ throws in
            #expect(throws: AtomicWriteError.self) { try write("new", in: folder) }
            #expect(count.value == 1)
        }
    }

    @Test("If only the sync of the directory fails, the new file is visible and the error says so")
    func visible() throws {
        var calls = Syscalls.live
        let count = Counter()
        calls.sync = { count.add(1) == 2 ? -5 : cfs_sync($0) }
        try withOld(calls) { folder, url throws in
            let error = #expect(throws: AtomicWriteError.self) { try write("new", in: folder) }
            #expect(error?.stage == .visible)
            #expect(try content(url) == "new")
        }
    }

    @Test("If the temporary file cannot be removed either, the error contains its path")
    func leftover() throws {
        var calls = Syscalls.live
        calls.rename = { _, _, _, _ in -5 }
        calls.remove = { _, _, _ in -5 }
        try withOld(calls) { folder, url throws in
            let error = #expect(throws: AtomicWriteError.self) { try write("new", in: folder) }
            guard case .leftover(let name)? = error?.stage else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(FileManager.default.fileExists(atPath: url.appending(path: name.string).path))
        }
    }

    @Test(
        "Access list, owner and mode are kept; the other hard links are not changed", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs setfacl"))
    func metadata() throws {
        try withOld(.live) { folder, url throws in
            let file = url.appending(path: "file").path
            for (program, arguments) in [
                ("chmod", ["640", file]), ("setfacl", ["-m", "u:65534:r", file]), ("ln", [file, file + ".other"]),
            ] {
                #expect(try Command(program, arguments).code == 0)
            }
            let before = try Command("getfacl", ["-n", "-p", file]).text
            #expect(before.contains("user:65534:r--"))
            try write("new", in: folder)
            #expect(try Command("getfacl", ["-n", "-p", file]).text == before)
            #expect(try String(contentsOfFile: file + ".other", encoding: .utf8) == "old")
        }
    }

    @Test("An item other than a file is refused and remains", arguments: ["link", "folder", "pipe"])
    func notAFile(name: String) throws {
        try withOld(.live) { folder, url throws in
            try FileManager.default.createSymbolicLink(
                atPath: url.appending(path: "link").path, withDestinationPath: "file")
            try FileManager.default.createDirectory(
                at: url.appending(path: "folder"), withIntermediateDirectories: false)
            try folder.createFIFO("pipe")
            let kind = try folder.status(FilePath(name)).kind
            let error = #expect(throws: AtomicWriteError.self) {
                try [UInt8]().withUnsafeBytes { try AtomicWrite().write($0, to: FilePath(name), in: folder) }
            }
            #expect(error?.stage == .untouched)
            #expect(try folder.status(FilePath(name)).kind == kind)
        }
    }
}
