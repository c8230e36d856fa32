import AppContainer
import CFileSystem
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("The backup exclusion of a store", .timeLimit(.minutes(60))) struct StoreFlagTests {
    private static let directory = "Library/Application Support/com.example.app/Downloads"

    /// Opens the container with a directory that exists and is not excluded, with system calls of the test.
    private func withUnflagged(
        _ body: (Container, ContentKind, @escaping @Sendable (Int32) -> Bool, Syscalls) throws -> Void
    ) throws {
        try withContainer { container throws in
            try container.createDirectory(.applicationSupport / "Downloads")
            let inode = try container.folder.status(FilePath(Self.directory)).identity.inode
            let url = try #require(URL(string: "https://example.com/x"))
            let isDirectory: @Sendable (Int32) -> Bool = { descriptor in
                var status = cfs_status()
                return cfs_status_at(descriptor, "", &status) == 0 && status.inode == inode
            }
            try body(container, .downloaded(from: url, keepOffline: true), isDirectory, .live)
        }
    }

    @Test("If the exclusion cannot be flushed, nothing is saved, the error says so, and the next attempt sets it again")
    func failure() throws {
        try withUnflagged { container, kind, isDirectory, live throws in
            let failures = Counter(2)
            var calls = live
            calls.sync = { descriptor in
                guard isDirectory(descriptor), failures.value > 0 else {
                    return cfs_sync(descriptor)
                }
                failures.add(-1)
                return -Errno.ioError.rawValue
            }
            let dying = try Container.open(container.location, bundleIdentifier: nil, calls: calls)
            let error = #expect(throws: ContainerError.self) { try dying.store("x", named: "sub/a", as: kind) }
            #expect(error?.code == .failed && error?.errno == Errno.ioError.rawValue)
            #expect(error?.description.contains("was not saved") == true)
            #expect(try container.list(.applicationSupport / "Downloads").isEmpty)
            #expect(try container.ownMarks(of: .applicationSupport / "Downloads").isEmpty)
            try dying.store("x", named: "sub/a", as: kind)
            #expect(try container.ownMarks(of: .applicationSupport / "Downloads") == [.modern])
        }
    }

    @Test("A second store does not save before the exclusion of the first one is on disk")
    func window() throws {
        try withUnflagged { container, kind, isDirectory, live throws in
            let second = try Container.open(container.location)
            let (saved, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let isFirst = AtomicFlag(true)
            let isTooEarly = AtomicFlag(false)
            var calls = live
            calls.sync = { descriptor in
                if isDirectory(descriptor), isFirst.exchange(false) {
                    Thread.detachNewThread {
                        _ = try? second.store("x", named: "sub/b", as: kind)
                        saved.signal()
                        done.signal()
                    }
                    // It must wait for this call, so some time must pass.
                    let isSaved = saved.wait(timeout: .now() + .milliseconds(300)) == .success
                    isTooEarly.set(isSaved)
                }
                return cfs_sync(descriptor)
            }
            let first = try Container.open(container.location, bundleIdentifier: nil, calls: calls)
            try first.store("x", named: "sub/a", as: kind)
            done.wait()
            let wasTooEarly = isTooEarly.value
            #expect(!wasTooEarly)
            #expect(try container.list(.applicationSupport / "Downloads/sub").count == 2)
        }
    }
}
