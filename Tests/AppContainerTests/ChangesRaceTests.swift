import AppContainer
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Changes below a directory, races and leaks", .serialized, .timeLimit(.minutes(60)))
struct ChangesRaceTests {
    /// The changes that a task has read, and the error that ended it.
    private final class Heard: Sendable {
        private let paths = LockedValue<Set<ContainerPath>>([])
        private let error = LockedValue<ContainerError?>(nil)
        var code: ContainerError.Code? { error.withLock { $0?.code } }
        func contains(_ path: ContainerPath) -> Bool { paths.withLock { $0.contains(path) } }
        func read(_ changes: ContainerChanges) -> Task<Void, Never> {
            var iterator = changes.makeAsyncIterator()
            return Task {
                do {
                    while let change = try await iterator.next() { _ = paths.withLock { $0.insert(change.path) } }
                } catch { self.error.withLock { $0 = error as? ContainerError } }
            }
        }
    }

    /// Repeats `body` until `isDone`, for at most half a minute.
    private func poll(until isDone: () -> Bool, _ body: () async throws -> Void = {}) async throws {
        let end = ContinuousClock.now + .seconds(30)
        while !isDone(), ContinuousClock.now < end {
            try await body()
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    @Test("A directory that is removed and created again at once is watched, also with the same inode")
    func sameInode() async throws {
        try await withContainer { container async throws in
            let watched = ContainerPath.documents / "watched"
            try container.createDirectory(watched)
            let heard = Heard()
            let task = heard.read(try container.changes(below: watched))
            defer { task.cancel() }
            let path = try container.path(watched).string
            for round in 0..<100 {
                rmdir(path)
                mkdir(path, 0o755)
                let item = watched / "\(round)"
                try await poll(until: { heard.contains(item) }) {
                    try container.save("x", to: item, options: .init(durability: .none))
                }
                try #require(heard.contains(item), "after \(round) rounds")
                try container.remove(item)
            }
        }
    }

    @Test("The removal of a container that was opened by a link ends the sequence with an error")
    func containerBehindLink() async throws {
        try await withContainer { made async throws in
            let directory = made.location.string + "-links"
            let link = directory + "/link"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(atPath: directory) }
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: made.location.string)
            let container = try Container.open(FilePath(link))
            let heard = Heard()
            let task = heard.read(try container.changes(below: .documents))
            defer { task.cancel() }
            try FileManager.default.removeItem(atPath: made.location.string)
            try await poll(until: { heard.code != nil })
            #expect(heard.code == .notFound)
        }
    }

    @Test(
        "Sequences that are released without a loop leave no descriptors and no threads",
        .enabled(if: Platform.isLinux, "counts instances of inotify in /proc"))
    func leaks() async throws {
        try await withContainer { container async throws in
            try container.save("x", to: .documents / "a/b/c")
            for _ in 0..<300 {
                let changes = try container.changes(below: .documents)
                _ = changes.makeAsyncIterator()
            }
            // An instance of inotify is released by its thread.
            func instances() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
                    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?
                        .contains("inotify") == true
                }.count
            }
            try await poll(until: { ((try? instances()) ?? .max) < 20 })
            let left = try instances()
            #expect(left < 20)
        }
    }

    @Test("The removal of a directory with thousands of directories does not take quadratic time")
    func manyDirectories() async throws {
        try await withContainer { container async throws in
            let tree = try container.path(.documents / "tree").string
            mkdir(tree, 0o755)
            for number in 0..<10_000 { mkdir("\(tree)/\(number)", 0o755) }
            let heard = Heard()
            let task = heard.read(try container.changes(below: .documents))
            defer { task.cancel() }
            try container.remove(.documents / "tree")
            let end = ContainerPath.documents / "end"
            try await poll(until: { heard.contains(end) || heard.contains(.documents) }) {
                try container.save("x", to: end, options: .init(durability: .none))
            }
            #expect(heard.contains(end) || heard.contains(.documents))
        }
    }
}
