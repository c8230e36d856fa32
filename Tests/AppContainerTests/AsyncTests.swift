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

@Suite("Async calls", .timeLimit(.minutes(60))) struct AsyncTests {
    /// One call each. A container has a file `Documents/a` with the text `[1]` and a directory `Documents/d`.
    struct Call: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let run: @Sendable (Container) async throws -> Void

        init(_ name: String, _ run: @escaping @Sendable (Container) async throws -> Void) {
            (testDescription, self.run) = (name, run)
        }
    }

    static let saves = [
        Call("save bytes") { try await $0.save(Data([1]), to: .documents / "b") },
        Call("save text") { try await $0.save("x", to: .documents / "b") },
        Call("save a value") { try await $0.save([1], to: .documents / "b", encoder: JSONEncoder()) },
        Call("append bytes") { try await $0.append(Data([1]), to: .documents / "a") },
        Call("append text") { try await $0.append("x", to: .documents / "a") },
        Call("append elements") {
            try await $0.append([2], to: .documents / "a", encoder: JSONEncoder(), decoder: JSONDecoder())
        },
        Call("store bytes") { try await $0.store(Data([1]), named: "b", as: .cache) },
        Call("store text") { try await $0.store("x", named: "b", as: .cache) },
        Call("store a value") { try await $0.store([1], named: "b", as: .cache, encoder: JSONEncoder()) },
        Call("batch") { container in try await container.batch { try $0.save("x", to: .documents / "b") } },
        Call("writer") { container in
            let writer = try await container.writer(to: .documents / "b")
            try await writer.write("x")
            try await writer.write(Data([1]))
            try await writer.finish()
        },
        Call("cancelled writer") { container in
            let writer = try await container.writer(to: .documents / "b")
            await writer.cancel()
        },
        Call("archive an object") { try await $0.archive(NSArray(array: [1]), to: .documents / "b") },
        Call("archive a value") { try await $0.archive([1], to: .documents / "b") },
    ]
    static let loads = [
        Call("load") { _ = try await $0.load(.documents / "a") },
        Call("loadBytes") { _ = try await $0.loadBytes(.documents / "a") },
        Call("loadText") { _ = try await $0.loadText(.documents / "a") },
        Call("loadMapped") { _ = try await $0.loadMapped(.documents / "a") },
        Call("load a value") { _ = try await $0.load([Int].self, from: .documents / "a", decoder: JSONDecoder()) },
        Call("list") { _ = try await $0.list(.documents) },
        Call("reader") { container in
            let reader = try await container.reader(of: .documents / "a")
            _ = try await (reader.size(), reader.next())
        },
        Call("unarchive an object") { container in
            _ = try? await container.unarchive(NSArray.self, from: .documents / "a")
        },
        Call("unarchive a value") { container in
            _ = try? await container.unarchive([Int].self, from: .documents / "a")
        },
    ]
    static let files = [
        Call("createDirectory") { try await $0.createDirectory(.documents / "e") },
        Call("copy") { try await $0.copy(.documents / "a", to: .documents / "b") },
        Call("move") { try await $0.move(.documents / "a", to: .documents / "b") },
        Call("replace") { container in
            try await container.copy(.documents / "a", to: .documents / "b")
            try await container.replace(.documents / "a", with: .documents / "b")
        },
        Call("remove") { try await $0.remove(.documents / "a") },
        Call("capacity") { _ = try await $0.capacity() },
        Call("usage") { _ = try await $0.usage() },
        Call("sweepLeftovers") { _ = try await $0.sweepLeftovers() },
        Call("purgeExpired") { _ = try await $0.purgeExpired() },
        Call("lock") { try await $0.lock().release() },
        Call("withLock") { container in
            try await container.withLock { try await container.save("x", to: .documents / "b") }
        },
        Call("isBackedUp") { _ = try await $0.isBackedUp(.documents / "a") },
        Call("exclusion") { _ = try await $0.exclusion(of: .documents / "a") },
        Call("ownMarks") { _ = try await $0.ownMarks(of: .documents / "a") },
        Call("excludeFromBackup") { try await $0.excludeFromBackup(.documents / "d") },
        Call("includeInBackup") { try await $0.includeInBackup(.documents / "d") },
        Call("toggleBackupExclusion") { _ = try await $0.toggleBackupExclusion(of: .documents / "d") },
        Call("excludedItems") { _ = try await $0.excludedItems() },
        Call("provenance") { _ = try await $0.provenance(of: .documents / "a") },
        Call("source") { _ = try await $0.source(of: .documents / "a") },
        Call("suppress") { try await $0.suppress("stale-tmp", reason: "x", at: .documents / "a") },
        Call("unsuppress") { try await $0.unsuppress("stale-tmp", at: .documents / "a") },
        Call("suppressions") { _ = try await $0.suppressions(of: .documents / "a") },
    ]
    private static func preferences(
        _ name: String, _ run: @escaping @Sendable (Preferences) async throws -> Void
    ) -> Call {
        Call("preferences: \(name)") { try await run($0.preferences()) }
    }
    static let preferences = [
        preferences("refresh") { _ = try await $0.refresh() },
        preferences("values") { _ = try await $0.values() },
        preferences("value") { _ = try await $0.value(forKey: "k") },
        preferences("string") { _ = try await $0.string(forKey: "k") },
        preferences("bool") { _ = try await $0.bool(forKey: "k") },
        preferences("integer") { _ = try await $0.integer(forKey: "k") },
        preferences("double") { _ = try await $0.double(forKey: "k") },
        preferences("float") { _ = try await $0.float(forKey: "k") },
        preferences("data") { _ = try await $0.data(forKey: "k") },
        preferences("date") { _ = try await $0.date(forKey: "k") },
        preferences("url") { _ = try await $0.url(forKey: "k") },
        preferences("array") { _ = try await $0.array(forKey: "k") },
        preferences("stringArray") { _ = try await $0.stringArray(forKey: "k") },
        preferences("dictionary") { _ = try await $0.dictionary(forKey: "k") },
        preferences("change") { try await $0.change { $0.set(2, forKey: "k") } },
        preferences("set") { try await $0.set(2, forKey: "k") },
        preferences("set a URL") { preferences in
            let url = try #require(URL(string: "https://example.com"))
            try await preferences.set(url, forKey: "k")
        },
        preferences("removeValue") { try await $0.removeValue(forKey: "k") },
    ]

    @Test("No call blocks a thread of Swift's pool", arguments: saves + loads + files + preferences)
    func away(call: Call) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sandboxlint-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let made = try await Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.app")
        try await made.save("[1]", to: .documents / "a", durability: .none)
        try await made.createDirectory(.documents / "d")
        try await made.preferences().set(1, forKey: "k", durability: .none)
        let threads = Threads()
        // Another path, so that the preferences are not the object of the first one.
        let container = try Container.open(
            made.location.appending("."), bundleIdentifier: "com.example.app", calls: threads.calls)
        _ = threads.take()
        try await call.run(container)
        #expect(Set(threads.take()) == ["AppContainer"])
    }

    /// An object of an actor that is not Sendable.
    @MainActor private final class Screen {
        var list = NSMutableArray(array: [1, 2])
        var names = ["a": "x"]

        func save(_ container: Container) async throws -> NSArray {
            try await container.archive(list, to: .documents / "list")
            try await container.batch { batch in
                for (name, text) in names { try batch.save(text, to: .documents / name) }
            }
            return try await container.withLock {
                list.add(3)
                return try await container.unarchive(NSArray.self, from: .documents / "list")
            }
        }
    }

    @Test("An actor's own objects are archived, read and saved in its context")
    @MainActor func actors() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sandboxlint-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try await Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.app")
        let screen = Screen()
        #expect(try await screen.save(container) == NSArray(array: [1, 2]))
        #expect(try await container.loadText(.documents / "a") == "x" && screen.list.count == 3)
    }

    @Test("More tasks than threads wait for a lock, and its holder continues")
    func locks() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sandboxlint-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try await Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.app")
        try await container.save("", to: .documents / "count")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    try await container.withLock(within: .seconds(100)) {
                        let text = try await container.loadText(.documents / "count")
                        try await container.save(text + "x", to: .documents / "count", durability: .none)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await container.loadText(.documents / "count").count == 40)

        let lock = try await container.lock()
        let error = await #expect(throws: ContainerError.self) { try await container.lock(within: .milliseconds(30)) }
        #expect(error?.code == .locked)
        let waiting = Task { try await container.lock(within: .seconds(100)) }
        waiting.cancel()
        let cancelled = await #expect(throws: ContainerError.self) { try await waiting.value }
        #expect(cancelled?.code == .cancelled)
        lock.release()
    }

    @Test("A task that is cancelled first does nothing, and each kind of error reports it")
    func cancelled() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sandboxlint-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try await Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.app")
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            let text = await #expect(throws: ContainerError.self) {
                try await container.append("x", to: .documents / "a")
            }
            #expect(text?.code == .cancelled)
            let preferences = await #expect(throws: PreferencesError.self) {
                try await container.preferences().set(1, forKey: "a")
            }
            #expect(preferences?.code == .cancelled)
            let archive = await #expect(throws: ArchiveError.self) {
                try await container.archive(["a"], to: .documents / "a")
            }
            #expect(archive?.code == .file && archive?.cause?.code == .cancelled)
            let opened = await #expect(throws: ContainerError.self) { try await Container.open(container.location) }
            #expect(opened?.code == .cancelled)
        }
        task.cancel()
        await task.value
        #expect(try await container.list(.documents).isEmpty)
        #expect(try await container.list(.preferences).isEmpty)
    }
}
