import AppContainer
import ContainerPreferences
import Foundation
import Synchronization
import SystemPackage

extension Preferences.Keys {
    static let volume = Preferences.Key<Int>("volume", default: 5)
    static let other = Preferences.Key<Int>("other", default: 0)
}

/// `preference-bench WAY … CONTAINER`: reads of preferences and what they are measured against.
///
///     preference-bench write CONTAINER        sets one key for ever, and prints “ready” after the first time
///     preference-bench read COUNT CONTAINER   prints nanoseconds a read: of a locked dictionary, a typed read that can
///                                             throw, one that cannot, and a read by name
@main
struct PreferenceBench {
    static func main() {
        do { try run(Array(CommandLine.arguments.dropFirst())) } catch {
            FileHandle.standardError.write(Data("preference-bench: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        guard let way = arguments.first, let path = arguments.last, let container = try? Container.open(FilePath(path))
        else { throw Errno.invalidArgument }
        let preferences = try container.preferences(suite: "bench")
        switch (way, arguments.count) {
        case ("write", 2): try write(preferences)
        case ("read", 3): try read(preferences, Int(arguments[1]) ?? 0)
        default: throw Errno.invalidArgument
        }
    }

    private static func write(_ preferences: Preferences) throws {
        for number in 0... {
            try preferences.set(number, for: .other, durability: .none)
            if number == 0 { FileHandle.standardOutput.write(Data("ready\n".utf8)) }
        }
    }

    /// A dictionary like the one of a file with 20 keys.
    private static let locked = Mutex(
        Dictionary(uniqueKeysWithValues: (["volume"] + (1..<20).map { "key-\($0)" }).map { ($0, 7) }))

    @inline(never)
    private static func lookUp(_ key: String) -> Int? { locked.withLock { $0[key] } }

    private static func read(_ preferences: Preferences, _ count: Int) throws {
        try preferences.change { edit in
            edit.set(7, forKey: "volume")
            for number in 1..<19 { edit.set(number, forKey: "key-\(number)") }
        }
        let key = "volume"
        var lines: [String] = []
        for way in ["dictionary", "value", "subscript", "name"] {
            let clock = ContinuousClock()
            var sum = 0
            let start = clock.now
            switch way {
            case "dictionary": for _ in 0..<count { sum &+= lookUp(key) ?? 0 }
            case "value": for _ in 0..<count { sum &+= try preferences.value(for: .volume) }
            case "subscript": for _ in 0..<count { sum &+= preferences[.volume] }
            default: for _ in 0..<count { sum &+= try preferences.integer(forKey: key) }
            }
            let nanoseconds = Double((clock.now - start).components.attoseconds) / 1e9 / Double(count)
            guard sum == 7 * count else { throw Errno.ioError }
            lines.append("\(way) \(nanoseconds)")
        }
        print(lines.joined(separator: "\n"))
    }
}
