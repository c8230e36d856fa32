import AppContainer
import ContainerArchives
import ContainerPreferences
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

/// The threads that made system calls, by the names of their queues.
private final class Threads: Sendable {
    private let names = LockedValue<[String]>([])

    func note() { names.withLock { $0.append(OperationQueue.current?.name ?? "a thread of Swift's") } }
    func take() -> [String] {
        names.withLock { names in
            defer { names = [] }
            return names
        }
    }

    /// The system calls, with a record of each.
    var calls: Syscalls {
        var calls = Syscalls.live
        let live = Syscalls.live
        calls.openBeneath = {
            self.note(); return live.openBeneath($0, $1, $2, $3)
        }
        calls.open = {
            self.note(); return live.open($0, $1, $2, $3)
        }
        calls.status = {
            self.note(); return live.status($0, $1, $2)
        }
        calls.read = {
            self.note(); return live.read($0, $1, $2, $3)
        }
        calls.write = {
            self.note(); return live.write($0, $1, $2)
        }
        calls.sync = {
            self.note(); return live.sync($0)
        }
        calls.rename = {
            self.note(); return live.rename($0, $1, $2, $3)
        }
        calls.renameNew = {
            self.note(); return live.renameNew($0, $1, $2, $3)
        }
        calls.remove = {
            self.note(); return live.remove($0, $1, $2)
        }
        calls.makeDirectory = {
            self.note(); return live.makeDirectory($0, $1, $2)
        }
        calls.listAttributes = {
            self.note(); return live.listAttributes($0, $1, $2, $3)
        }
        calls.readAttribute = {
            self.note(); return live.readAttribute($0, $1, $2, $3, $4)
        }
        calls.writeAttribute = {
            self.note(); return live.writeAttribute($0, $1, $2, $3, $4)
        }
        calls.removeAttribute = {
            self.note(); return live.removeAttribute($0, $1, $2)
        }
        calls.nextEntry = {
            self.note(); return live.nextEntry($0, $1)
        }
        calls.map = {
            self.note(); return live.map($0, $1, $2)
        }
        calls.space = {
            self.note(); return live.space($0, $1)
        }
        calls.lock = {
            self.note(); return live.lock($0, $1)
        }
        return calls
    }
}

@Suite("Work in the background", .timeLimit(.minutes(60))) struct BackgroundTests {
    @Test("No call blocks a thread of Swift's pool")
    func away() async throws {
        try await withContainer { made async throws in
            try made.save("[1]", to: .documents / "a")
            let threads = Threads()
            // Another path, so that the preferences are not the object of the first one.
            let container = try Container.open(
                made.location.appending("."), bundleIdentifier: "com.example.app", calls: threads.calls)
            let preferences = try container.preferences()
            _ = threads.take()
            try await container.background { container in
                try container.append("2", to: .documents / "a")
                try container.batch { try $0.save("x", to: .documents / "b") }
                _ = try (container.loadText(.documents / "a"), container.usage())
            }
            #expect(Set(threads.take()) == ["AppContainer"])
            try await preferences.background { preferences in try preferences.set(2, forKey: "k") }
            #expect(Set(threads.take()) == ["AppContainer"])
            try await container.withLock {
                await Task.yield()
                #expect(Set(threads.take()) == ["AppContainer"])
            }
            let reader = try container.reader(of: .documents / "a")
            _ = threads.take()
            for try await line in reader.lines { #expect(line == "[1]2") }
            #expect(Set(threads.take()) == ["AppContainer"])
        }
    }

    @Test("The error type of the work is kept, and work that cannot fail needs no try")
    func errors() async throws {
        try await withContainer { container async throws in
            do throws(ContainerError) {
                _ = try await container.background { container throws(ContainerError) in
                    try container.load(.documents / "missing")
                }
                Issue.record("a missing file was loaded")
            } catch { #expect(error.code == .notFound) }
            #expect(await container.background { $0.bundleIdentifier } == "com.example.app")
            struct Refusal: Error {}
            await #expect(throws: Refusal.self) { try await container.background { _ in throw Refusal() } }
        }
    }

    @Test("A task that is cancelled first does nothing, and each type of error reports it")
    func cancelled() async throws {
        try await withContainer { container async throws in
            let preferences = try container.preferences()
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                await #expect(throws: CancellationError.self) {
                    try await container.background { try $0.append("x", to: .documents / "a") }
                }
                let text = await #expect(throws: ContainerError.self) {
                    try await container.background { container throws(ContainerError) in
                        try container.append("x", to: .documents / "a")
                    }
                }
                #expect(text?.code == .cancelled)
                let setting = await #expect(throws: PreferencesError.self) {
                    try await preferences.background { preferences throws(PreferencesError) in
                        try preferences.set(1, forKey: "a")
                    }
                }
                #expect(setting?.code == .cancelled)
                let archive = await #expect(throws: ArchiveError.self) {
                    try await container.background { container throws(ArchiveError) in
                        try container.archive(["a"], to: .documents / "a")
                    }
                }
                #expect(archive?.code == .file && archive?.cause?.code == .cancelled)
                await #expect(throws: CancellationError.self) { try await container.withLock { await Task.yield() } }
                // Nothing could state the cancellation.
                #expect(await container.background { _ in true })
            }
            task.cancel()
            await task.value
            #expect(try container.list(.documents).isEmpty)
            #expect(try container.list(.preferences).isEmpty)
        }
    }

    @Test("Work that has begun runs to its end in a cancelled task")
    func begun() async throws {
        try await withContainer { container async throws in
            let (begin, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let task = Task {
                try await container.background { container in
                    begin.signal()
                    end.wait()
                    try container.save("x", to: .documents / "a")
                    return 1
                }
            }
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    begin.wait()
                    continuation.resume()
                }
            }
            task.cancel()
            end.signal()
            #expect(try await task.value == 1)
            #expect(try container.exists(.documents / "a"))
        }
    }

    /// An object of an actor that is not Sendable.
    @MainActor private final class Screen {
        var list = NSArray()

        func read(_ container: Container) async throws {
            list = try await container.background { container in
                try container.archive(NSMutableArray(array: [1, 2]), to: .documents / "list")
                return try container.unarchive(NSArray.self, from: .documents / "list")
            }
        }
    }

    @Test("An actor receives an object that is not Sendable")
    @MainActor func actors() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sandboxlint-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.app")
        let screen = Screen()
        try await screen.read(container)
        #expect(screen.list == NSArray(array: [1, 2]))
    }

    @Test("More tasks than threads wait for a lock, and its holder continues")
    func locks() async throws {
        try await withContainer { container async throws in
            try container.save("", to: .documents / "count")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<40 {
                    group.addTask {
                        try await container.withLock(within: .seconds(100)) {
                            let text = try await container.background { try $0.loadText(.documents / "count") }
                            try await container.background {
                                try $0.save(text + "x", to: .documents / "count", options: .init(durability: .none))
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try container.loadText(.documents / "count").count == 40)

            let lock = try container.lock()
            let error = await #expect(throws: ContainerError.self) {
                try await container.withLock(within: .milliseconds(30)) { await Task.yield() }
            }
            #expect(error?.code == .locked)
            let waiting = Task { try await container.withLock(within: .seconds(100)) { await Task.yield() } }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            lock.release()
        }
    }
}
