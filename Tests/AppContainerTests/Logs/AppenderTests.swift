import AppContainer
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Appender", .timeLimit(.minutes(60))) struct AppenderTests {
    private let place = ContainerPath.library / "Logs/app.log"

    /// Appends bytes as another program does, or as an interrupted write leaves them.
    private func add(_ text: String, _ container: Container) throws {
        let file = try FileDescriptor.open(container.path(place), .writeOnly, options: .append)
        try file.closeAfter { _ = try file.writeAll(Array(text.utf8)) }
    }

    @Test("Lines are in the file after a flush, and not before")
    func lines() throws {
        try withContainer { container throws in
            let log = try container.appender(to: place)
            #expect(try container.load(place).isEmpty)
            try log.append("started")
            try log.append("with a line end\n")
            try log.append("two\nlines")
            try log.append(Data([0xff, 0x0a]))
            #expect(try container.load(place).isEmpty)
            try log.flush()
            let expected = Data("started\nwith a line end\ntwo\nlines\n".utf8) + [0xff, 0x0a]
            #expect(try container.load(place) == expected)
            try log.flush()
            #expect(try container.load(place) == expected)
            let again = try container.appender(to: place)
            try again.append("")
            try again.flush()
            #expect(try container.load(place) == expected + [0x0a])
        }
    }

    @Test("A file is changed in place, keeps its exclusion, and gets the lines of a released appender")
    func inPlace() throws {
        try withContainer { container throws in
            try container.save("first\n", to: place, options: .init(permissions: .ownerReadWrite))
            try container.excludeFromBackup(place)
            let inode = try container.folder.status("Library/Logs/app.log").identity.inode
            var log: Appender? = try container.appender(to: place)
            try log?.append("second")
            log = nil
            #expect(try container.loadText(place) == "first\nsecond\n")
            #expect(try container.folder.status("Library/Logs/app.log").identity.inode == inode)
            let found = try container.attributes(of: place)
            #expect(found.exclusion.state == .excluded && found.permissions == .ownerReadWrite)
            let new = ContainerPath.library / "Logs/private.log"
            try container.appender(to: new, options: .init(permissions: .ownerReadWrite)).append("x")
            #expect(try container.attributes(of: new).permissions == .ownerReadWrite)
        }
    }

    @Test("A torn last line of an appender is removed, and one that another program wrote is kept and ended")
    func torn() throws {
        try withContainer { container throws in
            let log = try container.appender(to: place)
            try log.append("whole")
            try log.flush()
            try add("torn \(String(repeating: "x", count: 200_000))", container)
            try log.append("next")
            try log.flush()
            #expect(try container.loadText(place) == "whole\nnext\n")
            try add("torn", container)
            _ = try container.appender(to: place)
            #expect(try container.loadText(place) == "whole\nnext\n", "also when it is opened")

            try container.save("not a log of an appender", to: place)
            let other = try container.appender(to: place)
            try other.append("next")
            try other.flush()
            #expect(try container.loadText(place) == "not a log of an appender\nnext\n")

            // A copy of a log has the attribute of another file.
            try container.copy(place, to: .library / "Logs/copy.log")
            try container.move(.library / "Logs/copy.log", to: place, overwrite: .replace)
            try add("kept", container)
            _ = try container.appender(to: place)
            #expect(try container.loadText(place).hasSuffix("next\nkept\n"))

            // Longer than any line of an appender.
            let long = String(repeating: "y", count: Appender.maximumLineLength + 1)
            try add(long, container)
            _ = try container.appender(to: place)
            #expect(try container.loadText(place).hasSuffix("kept\n\(long)\n"))
        }
    }

    @Test("A log that is replaced, removed or moved away is continued at its path")
    func replaced() throws {
        try withContainer { container throws in
            let log = try container.appender(to: place)
            try log.append("1")
            try log.flush()
            try container.save("saved\n", to: place)
            try log.append("2")
            try log.flush()
            #expect(try container.loadText(place) == "saved\n2\n")
            try container.remove(.library / "Logs")
            try log.append("3")
            try log.flush()
            #expect(try container.loadText(place) == "3\n")
            try container.move(place, to: .library / "Logs/old.log")
            try log.append("4")
            try log.flush()
            #expect(try container.loadText(place) == "4\n")
            #expect(try container.loadText(.library / "Logs/old.log") == "3\n")
        }
    }

    @Test("A log that reaches its maximum size is renamed, and nothing is lost")
    func rotation() throws {
        try withContainer { container throws in
            let logs = try (0..<2).map { _ in try container.appender(to: place, rotation: .init(maximumSize: 100)) }
            for number in 0..<20 {
                try logs[number % 2].append("line \(number) of eighteen")
                try logs[number % 2].flush()
            }
            let old = try container.loadText(.library / "Logs/app.log.1")
            let new = try container.loadText(place)
            #expect(old.utf8.count <= 100 && new.utf8.count <= 100)
            let lines = (old + new).split(separator: "\n")
            #expect(lines == (20 - lines.count..<20).map { "line \($0) of eighteen" } && lines.count > 4)
            #expect(try container.list(.library / "Logs").count == 2)
        }
    }

    @Test("Many lines are written without a flush, and a text that is too long is refused")
    func bounds() throws {
        try withContainer { container throws in
            let log = try container.appender(to: place)
            for number in 0..<20_000 { try log.append("line \(number)") }
            #expect(try container.load(place).count > 100_000)
            let error = #expect(throws: ContainerError.self) {
                try log.append(Data(count: Appender.maximumLineLength + 1))
            }
            #expect(error?.code == .tooLarge)
            try log.append(Data(count: Appender.maximumLineLength))
            try log.flush()
            #expect(try container.loadText(place).split(separator: "\n").count == 20_001)
        }
    }

    @Test("A directory, a link and a path outside are refused", arguments: ["directory", "link", "../../x", "a/"])
    func refused(name: String) throws {
        try withContainer { container throws in
            try container.createDirectory(.documents / "directory")
            try FileManager.default.createSymbolicLink(
                atPath: container.path(.documents / "link").string, withDestinationPath: "target")
            let error = #expect(throws: ContainerError.self) { try container.appender(to: .documents / name) }
            #expect([.notAFile, .leavesContainer, .invalidPath].contains(error?.code))
            #expect(try container.list(.documents).count == 2)
        }
    }

    @Test("A failed flush keeps the lines, and the next one adds them once", arguments: [Errno.noSpace, .ioError])
    func failures(errno: Errno) throws {
        try withContainer { made throws in
            let failing = Failures()
            var calls = Syscalls.live
            calls.write = { descriptor, bytes, count in
                // A part is written before the failure, as on a full disk.
                guard let left = failing.next() else { return Syscalls.live.write(descriptor, bytes, count) }
                return left == 1 ? Syscalls.live.write(descriptor, bytes, count / 2) : -Int(errno.rawValue)
            }
            let container = try Container.open(made.location, bundleIdentifier: nil, calls: calls)
            let log = try container.appender(to: place)
            try log.append("before")
            try log.flush()
            try log.append("a line that is written in part")
            failing.arm()
            let error = #expect(throws: ContainerError.self) { try log.flush() }
            #expect(error?.code == (errno == .noSpace ? .noSpace : .failed))
            #expect(error?.description.contains("the lines remain for the next flush") == true)
            #expect(try made.loadText(place) == "before\n")
            try log.append("after")
            try log.flush()
            #expect(try made.loadText(place) == "before\na line that is written in part\nafter\n")
        }
    }

    @Test("A flush that cannot reach the disk is reported, and its lines are not added twice")
    func unsettled() throws {
        try withContainer { made throws in
            let failing = Failures()
            var calls = Syscalls.live
            calls.syncData = { failing.next() != nil ? -Errno.ioError.rawValue : Syscalls.live.syncData($0) }
            let log = try Container.open(made.location, bundleIdentifier: nil, calls: calls).appender(to: place)
            try log.append("1")
            failing.arm()
            let error = #expect(throws: ContainerError.self) { try log.flush() }
            #expect(error?.code == .durabilityUnknown)
            failing.disarm()
            try log.append("2")
            try log.flush()
            #expect(try made.loadText(place) == "1\n2\n")
        }
    }

    @Test("Lines of a log are an asynchronous sequence")
    func lines() async throws {
        try await withContainer { container async throws in
            let log = try container.appender(to: place)
            try log.append("1")
            try log.append(Data("2".utf8))
            try log.flush()
            var lines: [String] = []
            for try await line in try container.reader(of: place).lines { lines.append(line) }
            #expect(lines == ["1", "2"])
        }
    }
}

/// A switch for injected failures, of which there are two per `arm`.
private final class Failures: Sendable {
    private let left = LockedValue(0)

    func arm() { left.withLock { $0 = 1 } }
    func disarm() { left.withLock { $0 = 0 } }
    /// Returns 1 for the first call after `arm`, 2 for the second, and nil otherwise.
    func next() -> Int? {
        left.withLock { left in
            guard left > 0 else { return nil }
            defer { left = left == 2 ? 0 : left + 1 }
            return left
        }
    }
}
