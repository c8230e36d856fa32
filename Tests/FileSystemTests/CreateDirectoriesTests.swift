import CFileSystem
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Creation of directories") struct CreateDirectoriesTests {
    private final class Synced: Sendable {
        private let inodes = LockedValue<[UInt64]>([])
        var all: [UInt64] { inodes.withLock { $0 } }
        func add(_ descriptor: Int32) {
            var status = cfs_status()
            _ = cfs_status_at(descriptor, "", &status)
            inodes.withLock { $0.append(status.inode) }
        }
    }

    @Test("A directory whose entry cannot be flushed is removed, so that the next attempt flushes it")
    func failure() throws {
        let isDying = AtomicFlag(true)
        var calls = Syscalls.live
        calls.sync = { isDying.exchange(false) ? -Errno.ioError.rawValue : cfs_sync($0) }
        try withFolder(calls: calls) { folder, _ throws in
            let error = #expect(throws: FileSystemError.self) { try folder.createDirectories("a/b") }
            #expect(error?.errno == .ioError)
            #expect(try folder.names().isEmpty)
            try folder.createDirectories("a/b")
            #expect(try folder.openFolder("a").names() == ["b"])
        }
    }

    @Test("A directory that another process has just created is flushed as well")
    func race() throws {
        let synced = Synced()
        var calls = Syscalls.live
        calls.makeDirectory = { directory, name, permissions in
            _ = cfs_make_directory(directory, name, permissions)
            return -Errno.fileExists.rawValue
        }
        calls.sync = { descriptor in
            synced.add(descriptor)
            return cfs_sync(descriptor)
        }
        try withFolder(calls: calls) { folder, _ throws in
            try folder.createDirectories("a/b")
            #expect(try synced.all == [folder.status("").identity.inode, folder.status("a").identity.inode])
            try folder.createDirectories("a/b")
            #expect(synced.all.count == 2)
        }
    }

    @Test("The entry of a new root is flushed too, and the root is removed if that fails", arguments: [false, true])
    func root(isDying: Bool) throws {
        try withScratch { scratch throws in
            let (synced, path) = (Synced(), FilePath(scratch.path))
            var calls = Syscalls.live
            calls.sync = { descriptor in
                synced.add(descriptor)
                return isDying ? -Errno.ioError.rawValue : cfs_sync(descriptor)
            }
            if isDying {
                #expect(throws: FileSystemError.self) {
                    try Folder(makingIfAbsent: path.appending("new"), calls: calls)
                }
            } else {
                _ = try Folder(makingIfAbsent: path.appending("new"), calls: calls)
            }
            let folder = try Folder(opening: path)
            #expect(try synced.all == [folder.status("").identity.inode])
            #expect(try folder.names() == (isDying ? [] : ["new"]))
        }
    }

    @Test("A visit skips entries that disappear before they are opened")
    func visit() throws {
        var calls = Syscalls.live
        calls.status = { directory, name, status in
            let result = cfs_status_at(directory, name, status)
            if String(cString: name) == "b" { _ = cfs_remove(directory, name, false) }
            return result
        }
        try withFolder(calls: calls) { folder, _ throws in
            for name in ["a", "b", "c"] as [FilePath] { try folder.put("", name) }
            var opened: [FilePath] = []
            try folder.visit("") { entry throws(FileSystemError) in
                _ = try entry.open()
                opened.append(entry.path)
                return true
            }
            #expect(opened == ["a", "c"])
        }
    }
}
