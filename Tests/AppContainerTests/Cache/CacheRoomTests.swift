import AppContainer
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Removals of a store in a cache", .timeLimit(.minutes(60))) struct CacheRoomTests {
    /// Counts the removals of files by a container that is opened again.
    private static func counting(_ made: Container) throws -> (Container, removed: () -> Int) {
        let count = LockedValue(0)
        var calls = Syscalls.live
        calls.remove = { folder, path, isDirectory in
            let result = Syscalls.live.remove(folder, path, isDirectory)
            if result == 0, !isDirectory { count.withLock { $0 += 1 } }
            return result
        }
        let container = try Container.open(made.location, bundleIdentifier: "com.example.app", calls: calls)
        return (
            container,
            {
                count.withLock { count in
                    defer { count = 0 }
                    return count
                }
            }
        )
    }

    /// The numbers of the keys that a cache contains.
    private func numbers(in cache: FileCache, of range: Range<Int>) throws -> [Int] {
        try range.filter { try cache.contains("\($0)") }
    }

    @Test("A store far beyond the limit removes 65 entries, the next ones go on, oldest first, and trim() removes all")
    func bounded() throws {
        try withContainer { made throws in
            let before = try made.cache(named: "c")
            for number in 0..<1_000 { try before.store(Data("x".utf8), forKey: "\(number)") }
            let (container, removed) = try Self.counting(made)
            let cache = try container.cache(named: "c", limits: .init(entries: 480))
            for number in 1_000..<1_005 {
                try cache.store(Data("x".utf8), forKey: "\(number)")
                #expect(removed() == 65)
            }
            #expect(try numbers(in: cache, of: 0..<1_005) == Array(325..<1_005))
            // Entries that are used meanwhile stay, although they were to be removed next.
            #expect(try cache.value(forKey: "325") != nil && cache.url(forKey: "326") != nil)
            for number in 1_005..<1_020 {
                try cache.store(Data("x".utf8), forKey: "\(number)")
                #expect(removed() <= 65)
            }
            // 15/16 of the limit, and what was stored after that was reached.
            let usage = try cache.usage().entries
            #expect(usage >= 450 && usage <= 480)
            #expect(try cache.contains("325") && cache.contains("326") && !cache.contains("327"))
            let kept = try numbers(in: cache, of: 327..<1_020)
            #expect(try #require(kept.first) + kept.count == 1_020)

            let smaller = try container.cache(named: "c", limits: .init(entries: 32))
            try smaller.trim()
            #expect(removed() == usage - 30)
            #expect(try smaller.usage().entries == 30 && smaller.contains("1019"))
        }
    }

    @Test("A large value removes as many small ones as it needs, in one store")
    func large() throws {
        try withContainer { made throws in
            let (container, removed) = try Self.counting(made)
            let cache = try container.cache(named: "c", limits: .init(bytes: 16_000))
            for number in 0..<1_600 { try cache.store(Data(count: 10), forKey: "\(number)") }
            #expect(removed() == 0)
            try cache.store(Data(count: 8_000), forKey: "large")
            // 8,000 bytes, and 64 entries more.
            #expect(removed() == 864)
            #expect(try cache.usage().bytes == 16_000 - 640 && cache.contains("large") && cache.contains("864"))
        }
    }

    @Test("Entries that others have removed meanwhile count no longer, so that no others go for them")
    func removedByOthers() throws {
        try withContainer { made throws in
            let (container, removed) = try Self.counting(made)
            let cache = try container.cache(named: "c", limits: .init(entries: 2_000))
            for number in 0..<2_001 { try cache.store(Data(), forKey: "\(number)") }
            #expect(removed() == 65)
            // The next ones to remove are known. Another process removes half of all, and this one a tenth.
            let other = try made.cache(named: "c")
            for number in 65..<1_000 { try other.remove("\(number)") }
            for number in 2_001..<2_080 { try cache.store(Data(), forKey: "\(number)") }
            #expect(removed() == 0)
            for number in 1_000..<1_200 { try cache.remove("\(number)") }
            #expect(removed() == 200)
            for number in 2_080..<2_800 { try cache.store(Data(), forKey: "\(number)") }
            #expect(removed() == 0)
            #expect(try cache.usage().entries == 2_800 - 1_200)
            try FileManager.default.removeItem(atPath: container.path(cache.directory).string)
            for number in 0..<1_900 { try cache.store(Data(), forKey: "\(number)") }
            #expect(try removed() == 0 && cache.usage().entries == 1_900)
        }
    }

    @Test("Expired entries of a large cache are found by stores, 1,024 at a time, and all by trim()")
    func expired() throws {
        try withContainer { container throws in
            let before = try container.cache(named: "c")
            for number in 0..<3_000 {
                try before.store(Data(), forKey: "\(number)", expires: Date(timeIntervalSinceNow: -1))
            }
            // The first store of an object looks, and finds its own value.
            #expect(try before.usage().entries == 2_999)
            let cache = try container.cache(named: "c", limits: .init(entries: 10_000))
            try cache.store(Data(), forKey: "new")
            // The new one is among them or not.
            let left = try cache.usage().entries
            #expect(left == 3_000 - 1_024 || left == 3_000 - 1_023)
            try cache.trim()
            #expect(try cache.usage().entries == 1 && cache.contains("new"))
        }
    }

    @Test("Stores of several threads at once stay near the limit, and end within it")
    func threads() throws {
        try withContainer { container throws in
            let cache = try container.cache(named: "c", limits: .init(entries: 200))
            DispatchQueue.concurrentPerform(iterations: 4) { worker in
                for number in 0..<500 {
                    #expect(throws: Never.self) { try cache.store(Data(), forKey: "\(worker) \(number)") }
                }
            }
            // A store of one thread does not wait for the removals of another.
            for number in 0..<10 { try cache.store(Data(), forKey: "last \(number)") }
            #expect(try cache.usage().entries <= 200)
            #expect(try (0..<10).allSatisfy { try cache.contains("last \($0)") })
        }
    }
}
