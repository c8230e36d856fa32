import AppContainer
import Foundation
import SystemPackage

/// `cache-bench WAY … CONTAINER`: reads of a cache and lists of a directory, whose nanoseconds per file it prints.
///
///     cache-bench fill COUNT CONTAINER    stores COUNT values of 4 KiB in the cache “bench”
///     cache-bench read CONTAINER          reads all of them
///     cache-bench memory CONTAINER        reads all of them from memory
///     cache-bench list CONTAINER          lists Documents with attributes
///     cache-bench usage CONTAINER         sums the sizes of the container
@main
struct CacheBench {
    static func main() {
        do { try run(Array(CommandLine.arguments.dropFirst())) } catch {
            FileHandle.standardError.write(Data("cache-bench: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        guard let way = arguments.first, let path = arguments.last,
            let container = try? Container.open(FilePath(path), bundleIdentifier: "com.example.app")
        else { throw Errno.invalidArgument }
        let isInMemory = way == "memory"
        let cache = try container.cache(
            named: "bench", limits: .init(bytes: 1 << 30, memory: isInMemory ? 1 << 30 : 0))
        switch way {
        case "fill":
            for number in 0..<(Int(arguments[1]) ?? 0) {
                try cache.store(Data(count: 4_096), forKey: "entry-\(number)")
            }
        case "read", "memory":
            let keys = (0..<(try cache.usage().entries)).map { "entry-\($0)" }
            if isInMemory { for key in keys { _ = try cache.value(forKey: key) } }
            var bytes = 0
            let start = ContinuousClock.now
            for key in keys { bytes += try cache.value(forKey: key)?.count ?? 0 }
            try report(start, count: keys.count)
            guard bytes == keys.count * 4_096 else { throw Errno.ioError }
        case "list":
            let start = ContinuousClock.now
            let items = try container.items(in: .documents)
            try report(start, count: items.count)
        case "usage":
            let start = ContinuousClock.now
            let usage = try container.usage()
            try report(start, count: Int(usage.all.items))
        default: throw Errno.invalidArgument
        }
    }

    private static func report(_ start: ContinuousClock.Instant, count: Int) throws {
        let nanoseconds = (ContinuousClock.now - start) / .nanoseconds(1)
        print(Int(nanoseconds / Double(max(1, count))))
    }
}
