import AppContainer
import Foundation
import TestSupport
import Testing

/// 2,000 small entries. `scripts/stress cache-entries` stores a million.
@Suite("A cache of many entries", .timeLimit(.minutes(60))) struct ManyEntriesTests {
    private static let full = ProcessInfo.processInfo.environment["CACHE_ENTRIES"].flatMap(Int.init)
    private static let count = max(200, full ?? 2_000)

    /// The maximum resident memory of this process in KiB, on Linux.
    private static var peakMemory: Int? {
        guard Platform.isLinux, let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
            return nil
        }
        return status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }.flatMap { line in
            Int(line.filter(\.isWholeNumber))
        }
    }

    private func median(_ times: some Collection<Duration>) -> Duration { times.sorted()[times.count / 2] }

    @Test("A store takes as long with many entries as with few, and the number stays within the limit")
    func stores() throws {
        try withContainer { container throws in
            let count = Self.count
            let cache = try container.cache(named: "c", limits: .init(bytes: 1 << 40, entries: count))
            let (clock, memory) = (ContinuousClock(), Self.peakMemory ?? 0)
            var times: [Duration] = []
            times.reserveCapacity(count)
            let stores = try clock.measure {
                for number in 0..<count {
                    let value = Data("\(number)".utf8)
                    times.append(try clock.measure { try cache.store(value, forKey: "key \(number)") })
                }
            }
            var usage = try cache.usage()
            let usageTime = try clock.measure { usage = try cache.usage() }
            #expect(usage.entries == count)
            #expect(usage.bytes == (0..<count).reduce(0) { $0 + UInt64(String($1).utf8.count) })
            // Beyond the limit: the first store frees a sixteenth of it, and later ones fill that again.
            var trim = Duration.zero
            for number in count..<(count + 100) {
                trim = max(trim, try clock.measure { try cache.store(Data("x".utf8), forKey: "key \(number)") })
            }
            #expect(try cache.usage().entries <= count)
            #expect(try cache.contains("key \(count + 99)") && !cache.contains("key 0"))
            #expect(try cache.value(forKey: "key \(count - 1)") == Data("\(count - 1)".utf8))
            // The mean of a span contains the looks for entries of other processes, which the median leaves out.
            let part = count / 100
            let (early, late) = (median(times[part..<(2 * part)]), median(times.suffix(part)))
            #expect(late < early * 20)
            guard Self.full != nil else { return }
            let peak = Self.peakMemory ?? 0
            print(
                "\(count) stores: \(stores); median early \(early), late \(late), ratio \(late / early); longest store "
                    + "\(times.max() ?? .zero); trim \(trim); usage \(usageTime); peak memory \(memory) KiB before, "
                    + "\(peak) KiB after")
            #expect(peak - memory < 512 << 10)
        }
    }
}
