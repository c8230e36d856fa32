import AppContainer
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Fetches of a cache", .timeLimit(.minutes(60))) struct CacheFetchTests {
    private struct NoNetwork: Error {}

    /// The number of fetches that have begun.
    private final class Count: Sendable {
        private let number = LockedValue(0)
        var value: Int { number.withLock(\.self) }
        func add() { number.withLock { $0 += 1 } }
    }

    @Test("Many who ask for a key at once wait for one fetch, and later ones read its value", arguments: [0, 1 << 20])
    func many(memory: Int) async throws {
        try await withContainer { container async throws in
            let cache = try container.cache(named: "c", limits: .init(memory: memory))
            let count = Count()
            let values = try await withThrowingTaskGroup(of: Data.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        try await cache.value(forKey: "k") {
                            count.add()
                            try await Task.sleep(for: .milliseconds(50))
                            return Data("fetched".utf8)
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(values == Array(repeating: Data("fetched".utf8), count: 100) && count.value == 1)
            #expect(try cache.value(forKey: "k") == Data("fetched".utf8))
            _ = try await cache.value(forKey: "k") { throw NoNetwork() }
        }
    }

    @Test("A fetch that fails fails for all who wait, stores nothing, and is repeated by the next one")
    func failing() async throws {
        try await withContainer { container async throws in
            let cache = try container.cache(named: "c")
            let count = Count()
            let failures = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        do {
                            _ = try await cache.value(forKey: "k") {
                                count.add()
                                try await Task.sleep(for: .milliseconds(50))
                                throw NoNetwork()
                            }
                            return false
                        } catch { return error is NoNetwork }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(failures == 20 && count.value == 1)
            #expect(try !cache.contains("k"))
            #expect(try await cache.value(forKey: "k") { Data("x".utf8) } == Data("x".utf8))
        }
    }

    @Test("Who is cancelled stops waiting for a fetch that never ends, and the fetch ends when no one waits")
    func endless() async throws {
        try await withContainer { container async throws in
            let cache = try container.cache(named: "c")
            let (begun, cancelled) = (Count(), Count())
            let askers = (0..<3).map { _ in
                Task {
                    try await cache.value(forKey: "k") {
                        begun.add()
                        do { try await Task.sleep(for: .seconds(3_600)) } catch {
                            cancelled.add()
                            throw error
                        }
                        return Data()
                    }
                }
            }
            while begun.value == 0 { await Task.yield() }
            askers[0].cancel()
            await #expect(throws: CancellationError.self) { try await askers[0].value }
            #expect(cancelled.value == 0)
            for asker in askers.dropFirst() {
                asker.cancel()
                await #expect(throws: CancellationError.self) { try await asker.value }
            }
            while cancelled.value == 0 { await Task.yield() }
            #expect(begun.value == 1)
            // Others fetch anew.
            #expect(try await cache.value(forKey: "k") { Data("x".utf8) } == Data("x".utf8))
        }
    }

    @Test("A fetched value expires after its lifetime, and one that cannot be stored is returned")
    func lifetime() async throws {
        try await withContainer { made async throws in
            var calls = Syscalls.live
            let isFull = LockedValue(false)
            calls.write = { file, bytes, count in
                isFull.withLock(\.self) ? -Int(Errno.noSpace.rawValue) : Syscalls.live.write(file, bytes, count)
            }
            let container = try Container.open(made.location, bundleIdentifier: nil, calls: calls)
            let cache = try container.cache(named: "c")
            let count = Count()
            for _ in 0..<2 {
                _ = try await cache.value(forKey: "k", lifetime: .milliseconds(1)) {
                    count.add()
                    return Data("x".utf8)
                }
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(count.value == 2)
            isFull.withLock { $0 = true }
            #expect(try await cache.value(forKey: "n") { Data("x".utf8) } == Data("x".utf8))
            #expect(try !cache.contains("n"))
        }
    }
}
