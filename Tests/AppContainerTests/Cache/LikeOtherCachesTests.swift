import AppContainer
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

/// The behaviours that users of Cache, PINCache and SDWebImage know. `docs/cache-behavior.md` lists them and the
/// differences.
@Suite("A cache with the behaviour of others", .timeLimit(.minutes(60))) struct LikeOtherCachesTests {
    private func data(_ text: String) -> Data { Data(text.utf8) }

    private func names(_ directory: ContainerPath, _ container: Container) throws -> [String] {
        guard try container.exists(directory) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: container.path(directory).string)
    }

    /// Calls a closure with a container that counts the reads of contents of files.
    private func withReads(_ body: (Container, () -> Int) throws -> Void) throws {
        try withContainer { made throws in
            let reads = LockedValue(0)
            var calls = Syscalls.live
            calls.read = { file, buffer, count, offset in
                reads.withLock { $0 += 1 }
                return Syscalls.live.read(file, buffer, count, offset)
            }
            let container = try Container.open(made.location, bundleIdentifier: "com.example.app", calls: calls)
            try body(container) { reads.withLock(\.self) }
        }
    }

    // MARK: - Location

    @Test("The directory is made with the first value, in Caches or in Application Support")
    func location() throws {
        try withContainer { container throws in
            for (storage, directory) in [
                (FileCache.Storage.purgeable, ContainerPath.caches / "Floppy"),
                (.kept, .applicationSupport / "Caches" / "Floppy"),
            ] {
                let cache = try container.cache(named: "Floppy", storage: storage)
                #expect(cache.directory == directory && cache.limits.bytes == 256 << 20)
                #expect(try cache.value(forKey: "missing") == nil && !container.exists(directory))
                try cache.store(data("x"), forKey: "k")
                #expect(try container.attributes(of: directory).kind == .directory)
                #expect(try names(directory, container) == ["k"])
            }
        }
    }

    @Test("Caches with different names share nothing")
    func instances() throws {
        try withContainer { container throws in
            let (one, other) = (try container.cache(named: "one"), try container.cache(named: "other"))
            try one.store(data("x"), forKey: "k")
            #expect(try other.value(forKey: "k") == nil)
            try other.store(data("y"), forKey: "k")
            try other.removeAll()
            #expect(try one.value(forKey: "k") == data("x"))
        }
    }

    @Test("The name of a file is its key with escapes, so that an extension remains, and no key shares a file")
    func fileNames() throws {
        try withContainer { container throws in
            let cache = try container.cache(named: "c")
            for (key, name) in [
                ("http://www.test.example-<Cool>?%", "http%3a%2f%2fwww.test.example-%3c^cool%3e%3f%25"),
                ("test_key", "test_key"), ("https://example.com/a.jpg", "https%3a%2f%2fexample.com%2fa.jpg"),
            ] {
                #expect(try cache.url(forKey: key) == nil)
                try cache.store(data(key), forKey: key)
                let url = try #require(try cache.url(forKey: key))
                #expect(url.lastPathComponent == name && ContainerPath.name(escaping: key) == name)
                #expect(try Data(contentsOf: url) == data(key))
            }
            #expect(try #require(try cache.url(forKey: "https://example.com/a.jpg")).pathExtension == "jpg")
            // A query after the extension, and an extension of 300 characters.
            for key in ["https://example.com/a.jpg?w=1&u=b.png", "a." + String(repeating: "jpg", count: 100)] {
                try cache.store(data(key), forKey: key)
                #expect(try cache.value(forKey: key) == data(key))
            }
            #expect(try cache.usage().entries == 5)
        }
    }

    // MARK: - Values

    @Test("A value is stored, found, replaced and removed, with its file")
    func values() throws {
        try withContainer { container throws in
            let cache = try container.cache(named: "c", limits: .init(memory: 1 << 20))
            try cache.store(data("one"), forKey: "k")
            #expect(try cache.value(forKey: "k") == data("one") && cache.contains("k") && !cache.contains("other"))
            #expect(try cache.value(forKey: "other") == nil)
            try cache.store(data("two"), forKey: "k")
            #expect(try cache.value(forKey: "k") == data("two"))
            try cache.remove("k")
            #expect(try cache.value(forKey: "k") == nil && !cache.contains("k"))
            #expect(try names(cache.directory, container) == [])
        }
    }

    @Test("After the removal of all values the directory is empty, and nothing remains in tmp")
    func removalOfAll() throws {
        try withContainer { container throws in
            let cache = try container.cache(named: "c", limits: .init(memory: 1 << 20))
            try cache.removeAll()
            let tmp = try names(.temporary, container)
            for number in 0..<100 { try cache.store(data("\(number)"), forKey: "key \(number)") }
            try cache.removeAll()
            #expect(try container.exists(cache.directory) && names(cache.directory, container) == [])
            #expect(try names(.temporary, container) == tmp)
            #expect(try cache.value(forKey: "key 1") == nil)
            #expect(try cache.usage() == container.cache(named: "never used").usage())
        }
    }

    @Test("The size and the number are those of the values, and a replaced value counts once")
    func usage() throws {
        try withContainer { container throws in
            let cache = try container.cache(named: "c")
            #expect(try cache.usage().bytes == 0 && cache.usage().entries == 0)
            for _ in 0..<2 {
                try cache.store(Data(count: 1_000), forKey: "image")
                #expect(try cache.usage().bytes == 1_000 && cache.usage().entries == 1)
            }
            try cache.store(Data(count: 500), forKey: "image2")
            #expect(try cache.usage().bytes == 1_500 && cache.usage().entries == 2)
            #expect(try container.items(in: cache.directory).map(\.attributes.size).sorted() == [500, 1_000])
        }
    }

    @Test("A directory that cannot be made is an error of the store")
    func unwritable() throws {
        try withContainer { made throws in
            var calls = Syscalls.live
            calls.makeDirectory = { _, _, _ in -Errno.permissionDenied.rawValue }
            let container = try Container.open(made.location, bundleIdentifier: "com.example.app", calls: calls)
            let error = #expect(throws: ContainerError.self) {
                try container.cache(named: "c").store(data("x"), forKey: "k")
            }
            #expect(error?.code == .permissionDenied)
        }
    }

    // MARK: - Memory

    @Test("A stored value is in memory and on disk, and one of an earlier process is in memory after a read")
    func memory() throws {
        try withReads { container, reads throws in
            let limits = FileCache.Limits(memory: 1 << 20)
            let first = try container.cache(named: "c", limits: limits)
            try first.store(data("value"), forKey: "k")
            var before = reads()
            #expect(try first.value(forKey: "k") == data("value") && reads() == before)
            #expect(try Data(contentsOf: #require(try first.url(forKey: "k"))) == data("value"))
            let second = try container.cache(named: "c", limits: limits)
            before = reads()
            #expect(try second.value(forKey: "k") == data("value") && reads() > before)
            before = reads()
            #expect(try second.value(forKey: "k") == data("value") && reads() == before)
        }
    }

    @Test("A value whose file is removed is not in memory either")
    func memoryFollowsDisk() throws {
        try withContainer { container throws in
            let cache = try container.cache(named: "c", limits: .init(memory: 1 << 20))
            try cache.store(data("x"), forKey: "k")
            try FileManager.default.removeItem(at: #require(try cache.url(forKey: "k")))
            #expect(try cache.value(forKey: "k") == nil)
        }
    }

    @Test("Beyond its limit memory keeps what was used last, and a value that is replaced counts once")
    func memoryLimit() throws {
        try withReads { container, reads throws in
            let cache = try container.cache(named: "c", limits: .init(memory: 1_000))
            func isInMemory(_ key: String) throws -> Bool {
                let before = reads()
                _ = try cache.value(forKey: key)
                return reads() == before
            }
            try cache.store(Data(count: 300), forKey: "a")
            for _ in 0..<10 { try cache.store(Data(count: 300), forKey: "b") }
            #expect(try isInMemory("a") && isInMemory("b"))
            try cache.store(Data(count: 300), forKey: "c")
            #expect(try isInMemory("a"))
            try cache.store(Data(count: 300), forKey: "d")
            #expect(try isInMemory("a") && isInMemory("c") && isInMemory("d"))
            #expect(try !isInMemory("b") && cache.contains("b"))
        }
    }

    // MARK: - Time

    @Test("An expired value is not found, is counted until a trim, and the others remain")
    func expiry() throws {
        try withContainer { container throws in
            let cache = try container.cache(named: "c", limits: .init(memory: 1 << 20))
            // The first store of an object trims the cache.
            try cache.store(data("x"), forKey: "always")
            try cache.store(data("x"), forKey: "past", expires: Date(timeIntervalSinceNow: -100_000))
            try cache.store(data("x"), forKey: "future", expires: Date(timeIntervalSinceNow: 100_000))
            #expect(try cache.value(forKey: "past") == nil && !cache.contains("past"))
            #expect(try cache.url(forKey: "past") == nil && cache.usage().entries == 3)
            try cache.trim()
            #expect(try Set(names(cache.directory, container)) == ["future", "always"])
            #expect(try cache.contains("future") && cache.contains("always"))
        }
    }

    @Test("A use makes a value no younger, and changes the time of its file")
    func ageAndUse() async throws {
        try await withContainer { container async throws in
            let cache = try container.cache(named: "c")
            try cache.store(data("x"), forKey: "old")
            let url = try #require(try cache.url(forKey: "old"))
            let stored = try container.attributes(of: cache.directory / "old").modified
            try await Task.sleep(for: .milliseconds(300))
            try cache.store(data("x"), forKey: "new")
            #expect(try cache.value(forKey: "old") == data("x"))
            #expect(try container.attributes(of: cache.directory / "old").modified > stored)
            let brief = try container.cache(named: "c", limits: .init(age: .milliseconds(250)))
            #expect(try brief.value(forKey: "old") == nil)
            try brief.trim()
            #expect(!FileManager.default.fileExists(atPath: url.path))
        }
    }

    @Test("A trim removes a value larger than the limit, and all values beyond the age")
    func limits() throws {
        try withContainer { container throws in
            let cache = try container.cache(named: "c", limits: .init(bytes: 10))
            try cache.store(Data(count: 20), forKey: "large")
            #expect(try cache.usage().bytes == 0 && cache.usage().entries == 0)
            try cache.store(Data(count: 1), forKey: "small")
            #expect(try cache.usage().entries == 1)
            let brief = try container.cache(named: "c", limits: .init(age: .zero))
            try brief.trim()
            #expect(try brief.usage().bytes == 0 && brief.usage().entries == 0)
        }
    }

    @Test("A listener gets what the cache removes, not what the app stores and removes")
    func listeners() async throws {
        try await withContainer { container async throws in
            let cache = try container.cache(named: "c", limits: .init(entries: 2))
            var evictions = cache.evictions.makeAsyncIterator()
            try cache.store(data("x"), forKey: "removed")
            try cache.remove("removed")
            try cache.store(data("x"), forKey: "expired", expires: .distantPast)
            try cache.trim()
            for key in ["1", "2", "3"] { try cache.store(data("x"), forKey: key) }
            var found = [await evictions.next(), await evictions.next()]
            #expect(found.map(\.?.key) == ["expired", "1"] && found.map(\.?.reason) == [.expired, .limit])
            try cache.removeAll()
            try cache.store(data("x"), forKey: "last", expires: .distantPast)
            try cache.trim()
            found = [await evictions.next()]
            #expect(found.map(\.?.key) == ["last"])
        }
    }

    // MARK: - Concurrency

    @Test("A thousand writes and reads at once each find their value", arguments: [0, 1 << 20])
    func thousandWrites(memory: Int) throws {
        try withContainer { container throws in
            let cache = try container.cache(named: "c", limits: .init(memory: memory))
            DispatchQueue.concurrentPerform(iterations: 1_001) { number in
                #expect(throws: Never.self) {
                    try cache.store(data("value \(number)"), forKey: "key \(number)")
                    #expect(try cache.value(forKey: "key \(number)") == data("value \(number)"))
                }
            }
            #expect(try cache.usage().entries == 1_001)
        }
    }

    @Test("A thousand reads of one value at once end")
    func thousandReads() async throws {
        try await withContainer { container async throws in
            let cache = try container.cache(named: "c", limits: .init(memory: 1 << 20))
            try cache.store(data("x"), forKey: "k")
            let found = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<1_000 {
                    group.addTask { try await container.background { _ in try cache.value(forKey: "k") != nil } }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(found == 1_000)
        }
    }
}
