import AppContainer
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("A cache of files", .timeLimit(.minutes(60))) struct FileCacheTests {
    private func data(_ text: String) -> Data { Data(text.utf8) }

    /// The names of the files of a cache, also of leftovers.
    private func names(of cache: FileCache, in container: Container) throws -> [String] {
        guard try container.exists(cache.directory) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: container.path(cache.directory).string)
    }

    /// Texts that are no names, and keys that a volume or Swift could take for one.
    static let keys = [
        "", ".", "..", "a", "A", "/", "a/b", "a%2fb", "../../Documents/x", "~", "^a", "\u{e9}", "e\u{301}", "日本",
        "a\0b", "https://example.com/a.jpg?w=1&h=2#x", String(repeating: "k", count: 255),
        String(repeating: "k", count: 256), String(repeating: "A", count: 200),
        String(repeating: "k", count: 2_999) + "1",
        String(repeating: "k", count: 2_999) + "2", ".appcontainer-staging-0123456789abcdef", "con", "a ", " a", "a.",
    ]

    @Test("Each key has its own value, whatever its text is, and the value of a later object is the same")
    func keys() throws {
        try withContainer { container throws in
            let cache = try container.cache(named: "c")
            for (number, key) in Self.keys.enumerated() { try cache.store(data("value \(number)"), forKey: key) }
            for cache in [cache, try container.cache(named: "c")] {
                for (number, key) in Self.keys.enumerated() {
                    #expect(try cache.value(forKey: key) == data("value \(number)"), "\(key.debugDescription)")
                    #expect(try cache.contains(key))
                    let url = try #require(try cache.url(forKey: key))
                    #expect(try Data(contentsOf: url) == data("value \(number)"))
                    #expect(url.deletingLastPathComponent().lastPathComponent == "c")
                }
            }
            #expect(try cache.usage().entries == Self.keys.count)
            for key in Self.keys {
                try cache.remove(key)
                #expect(try cache.value(forKey: key) == nil && !cache.contains(key) && cache.url(forKey: key) == nil)
                try cache.remove(key)
            }
            #expect(try cache.usage().entries == 0 && cache.usage().bytes == 0)
            let error = #expect(throws: ContainerError.self) {
                try cache.store(data("x"), forKey: String(repeating: "k", count: 3_001))
            }
            #expect(error?.code == .invalidPath)
            for name in ["", ".", "..", "a/b", ".hidden"] {
                let error = #expect(throws: ContainerError.self) { try container.cache(named: name) }
                #expect(error?.code == .invalidPath)
            }
        }
    }

    @Test("A value is replaced, by a longer, a shorter and an empty one", arguments: [0, 1 << 20])
    func replaced(memory: Int) throws {
        try withContainer { container throws in
            let cache = try container.cache(named: "c", limits: .init(memory: memory))
            for text in ["one", "a longer value", "", "x"] {
                try cache.store(data(text), forKey: "k")
                #expect(try cache.value(forKey: "k") == data(text) && cache.value(forKey: "k") == data(text))
                #expect(try cache.usage().entries == 1 && cache.usage().bytes == UInt64(text.utf8.count))
            }
            try cache.removeAll()
            #expect(try cache.value(forKey: "k") == nil)
            try cache.removeAll()
        }
    }

    @Test("Nothing is on disk before the first value, and no backup contains it", arguments: [true, false])
    func backup(isKept: Bool) throws {
        try withContainer { container throws in
            let cache = try container.cache(named: "c", storage: isKept ? .kept : .purgeable)
            #expect(try cache.value(forKey: "k") == nil && cache.usage().entries == 0)
            try cache.trim()
            try cache.remove("k")
            #expect(try !container.exists(cache.directory))
            try cache.store(data("x"), forKey: "k")
            #expect(try container.isBackedUp(cache.directory / "k") == false)
            #expect(try container.ownMarks(of: cache.directory).isEmpty)
            #expect(try container.ownMarks(of: #require(cache.directory.parent)).isEmpty == !isKept)
            #expect(try fileMode(of: container.path(cache.directory / "k").string) == 0o600)
        }
    }

    private func fileMode(of path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    // MARK: - Limits

    @Test("The least recently used entries are removed, also after the process has ended", arguments: [0, 1 << 20])
    func leastRecentlyUsed(memory: Int) throws {
        try withContainer { container throws in
            let limits = FileCache.Limits(entries: 10, memory: memory)
            let first = try container.cache(named: "c", limits: limits)
            for number in 0..<10 { try first.store(data("\(number)"), forKey: "\(number)") }
            // The oldest two are used again, one through its URL. A look is no use.
            _ = try first.value(forKey: "0")
            _ = try first.url(forKey: "1")
            #expect(try first.contains("2"))
            let second = try container.cache(named: "c", limits: limits)
            for number in 10..<13 { try second.store(data("\(number)"), forKey: "\(number)") }
            let kept = try (0..<13).filter { try second.contains("\($0)") }
            #expect(kept == [0, 1, 5, 6, 7, 8, 9, 10, 11, 12])
        }
    }

    @Test("The size stays within the limit after each store, and an entry larger than it is removed at once")
    func size() async throws {
        try await withContainer { container async throws in
            let cache = try container.cache(named: "c", limits: .init(bytes: 1_000))
            let evictions = cache.evictions
            for number in 0..<50 {
                try cache.store(Data(count: 90), forKey: "\(number)")
                #expect(try cache.usage().bytes <= 1_000)
            }
            #expect(try cache.usage().entries >= 10 && cache.contains("49") && !cache.contains("0"))
            try cache.store(Data(count: 2_000), forKey: "large")
            #expect(try cache.usage().bytes <= 1_000 && !cache.contains("large"))
            var found = evictions.makeAsyncIterator()
            let eviction = await found.next()
            #expect(["0", "1"].contains(eviction?.key) && eviction?.bytes == 90 && eviction?.reason == .limit)
        }
    }

    @Test("Entries of another process are counted without being opened, and removed beyond the limit")
    func othersCount() throws {
        try withContainer { made throws in
            let opened = LockedValue(0)
            var calls = Syscalls.live
            calls.readAttribute = { file, path, name, buffer, size in
                opened.withLock { $0 += 1 }
                return Syscalls.live.readAttribute(file, path, name, buffer, size)
            }
            let container = try Container.open(made.location, bundleIdentifier: "com.example.app", calls: calls)
            let limits = FileCache.Limits(entries: 2_000)
            let caches = [
                try container.cache(named: "c", limits: limits), try made.cache(named: "c", limits: limits),
            ]
            for number in 0..<1_000 { try caches[1].store(Data(), forKey: "other \(number)") }
            try caches[0].store(Data(), forKey: "first")
            #expect(opened.withLock(\.self) >= 1_000)
            opened.withLock { $0 = 0 }
            for number in 0..<500 { try caches[0].store(Data(), forKey: "own \(number)") }
            #expect(opened.withLock(\.self) == 0)
            // Each finds those of the other after a sixteenth of the limit and 64 more.
            for number in 0..<1_000 {
                for (index, cache) in caches.enumerated() { try cache.store(Data(), forKey: "\(index) \(number)") }
                if number % 50 == 0 { #expect(try caches[0].usage().entries <= 2_000 + 2 * 190) }
            }
            #expect(try caches[0].contains("0 999") && !caches[0].contains("other 0"))
        }
    }

    @Test("An entry expires at its date, or by its age, and is then removed with its reason")
    func expiry() async throws {
        try await withContainer { container async throws in
            let cache = try container.cache(named: "c", limits: .init(age: .seconds(3_600), memory: 1 << 20))
            let evictions = cache.evictions
            try cache.store(data("x"), forKey: "past", expires: Date(timeIntervalSinceNow: -1))
            try cache.store(data("x"), forKey: "never", expires: .distantFuture)
            try cache.store(data("x"), forKey: "soon", expires: Date(timeIntervalSinceNow: 0.2))
            #expect(try cache.value(forKey: "past") == nil && !cache.contains("past"))
            #expect(try cache.value(forKey: "never") == data("x") && cache.value(forKey: "soon") == data("x"))
            try await Task.sleep(for: .milliseconds(250))
            #expect(try cache.value(forKey: "soon") == nil)
            try cache.trim()
            #expect(try cache.usage().entries == 1)
            let brief = try container.cache(named: "c", limits: .init(age: .milliseconds(1)))
            let others = brief.evictions
            #expect(try brief.value(forKey: "never") == nil)
            try brief.trim()
            var (first, second) = (evictions.makeAsyncIterator(), others.makeAsyncIterator())
            let expired = [await first.next(), await first.next()].compactMap { $0 }
            #expect(Set(expired.map(\.key)) == ["past", "soon"] && expired.allSatisfy { $0.reason == .expired })
            let old = await second.next()
            #expect(old?.key == "never" && old?.bytes == 1 && old?.reason == .age)
        }
    }

    @Test("A clock that is set back makes no entry old, and keeps the order of use")
    func clock() throws {
        try withContainer { container throws in
            let limits = FileCache.Limits(entries: 3, age: .seconds(86_400 * 365))
            let cache = try container.cache(named: "c", limits: limits)
            for key in ["a", "b", "c"] { try cache.store(data("x"), forKey: key) }
            // As if all had been stored and used before the clock was set back by ten years, in this order.
            let later = Timestamp.now.seconds + 86_400 * 3_650
            for (number, key) in ["a", "b", "c"].enumerated() {
                let time = Timestamp(seconds: later + Int64(number))
                let path = try container.relative(cache.directory / key)
                let file = try container.folder.open(path)
                try file.setAttribute(
                    "appcontainer.cache", value: Array("1 \(later * 1_000) -".utf8))
                try file.setTimes(accessed: time, modified: time)
            }
            let again = try container.cache(named: "c", limits: limits)
            #expect(try again.value(forKey: "a") == data("x"))
            try again.store(data("x"), forKey: "d")
            #expect(try ["a", "b", "c", "d"].filter { try again.contains($0) } == ["a", "c", "d"])
        }
    }

    // MARK: - Failures

    @Test("A file that a power loss has cut is no value, and the next store replaces it")
    func cutFile() throws {
        try withContainer { container throws in
            let cache = try container.cache(named: "c")
            try cache.store(data("a value"), forKey: "k")
            let path = try container.path(cache.directory / "k").string
            truncate(path, 3)
            #expect(try cache.value(forKey: "k") == nil && cache.url(forKey: "k") == nil && !cache.contains("k"))
            try cache.trim()
            #expect(try names(of: cache, in: container).isEmpty)
            try cache.store(data("new"), forKey: "k")
            #expect(try cache.value(forKey: "k") == data("new"))
        }
    }

    @Test("With a full disk the store fails, and the old value remains", arguments: [0, 1 << 20])
    func fullDisk(memory: Int) throws {
        try withContainer { made throws in
            var calls = Syscalls.live
            let isFull = LockedValue(false)
            calls.write = { file, bytes, count in
                isFull.withLock(\.self) ? -Int(Errno.noSpace.rawValue) : Syscalls.live.write(file, bytes, count)
            }
            let container = try Container.open(made.location, bundleIdentifier: nil, calls: calls)
            let cache = try container.cache(named: "c", limits: .init(memory: memory))
            try cache.store(data("old"), forKey: "k")
            isFull.withLock { $0 = true }
            let error = #expect(throws: ContainerError.self) { try cache.store(data("new"), forKey: "k") }
            #expect(error?.code == .noSpace)
            #expect(try cache.value(forKey: "k") == data("old"))
            #expect(try names(of: cache, in: container) == ["k"])
        }
    }

    @Test("A link, a pipe or another file in place of an entry is no value, and is replaced")
    func foreignFiles() throws {
        try withContainer { container throws in
            let cache = try container.cache(named: "c")
            try cache.store(data("x"), forKey: "k")
            let path = try container.path(cache.directory / "k").string
            for make in [
                { _ = symlink("/etc/passwd", path) }, { _ = mkfifo(path, 0o600) },
                { _ = symlink("/dev/zero", path) },
            ] {
                unlink(path)
                make()
                #expect(try cache.value(forKey: "k") == nil && cache.url(forKey: "k") == nil)
                try cache.store(data("new"), forKey: "k")
                #expect(try cache.value(forKey: "k") == data("new"))
            }
        }
    }

    @Test("Another object, as in another process, sees each change at once, also of values in memory")
    func severalObjects() throws {
        try withContainer { container throws in
            let caches = try (0..<2).map { _ in try container.cache(named: "c", limits: .init(memory: 1 << 20)) }
            for number in 0..<100 {
                let (one, other) = (caches[number % 2], caches[(number + 1) % 2])
                try one.store(data("\(number)"), forKey: "k")
                #expect(try other.value(forKey: "k") == data("\(number)"))
                #expect(try other.value(forKey: "k") == data("\(number)"))
            }
            try caches[0].remove("k")
            #expect(try caches[1].value(forKey: "k") == nil)
            try caches[1].store(data("x"), forKey: "k")
            try caches[0].removeAll()
            #expect(try caches[1].value(forKey: "k") == nil)
        }
    }

    @Test("A purge at any moment loses values, and causes no error and no wrong value")
    func purges() throws {
        try withContainer { container throws in
            let cache = try container.cache(named: "c", limits: .init(bytes: 20_000, memory: 5_000))
            let running = LockedValue(3)
            // The last one purges.
            DispatchQueue.concurrentPerform(iterations: 4) { worker in
                while worker == 3, running.withLock({ $0 > 0 }) {
                    let path = try? container.path(cache.directory).string
                    try? FileManager.default.removeItem(atPath: path ?? "")
                    usleep(2_000)
                }
                for number in 0..<(worker == 3 ? 0 : 300) {
                    let key = "\((number + worker * 7) % 40)"
                    let expected = Data(repeating: UInt8(key) ?? 0, count: 1_000)
                    #expect(throws: Never.self) {
                        if let value = try cache.value(forKey: key) { #expect(value == expected) }
                        try cache.store(expected, forKey: key)
                    }
                }
                running.withLock { $0 -= 1 }
            }
            try cache.store(data("x"), forKey: "last")
            #expect(try cache.value(forKey: "last") == data("x"))
        }
    }

    @Test(
        "Processes that are killed at any moment leave whole values within the limit, and no other files",
        .needs(.process))
    func killed() throws {
        try withContainer { container throws in
            let runs = ProcessInfo.processInfo.environment["CACHE_KILLS"].flatMap(Int.init) ?? 20
            for _ in 0..<runs {
                // Two at once, as an app and its extension.
                let started = try (0..<2).map { _ in
                    let (process, pipe) = (Process(), Pipe())
                    process.executableURL = URL(filePath: Command.probe)
                    process.arguments = ["cache", container.location.string]
                    process.standardOutput = pipe
                    try process.run()
                    return (process, pipe.fileHandleForReading)
                }
                for (_, output) in started { #expect(output.availableData == Data("begun\n".utf8)) }
                let end = ContinuousClock.now + .microseconds(Int.random(in: 0..<40_000))
                while ContinuousClock.now < end {}
                for (process, output) in started {
                    kill(process.processIdentifier, SIGKILL)
                    process.waitUntilExit()
                    #expect(try (output.readToEnd() ?? Data()).isEmpty)
                }
                let cache = try container.cache(named: "c", limits: .init(bytes: 400_000))
                for number in UInt8(0)..<100 {
                    let value = try cache.value(forKey: "\(number)")
                    #expect(value?.allSatisfy { $0 == number } ?? true)
                }
                // Two processes may exceed the limit by what each stores before it looks for entries of the other.
                #expect(try cache.usage().bytes < 1_600_000)
                try cache.trim()
                #expect(try cache.usage().bytes <= 400_000)
                #expect(try names(of: cache, in: container).allSatisfy { UInt8($0) != nil })
            }
        }
    }
}
