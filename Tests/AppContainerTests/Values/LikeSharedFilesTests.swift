import AppContainer
import FileSystem
import Foundation
import Observation
import SystemPackage
import TestSupport
import Testing

/// The behaviours that users of file storage in Sharing know. `docs/cache-behavior.md` lists them and the differences.
@Suite("A value in a file with the behaviour of shared files", .timeLimit(.minutes(60))) struct LikeSharedFilesTests {
    private struct User: Codable, Sendable, Equatable {
        var id: Int
        var name: String
        static let ada = User(id: 1, name: "Ada")
        static let alan = User(id: 2, name: "Alan")
        static let grace = User(id: 3, name: "Grace")
    }

    /// A value whose encoding leaves out what is beyond the first two numbers.
    private struct FirstTwo: Codable, Sendable, Equatable {
        var numbers: [Int] = []
        init() {}
        init(from decoder: any Decoder) throws { numbers = try [Int](from: decoder) }
        func encode(to encoder: any Encoder) throws { try Array(numbers.prefix(2)).encode(to: encoder) }
    }

    private let item = ContainerPath.applicationSupport / "users.json"

    private func makeUsers(_ container: Container) throws -> FileValue<[User]> {
        try FileValue(item, in: container, default: [], autosave: nil)
    }

    private func saved(_ container: Container) throws -> [User]? {
        try container.exists(item) ? try container.load(from: item) : nil
    }

    // MARK: - Saves

    @Test("The default is the value without a file, makes none, and a change is saved")
    func basics() throws {
        try withContainer { container throws in
            let users = try makeUsers(container)
            #expect(users.value == [] && users.lastError == nil)
            try users.flush()
            #expect(try saved(container) == nil)
            users.update { $0.append(.ada) }
            try users.flush()
            #expect(try saved(container) == [.ada])
        }
    }

    @Test("The value of an existing file replaces the default, and is not saved again")
    func initialValue() throws {
        try withContainer { container throws in
            try container.save([User.ada], to: item)
            let before = try container.attributes(of: item)
            let users = try makeUsers(container)
            #expect(users.value == [.ada])
            try users.flush()
            #expect(try saved(container) == [.ada])
            #expect(try container.attributes(of: item).modified == before.modified)
        }
    }

    @Test("The extension selects JSON or a property list")
    func formats() throws {
        try withContainer { container throws in
            for (name, start) in [("texts.json", "["), ("texts.plist", "<?xml")] {
                let path = ContainerPath.applicationSupport / name
                let value = try FileValue(path, in: container, default: [""], autosave: nil)
                value.value = ["hello"]
                try value.flush()
                let bytes = try container.load(path)
                #expect(bytes.starts(with: Data(start.utf8)) || bytes.starts(with: Data("bplist00".utf8)), "\(name)")
                #expect(try FileValue(path, in: container, default: [""], autosave: nil).value == ["hello"])
            }
        }
    }

    @Test("Changes within the time for the autosave are one save, and a later one is another")
    func autosave() throws {
        try withContainer { made throws in
            let saves = LockedValue(0)
            var calls = Syscalls.live
            calls.rename = { from, old, to, new in
                saves.withLock { $0 += 1 }
                return Syscalls.live.rename(from, old, to, new)
            }
            let container = try Container.open(made.location, bundleIdentifier: "com.example.app", calls: calls)
            let users = try FileValue(item, in: container, default: [User](), autosave: .seconds(2))
            for user in [User.ada, .alan, .grace] { users.update { $0.append(user) } }
            #expect(try saved(container) == nil)
            #expect(try wait { !users.hasUnsavedChanges })
            #expect(try saved(container) == [.ada, .alan, .grace] && saves.withLock(\.self) == 1)
            users.update { $0.removeLast() }
            #expect(try wait { !users.hasUnsavedChanges })
            #expect(try saved(container) == [.ada, .alan] && saves.withLock(\.self) == 2)
        }
    }

    @Test("Values in different files and containers are independent")
    func severalFiles() throws {
        try withContainer { container throws in
            let other = try Container.temporary()
            let others = ContainerPath.applicationSupport / "others.json"
            let values = [
                try makeUsers(container), try makeUsers(other),
                try FileValue(others, in: container, default: [], autosave: nil),
            ]
            for (value, user) in zip(values, [User.ada, .alan, .grace]) {
                value.value = [user]
                try value.flush()
            }
            #expect(values.map(\.value) == [[.ada], [.alan], [.grace]])
            #expect(try saved(container) == [.ada] && saved(other) == [.alan])
            #expect(try container.load([User].self, from: others) == [.grace])
        }
    }

    @Test("An own save is not read as a change by others")
    func ownSave() throws {
        try withContainer { container throws in
            let value = try FileValue(item, in: container, default: FirstTwo(), autosave: nil)
            value.update { $0.numbers = [1, 2, 3] }
            try value.flush()
            try value.refresh()
            #expect(value.value.numbers == [1, 2, 3])
            #expect(try container.load([Int].self, from: item) == [1, 2])
        }
    }

    // MARK: - Changes by others

    @Test("A file that others write, remove, move and write again is adopted without a call")
    func others() throws {
        try withContainer { container throws in
            try container.save([User.ada], to: item)
            let users = try makeUsers(container)
            let url = try container.url(for: item)
            try JSONEncoder().encode([User.alan]).write(to: url)
            #expect(try wait { users.value == [.alan] })
            try FileManager.default.removeItem(at: url)
            #expect(try wait { users.value == [] })
            try JSONEncoder().encode([User.grace]).write(to: url)
            #expect(try wait { users.value == [.grace] })
            let away = url.deletingLastPathComponent().appending(path: "away.json")
            try FileManager.default.moveItem(at: url, to: away)
            #expect(try wait { users.value == [] })
            try FileManager.default.moveItem(at: away, to: url)
            #expect(try wait { users.value == [.grace] })
            #expect(!users.hasUnsavedChanges && users.lastError == nil)
        }
    }

    @Test("A file that cannot be decoded is an error, at the start and later, and is not replaced")
    func corrupt() throws {
        try withContainer { container throws in
            try container.save("corrupt", to: item)
            let error = #expect(throws: ContainerError.self) { try makeUsers(container) }
            #expect(error?.code == .damaged)
            try container.remove(item)
            let users = try makeUsers(container)
            users.value = [.ada]
            try users.flush()
            users.value = [.alan]
            // Another program empties the file before the change is saved.
            try Data().write(to: container.url(for: item))
            #expect(throws: ContainerError.self) { try users.flush() }
            #expect(users.value == [.alan] && users.hasUnsavedChanges && users.lastError != nil)
            #expect(try container.load(item).isEmpty)
        }
    }

    @Test("An unsaved change is not lost when the file is removed")
    func removedBeforeSave() throws {
        try withContainer { container throws in
            try container.save([User.ada], to: item)
            let users = try makeUsers(container)
            users.value = [.alan]
            try container.remove(item)
            try users.refresh()
            #expect(users.value == [.alan] && users.hasUnsavedChanges)
            try users.flush()
            #expect(try saved(container) == [.alan])
        }
    }

    @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
    @Test("An observer is notified of a change by another process on the main queue")
    func observer() async throws {
        try await withContainer { container async throws in
            let users = try makeUsers(container)
            // On Linux, any thread may serve the main queue.
            let key = DispatchSpecificKey<Bool>()
            DispatchQueue.main.setSpecific(key: key, value: true)
            let (notifications, continuation) = AsyncStream.makeStream(of: Bool.self)
            withObservationTracking {
                _ = users.value
            } onChange: {
                continuation.yield(DispatchQueue.getSpecific(key: key) == true)
            }
            try container.save([User.ada], to: item)
            var iterator = notifications.makeAsyncIterator()
            #expect(await iterator.next() == true)
            #expect(users.value == [.ada])
        }
    }

    // MARK: - Concurrency

    @Test("Each of ten thousand changes is visible at once, while the file is saved")
    func manyChanges() throws {
        try withContainer { container throws in
            let counts = try FileValue(item, in: container, default: [Int: Int](), autosave: .milliseconds(1))
            for round in 1...1_000 {
                for key in 1...10 { counts.update { $0[key, default: 0] += 1 } }
                #expect(counts.value == Dictionary(uniqueKeysWithValues: (1...10).map { ($0, round) }))
            }
            try counts.flush()
            #expect(try container.load([Int: Int].self, from: item) == counts.value)
        }
    }

    @Test("No change of many threads is lost")
    func manyThreads() throws {
        try withContainer { container throws in
            let counts = try FileValue(item, in: container, default: [0: 0], autosave: .milliseconds(1))
            DispatchQueue.concurrentPerform(iterations: 1_000) { _ in
                for _ in 0..<10 { counts.update { $0[0, default: 0] += 1 } }
            }
            #expect(counts.value == [0: 10_000])
            try counts.flush()
            #expect(try container.load([Int: Int].self, from: item) == [0: 10_000])
        }
    }
}
