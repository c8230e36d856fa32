import AppContainer
import ContainerPreferences
import FaultedOperations
import FileSystem
import Foundation
import SystemPackage

/// `container-probe COMMAND CONTAINER [ARGUMENT…]`: runs an operation on a container in a process of its own, for tests
/// that trace it, kill it, or run it beside another.
@main
struct ContainerProbe {
    static func main() throws {
        let (command, path) = (CommandLine.arguments[1], FilePath(CommandLine.arguments[2]))
        let arguments = Array(CommandLine.arguments.dropFirst(3))
        switch command {
        case "home": try say(Container.home().bundleIdentifier ?? "none")
        case "log": try log(path, arguments[0], count: Int(arguments[1]) ?? 0, length: Int(arguments[2]) ?? 0)
        case "fill": try fill(path)
        case "once": try saveOnce(path)
        case "run": try run(arguments[0], path)
        case "import": try Container.open(path).importFile(at: URL(filePath: arguments[0]), to: .documents / "imported")
        case "import-moving":
            try Container.open(path).importFile(
                at: URL(filePath: arguments[0]), to: .documents / "imported", removingOriginal: true)
        case "save": try save(path, letter: arguments[0], count: Int(arguments[1]) ?? 0)
        case "terminate": try terminate(path, FilePath(arguments[0]))
        case "preferences": try setPreferences(path, prefix: arguments[0], count: Int(arguments[1]) ?? 0)
        case "count": try count(path, to: Int(arguments[0]) ?? 0)
        case "cache": try cache(path)
        case "take": try take(path, arguments[0])
        case "set": try set(path, Int(arguments[0]) ?? 0)
        case "flush-counters": try flushCounters(path, arguments[0], name: arguments[1])
        case "add-to-inbox": try addToInbox(path, arguments[0], prefix: arguments[1])
        case "finish-inbox": try finishInbox(path, arguments[0])
        case "store-downloads": try storeDownloads(path, from: arguments[0], first: Int(arguments[1]) ?? 0)
        default: throw Errno.invalidArgument
        }
    }

    private static let counter = Preferences.Key<Int>("counter", default: 0)

    /// Takes all files of an inbox, prints their number, and ends as if it were killed.
    private static func take(_ path: FilePath, _ directory: String) throws {
        let items = try Inbox(ContainerPath(directory), in: Container.open(path)).take()
        try say("\(items.count)")
        kill(getpid(), SIGKILL)
    }

    /// Stores values in a cache without end. The value of a key consists of copies of its number.
    private static func cache(_ path: FilePath) throws {
        let cache = try Container.open(path).cache(named: "c", limits: .init(bytes: 400_000))
        try say("begun")
        while true {
            let number = UInt8.random(in: 0..<100)
            let value = Data(repeating: number, count: Int.random(in: 0..<20_000))
            try cache.store(value, forKey: "\(number)")
            if let found = try cache.value(forKey: "\(UInt8.random(in: 0..<100))"),
                found.contains(where: { $0 != found[0] })
            {
                try say("torn")
            }
        }
    }

    /// Increments one key repeatedly.
    private static func count(_ path: FilePath, to count: Int) throws {
        let preferences = try Container.open(path).preferences()
        for _ in 0..<count {
            try preferences.change(durability: .none, waiting: .seconds(600)) { (edit) throws(PreferencesError) in
                try edit.set(edit.value(for: counter) + 1, for: counter)
            }
        }
    }

    /// Sets one key, and prints the time when it is visible, in nanoseconds of the monotonic clock.
    private static func set(_ path: FilePath, _ value: Int) throws {
        try Container.open(path).preferences().set(value, for: counter)
        try say("\(Host.uptime)")
    }

    /// Creates a container, excludes a file in it from backup and saves the file again.
    private static func saveOnce(_ path: FilePath) throws {
        let container = try Container.create(at: path, bundleIdentifier: "com.example.app")
        let place = ContainerPath.documents / "note.txt"
        try container.save("first", to: place)
        try container.excludeFromBackup(place)
        try container.save("second", to: place, options: .init(durability: .full))
    }

    /// Runs one of the operations for fault injection and reports its result.
    private static func run(_ name: String, _ path: FilePath) throws {
        guard let operation = FaultedOperation.all.first(where: { $0.description == name }) else {
            throw Errno.invalidArgument
        }
        do {
            try operation.run(Container.open(path, bundleIdentifier: "com.example.app"))
            try say("done")
        } catch { try say("\(error)") }
    }

    /// Saves one file repeatedly, each time with another number of copies of a letter.
    private static func save(_ path: FilePath, letter: String, count: Int) throws {
        let container = try Container.open(path)
        for number in 1...max(1, count) {
            try container.save(
                String(repeating: letter, count: number * 10), to: .documents / "shared",
                options: .init(durability: .none))
        }
    }

    /// Adds lines of `length` bytes to a log, flushes each one and prints its name.
    private static func log(_ path: FilePath, _ name: String, count: Int, length: Int) throws {
        let log = try Container.open(path).appender(to: .library / "Logs/app.log")
        for number in 0..<count {
            let start = "\(name)-\(number) "
            try log.append(start + String(repeating: "x", count: max(0, length - start.utf8.count - 1)) + ".")
            try log.flush()
            try say("\(name)-\(number)")
        }
    }

    /// Adds lines to a log until the disk is full, frees space, and adds the remaining lines.
    private static func fill(_ path: FilePath) throws {
        let container = try Container.open(path)
        try container.save(Data(count: 200_000), to: .documents / "ballast")
        let log = try container.appender(to: .library / "Logs/app.log")
        let line = String(repeating: "x", count: 700)
        do throws(ContainerError) {
            while true {
                for _ in 0..<20 { try log.append(line) }
                try log.flush()
            }
        } catch { try say("\(error.code)") }
        try container.remove(.documents / "ballast")
        try log.flush()
        try say("saved after space was freed")
    }

    /// Sets keys to their numbers, one save per key, and prints each key when its save has returned.
    private static func setPreferences(_ path: FilePath, prefix: String, count: Int) throws {
        let preferences = try Container.open(path).preferences()
        for number in 0..<count {
            let key = "\(prefix)-\(number)"
            try preferences.set(number, forKey: key)
            try say(key)
        }
    }

    /// Creates a temporary file with the same name in two directories, completes the first, and ends as after a signal.
    private static func terminate(_ first: FilePath, _ second: FilePath) throws {
        TemporaryFileRegistry.enable()
        let folders = [try Folder(opening: first), try Folder(opening: second)]
        for folder in folders {
            try TemporaryFileRegistry.createFile("1", in: folder, permissions: 0o600).write(Array("content".utf8))
        }
        TemporaryFileRegistry.unregister("1", in: folders[0])
        try TemporaryFileRegistry.createTree("tree", in: folders[1], permissions: 0o700)
        let tree = try folders[1].openFolder("tree")
        try tree.createDirectories(FilePath(String(repeating: "a/", count: 300) + "b"))
        _ = try tree.createFile("a/file", permissions: 0o600)
        TemporaryFileRegistry.removeAll { _ in exit(7) }
    }

    /// One unbuffered write per line, so that printed keys were saved when this process is killed.
    static func say(_ line: String) throws {
        _ = try FileDescriptor.standardOutput.writeAll(Array("\(line)\n".utf8))
    }
}
