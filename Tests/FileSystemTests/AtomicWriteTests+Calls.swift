import CFileSystem
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

/// The system calls of an operation, with their arguments, in order. One call may be made to fail.
private final class Journal: Sendable {
    enum Call: String, CaseIterable, Sendable { case write, copyAttributes, sync, close, rename }

    struct Entry: Sendable {
        let call: Call
        let descriptor: Int32
        let inode: UInt64
        let permissions: UInt16
    }

    private let record = LockedValue<[Entry]>([])
    var entries: [Entry] { record.withLock { $0 } }

    private func add(_ call: Call, _ descriptor: Int32) {
        var status = cfs_status()
        _ = cfs_status_at(descriptor, "", &status)
        let entry = Entry(
            call: call, descriptor: descriptor, inode: status.inode, permissions: status.permissions)
        record.withLock { $0.append(entry) }
    }

    /// The system calls, recorded. The call `failing` returns `errno`; `close` fails after it has closed, as in the
    /// kernel.
    func calls(failing: Call? = nil, _ errno: Errno = .ioError) -> Syscalls {
        let failure = -errno.rawValue
        var calls = Syscalls.live
        calls.write = { descriptor, bytes, count in
            self.add(.write, descriptor)
            return failing == .write ? Int(failure) : cfs_write(descriptor, bytes, count)
        }
        calls.copyAttributes = { from, to, hasList in
            self.add(.copyAttributes, to)
            return failing == .copyAttributes ? failure : cfs_copy_attributes(from, to, hasList)
        }
        calls.sync = { descriptor in
            self.add(.sync, descriptor)
            return failing == .sync ? failure : cfs_sync(descriptor)
        }
        calls.close = { descriptor in
            self.add(.close, descriptor)
            let result = cfs_close(descriptor)
            return failing == .close ? failure : result
        }
        calls.rename = { oldFolder, old, newFolder, new in
            self.add(.rename, oldFolder)
            return failing == .rename ? failure : cfs_rename(oldFolder, old, newFolder, new)
        }
        return calls
    }
}

extension AtomicWriteTests {
    @Test(
        "Each failing call is reported with its reason and path, leaves the old file unchanged, and leaves no other file",
        arguments: [
            ("write", .noSpace), ("copyAttributes", .ioError), ("sync", .ioError), ("close", .ioError),
            ("rename", .ioError),
        ] as [(String, Errno)])
    func causes(name: String, errno: Errno) throws {
        let journal = Journal()
        let failing = try #require(Journal.Call(rawValue: name))
        try withFolder(calls: journal.calls(failing: failing, errno)) { folder, url throws in
            // A folder of its own, so that the calls of the fixture are not recorded.
            try Data("old".utf8).write(to: url.appending(path: "file"))
            let before = try folder.status("file")
            let error = #expect(throws: AtomicWriteError.self) { try folder.save("new", "file") }
            #expect(error?.stage == .untouched)
            #expect(error?.cause.errno == errno && error?.cause.path == "file")
            let after = try folder.status("file")
            #expect(after.raw.inode == before.raw.inode && after.modified == before.modified)
            #expect(try String(contentsOf: url.appending(path: "file"), encoding: .utf8) == "old")
            #expect(try FileManager.default.contentsOfDirectory(atPath: url.path) == ["file"])

            let syncs = journal.entries.filter { $0.call == .sync }.map(\.descriptor)
            let closes = journal.entries.filter { $0.call == .close }.map(\.descriptor)
            #expect(syncs.count == Set(syncs).count, "a descriptor synced twice")
            #expect(closes.count == Set(closes).count, "a descriptor closed twice")
            #expect(failing == .rename || !journal.entries.contains { $0.call == .rename })
        }
    }

    @Test("The temporary file is private until it is complete, and the file and then its directory are flushed")
    func whatIsSynced() throws {
        let journal = Journal()
        try withFolder(calls: journal.calls()) { folder, url throws in
            try FileManager.default.createDirectory(at: url.appending(path: "a/b"), withIntermediateDirectories: true)
            try Data("old".utf8).write(to: url.appending(path: "a/b/file"))
            try setMode("644", of: url.path + "/a/b/file")
            try folder.save("new", "a/b/file")
            let entries = journal.entries.filter { $0.call != .close }
            try #require(entries.map(\.call) == [.write, .copyAttributes, .sync, .rename, .sync])
            let (file, directory) = (try folder.status("a/b/file"), try folder.status("a/b"))
            #expect(entries.map(\.inode) == [file, file, file, directory, directory].map(\.raw.inode))
            #expect(entries.prefix(3).map(\.permissions) == [0o600, 0o600, 0o644])
        }
    }

    @Test("An interrupted read of the source of a copy is continued")
    func interruptedRead() throws {
        let count = Counter()
        var calls = Syscalls.live
        calls.read = { descriptor, bytes, length, offset in
            count.add(1) % 2 == 1
                ? -Int(Errno.interrupted.rawValue) : cfs_read(descriptor, bytes, min(length, 2), offset)
        }
        try withFolder(calls: calls) { folder, _ throws in
            try folder.put("a longer text", "file")
            try folder.copy("file", to: "copy", in: folder)
            #expect(try folder.text("copy") == "a longer text")
        }
    }

    @Test("An error of the caller that fills the file is reported, and nothing remains")
    func fillFails() throws {
        try withFolder { folder, _ throws in
            try folder.put("old", "file")
            let error = #expect(throws: AtomicWriteError.self) {
                try AtomicWrite().write(to: "file", in: folder, modelledOn: nil) { file throws(FileSystemError) in
                    try file.write([1, 2, 3])
                    throw FileSystemError("download", path: "elsewhere", errno: .connectionReset)
                }
            }
            #expect(error?.stage == .untouched)
            #expect(error?.cause.operation == "download" && error?.cause.errno == .connectionReset)
            #expect(try folder.text("file") == "old")
            #expect(try folder.names() == ["file"])
        }
    }

    @Test("A concurrent reader finds the old content or the new, never a mix, a truncated file or no file")
    func oldOrNew() throws {
        try withFolder { folder, _ throws in
            let texts = ["old", "new"].map { String(repeating: $0, count: 50_000) }
            try folder.save(texts[0], "file")
            let isDone = AtomicFlag(false)
            let finished = DispatchSemaphore(value: 0)
            let writer = Thread {
                var turn = 0
                while !isDone.value {
                    turn += 1
                    do { try folder.save(texts[turn % 2], "file", AtomicWrite(durability: .none)) } catch { break }
                }
                finished.signal()
            }
            writer.start()
            var seen: [String: Int] = [:]
            let limit = Host.uptime + 10_000_000_000
            var attempts = 0
            while (attempts < 2_000 || seen.count < 2) && Host.uptime < limit {
                seen[(try? folder.text("file")) ?? "nothing", default: 0] += 1
                attempts += 1
            }
            isDone.set(true)
            finished.wait()
            #expect(Set(seen.keys) == Set(texts), "\(seen.map { ($0.key.prefix(20), $0.value) })")
        }
    }
}
