internal import FileSystem
internal import Foundation
internal import SystemPackage

/// A directory and everything below it, compared at intervals, for systems without a watch.
final class PolledTree: Sendable {
    private struct Stamp: Equatable {
        let inode: UInt64
        let size: UInt64
        let modified: Timestamp
        let changed: Timestamp

        init(_ status: FileStatus) {
            inode = status.identity.inode
            // The times of a directory change with its content, which is reported itself.
            let isDirectory = status.kind == .directory
            size = isDirectory ? 0 : status.size
            modified = isDirectory ? Timestamp(seconds: 0) : status.modified
            changed = isDirectory ? Timestamp(seconds: 0) : status.changed
        }
    }

    private static let maximumItems = 100_000

    private let container: Container
    private let path: FilePath
    private let queue: ChangeQueue
    private let interval: TimeInterval
    private let first: [FilePath: Stamp]
    private let signal = NSCondition()
    private let cancellation = AtomicFlag(false)

    init(
        _ container: Container, path: FilePath, queue: ChangeQueue, every interval: Duration
    ) throws(FileSystemError) {
        self.container = container
        self.path = path
        self.queue = queue
        self.interval = interval / .seconds(1)
        first = try Self.snapshot(container, path: path)
    }

    func stop() {
        signal.lock()
        cancellation.set(true)
        signal.broadcast()
        signal.unlock()
    }

    /// Reports changes until `stop`.
    func run() {
        var old = first
        while waits() {
            do throws(FileSystemError) {
                let new = try Self.snapshot(container, path: path)
                if new.isEmpty { try container.requirePresence() }
                for path in Self.sorted(old.keys.filter { new[$0] == nil }) { report(.removed, path: path) }
                for path in Self.sorted(new.filter { old[$0.key] != $0.value }.map(\.key)) {
                    report(.changed, path: path)
                }
                old = new
            } catch { return queue.fail(ContainerError(watching: error)) }
        }
    }

    /// Waits for the interval. Returns false after `stop`.
    private func waits() -> Bool {
        let end = Date(timeIntervalSinceNow: interval)
        signal.lock()
        defer { signal.unlock() }
        while !cancellation.value, signal.wait(until: end) {}
        return !cancellation.value
    }

    private static func snapshot(
        _ container: Container, path: FilePath
    ) throws(FileSystemError) -> [FilePath: Stamp] {
        var stamps: [FilePath: Stamp] = [:]
        do throws(FileSystemError) {
            stamps[path] = Stamp(try container.folder.openFolder(path).status(""))
            try container.folder.visit(path) { entry throws(FileSystemError) in
                guard !entry.name.bytes.starts(with: AtomicWrite.stagingPrefix.utf8) else { return false }
                guard stamps.count < maximumItems else {
                    throw FileSystemError("compare so many items as in", path: path, errno: .fileTooLarge)
                }
                stamps[entry.path] = Stamp(entry.status)
                return true
            }
        } catch {
            guard [.noSuchFileOrDirectory, .notDirectory].contains(error.errno) else { throw error }
        }
        return stamps
    }

    private static func sorted(_ paths: some Sequence<FilePath>) -> [FilePath] {
        paths.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    private func report(_ kind: ContainerChange.Kind, path: FilePath) {
        queue.add(kind, path: container.containerPath(path))
    }
}
