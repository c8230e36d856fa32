import CFileSystem
import FileSystem
import Foundation
import MobileBackup
import SystemPackage
import TestSupport
import Testing

/// A disk on which call number `failing` fails, counting calls that open, create, write, sync, close, list and rename.
private final class FailingDisk: Sendable {
    private let state = LockedValue<(count: Int, failed: String?)>((0, nil))
    private let failing: Int
    private let hasWholeDiskCall: Bool
    /// The name of the failed call, if there was one.
    var failed: String? { state.withLock(\.failed) }

    init(failing: Int, hasWholeDiskCall: Bool) {
        self.failing = failing
        self.hasWholeDiskCall = hasWholeDiskCall
    }

    private func isTurn(_ call: String) -> Bool {
        state.withLock { state in
            if state.count == failing { state.failed = call }
            state.count += 1
            return state.count == failing + 1
        }
    }

    var calls: Syscalls {
        var calls = Syscalls.live
        let failure = -Errno.noSpace.rawValue
        calls.openBeneath = { self.isTurn("openBeneath") ? failure : cfs_open_beneath($0, $1, $2, $3) }
        calls.open = { self.isTurn("open") ? failure : cfs_open_at($0, $1, $2, $3) }
        calls.write = { self.isTurn("write") ? Int(failure) : cfs_write($0, $1, $2) }
        calls.makeDirectory = { self.isTurn("makeDirectory") ? failure : cfs_make_directory($0, $1, $2) }
        calls.sync = { self.isTurn("sync") ? failure : cfs_sync($0) }
        calls.syncFileSystem = {
            self.hasWholeDiskCall
                ? self.isTurn("syncFileSystem") ? failure : cfs_sync_file_system($0) : -Errno.notSupported.rawValue
        }
        calls.lock = { self.isTurn("lock") ? failure : cfs_lock($0, $1) }
        calls.status = { self.isTurn("status") ? failure : cfs_status_at($0, $1, $2) }
        calls.renameNew = { self.isTurn("renameNew") ? failure : cfs_rename_new($0, $1, $2, $3) }
        // A failing close also releases the descriptor.
        calls.close = { descriptor in
            let result = cfs_close(descriptor)
            return self.isTurn("close") ? failure : result
        }
        return calls
    }
}

@Suite(.timeLimit(.minutes(60))) struct WriterFailureTests {
    private func write(in root: URL, calls: Syscalls = .live) throws {
        let writer = try MobileBackupWriter(in: Folder(opening: FilePath(root.path), calls: calls), of: .phone)
        for made in try [Made("Documents/a", .file, "text"), Made("Documents/b")] {
            try writer.add(made.entry) { payload throws in try payload.write(made.content) }
        }
        try writer.finish()
    }

    @Test(
        "Whichever call fails, the backup is complete or absent, the error describes it, and the next backup succeeds",
        arguments: [true, false])
    func eachCall(hasWholeDiskCall: Bool) throws {
        var failures = 0
        for failing in 0... {
            let goesOn = try withScratch { root throws in
                let disk = FailingDisk(failing: failing, hasWholeDiskCall: hasWholeDiskCall)
                let backup = root.appending(path: BackedUpDevice.phone.identifier)
                var failure: MobileBackupError?
                do {
                    try write(in: root, calls: disk.calls)
                } catch let error as MobileBackupError {
                    failure = error
                } catch is FileSystemError {
                    return true  // the folder itself, which is the caller's to open
                }
                guard let failed = disk.failed else { return false }
                // Closing a directory has no injectable call.
                #expect(failure != nil || failed == "close", "call \(failing): \(failed)")
                if FileManager.default.fileExists(atPath: backup.path) {
                    #expect(try open(backup).problems().isEmpty, "call \(failing)")
                    #expect(
                        failure.map { $0.description.contains("The backup is complete") } ?? true, "call \(failing)")
                    try FileManager.default.removeItem(at: backup)
                } else if let failure {
                    failures += 1
                    #expect(failure.code == .failed, "call \(failing): \(failure)")
                    #expect(failure.description.contains("No backup was made"), "call \(failing)")
                }
                try write(in: root)
                #expect(try open(backup).problems().isEmpty, "call \(failing)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: root.path).count == 1, "call \(failing)")
                return true
            }
            guard goesOn else { break }
        }
        #expect(failures > 30)
    }

    @Test("An item that is deleted during the backup causes an error and no backup")
    func takenAway() throws {
        try withScratch { root throws in
            let folder = try Folder(opening: FilePath(root.path))
            let writer = try MobileBackupWriter(in: folder, of: .phone)
            try writer.add(Made("Documents/a").entry)
            try FileManager.default.removeItem(
                at: root.appending(path: BackedUpDevice.phone.identifier + ".unfinished"))
            let error = #expect(throws: MobileBackupError.self) { try writer.finish() }
            #expect(error?.code == .failed)
            #expect(try FileManager.default.contentsOfDirectory(atPath: root.path).isEmpty)
        }
    }
}
