import AppContainer
import ContainerPreferences
import FaultedOperations
import SystemPackage

/// `container-probe COMMAND CONTAINER [ARGUMENT…]`: does one thing with a container in a process of its own, for tests
/// to trace, to kill, or to run beside another.
@main
struct ContainerProbe {
    static func main() throws {
        let (command, path) = (CommandLine.arguments[1], FilePath(CommandLine.arguments[2]))
        let arguments = Array(CommandLine.arguments.dropFirst(3))
        switch command {
        case "once": try saveOnce(path)
        case "run": try run(arguments[0], path)
        case "save": try save(path, letter: arguments[0], count: Int(arguments[1]) ?? 0)
        case "preferences": try setPreferences(path, prefix: arguments[0], count: Int(arguments[1]) ?? 0)
        default: throw Errno.invalidArgument
        }
    }

    /// Makes a container, flags a file in it and saves that once more.
    private static func saveOnce(_ path: FilePath) throws {
        let container = try Container.create(at: path, bundleIdentifier: "com.example.app")
        let place = try ContainerPath.documents("note.txt")
        try container.save("first", to: place)
        try container.excludeFromBackup(place)
        try container.save("second", to: place, durability: .full)
    }

    /// Runs one of the operations that faults are tried on, and says how it ended.
    private static func run(_ name: String, _ path: FilePath) throws {
        guard let operation = FaultedOperation.all.first(where: { $0.description == name }) else {
            throw Errno.invalidArgument
        }
        do {
            try operation.run(Container.open(path, bundleIdentifier: "com.example.app"))
            try say("done")
        } catch { try say("\(error)") }
    }

    /// Saves one file again and again, each time with another number of one letter.
    private static func save(_ path: FilePath, letter: String, count: Int) throws {
        let container = try Container.open(path)
        for number in 1...max(1, count) {
            try container.save(
                String(repeating: letter, count: number * 10), to: .documents("shared"), durability: .none)
        }
    }

    /// Sets keys, each to its number, one save a key, and says each key when its save has returned.
    private static func setPreferences(_ path: FilePath, prefix: String, count: Int) throws {
        let preferences = try Container.open(path).preferences()
        for number in 0..<count {
            let key = "\(prefix)-\(number)"
            try preferences.set(number, forKey: key)
            try say(key)
        }
    }

    /// One write a line, past every buffer: what was said was done, whenever this process is killed.
    private static func say(_ line: String) throws {
        _ = try FileDescriptor.standardOutput.writeAll(Array("\(line)\n".utf8))
    }
}
