import AppContainer
import Foundation
import SystemPackage

/// `save-bench WAY … CONTAINER`: saves in the given way, and prints the nanoseconds per save for many saves.
///
///     save-bench one none|file|full COUNT CONTAINER     4 KiB as Documents/0, Documents/1, …, each once
///     save-bench batch COUNT CONTAINER                  the same, as one batch
///     save-bench foundation COUNT CONTAINER             the same, by Data.write(.atomic)
///     save-bench append COUNT CONTAINER                 lines of 100 bytes to Documents/log, each flushed
///     save-bench stream BYTES CONTAINER                 zeros as Documents/film, by a writer
///     save-bench open CONTAINER                         nothing: measures the program itself
@main
struct SaveBench {
    static func main() {
        do { try run(Array(CommandLine.arguments.dropFirst())) } catch {
            FileHandle.standardError.write(Data("save-bench: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        guard let way = arguments.first, let path = arguments.last, let container = try? Container.open(FilePath(path))
        else { throw Errno.invalidArgument }
        let count = arguments.dropLast().last.flatMap { Int($0) } ?? 0
        switch (way, arguments.count) {
        case ("one", 4): try one(durability(arguments[1]), count, container)
        case ("batch", 3): try batch(count, container)
        case ("foundation", 3): try foundation(count, path)
        case ("append", 3): try append(count, container)
        case ("stream", 3): try stream(count, container)
        case ("open", 2): break
        default: throw Errno.invalidArgument
        }
    }

    private static let content = Data(repeating: UInt8(ascii: "n"), count: 4096)

    private static func one(_ durability: Durability, _ count: Int, _ container: Container) throws {
        try time(count) {
            for number in 0..<count {
                try container.save(content, to: .documents / "\(number)", options: .init(durability: durability))
            }
        }
    }

    private static func batch(_ count: Int, _ container: Container) throws {
        try time(count) {
            try container.batch { batch in
                for number in 0..<count { try batch.save(content, to: .documents / "\(number)") }
            }
        }
    }

    private static func foundation(_ count: Int, _ path: String) throws {
        let folder = URL(filePath: path, directoryHint: .isDirectory).appending(path: "Documents")
        try time(count) {
            for number in 0..<count { try content.write(to: folder.appending(path: "\(number)"), options: .atomic) }
        }
    }

    private static func append(_ count: Int, _ container: Container) throws {
        let line = Data(repeating: UInt8(ascii: "n"), count: 99) + Data("\n".utf8)
        let log = try container.appender(to: .documents / "log")
        try time(count) {
            for _ in 0..<count {
                try log.append(line)
                try log.flush()
            }
        }
    }

    /// Reads zeros from the same device as `dd`, in pieces of the same size.
    private static func stream(_ bytes: Int, _ container: Container) throws {
        let zeros = try FileDescriptor.open("/dev/zero", .readOnly)
        defer { try? zeros.close() }
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        let writer = try container.writer(to: .documents / "film")
        for _ in 0..<(bytes >> 20) {
            guard try piece.withUnsafeMutableBytes({ try zeros.read(into: $0) }) == piece.count else {
                throw Errno.ioError
            }
            try writer.write(piece)
        }
        try writer.finish()
    }

    private static func durability(_ word: String) throws -> Durability {
        switch word {
        case "none": .none
        case "file": .file
        case "full": .full
        default: throw Errno.invalidArgument
        }
    }

    private static func time(_ count: Int, _ saves: () throws -> Void) throws {
        guard count > 0 else { throw Errno.invalidArgument }
        let took = try ContinuousClock().measure(saves)
        print(took / .nanoseconds(count))
    }
}
