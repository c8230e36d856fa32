import AppContainer
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Appender, other programs and failures", .timeLimit(.minutes(60))) struct AppenderFileTests {
    private let logs = ContainerPath.library / "Logs"
    private var place: ContainerPath { logs / "app.log" }

    /// Opens the container with other system calls.
    private func open(_ made: Container, _ calls: Syscalls) throws -> Container {
        try Container.open(made.location, bundleIdentifier: nil, calls: calls)
    }

    @Test("A torn line of the maximum length is removed")
    func longestTornLine() throws {
        try withContainer { container throws in
            let log = try container.appender(to: place)
            try log.append("whole")
            try log.flush()
            let file = try FileDescriptor.open(container.path(place), .writeOnly, options: .append)
            try file.closeAfter {
                _ = try file.writeAll([UInt8](repeating: 0x79, count: Appender.maximumLineLength))
            }
            try log.append("next")
            try log.flush()
            #expect(try container.loadText(place) == "whole\nnext\n")
        }
    }

    @Test("The last line of a saved file is kept, also if the file system gives it the number of the log")
    func savedFile() throws {
        try withContainer { container throws in
            for _ in 0..<5 {
                _ = try container.appender(to: place)
                try container.save("first", to: place)
                try container.save("without a line end", to: place)
                _ = try container.appender(to: place)
                #expect(try container.loadText(place) == "without a line end\n")
            }
        }
    }

    @Test("A log whose directory is moved away is continued at its path")
    func movedDirectory() throws {
        try withContainer { container throws in
            let log = try container.appender(to: place)
            try log.append("1")
            try log.flush()
            try container.move(logs, to: .temporary / "away")
            try log.append("2")
            try log.flush()
            #expect(try container.loadText(place) == "2\n")
            #expect(try container.loadText(.temporary / "away/app.log") == "1\n")
        }
    }

    @Test(
        "A log is rotated under a name of the maximum length, also between the bytes of a character",
        arguments: 252...255)
    func longNames(length: Int) throws {
        try withContainer { container throws in
            for first in ["", "a"] {
                var name = first + String(repeating: "é", count: 127)
                while name.utf8.count > length { name.removeLast() }
                while name.utf8.count < length { name.append("x") }
                let log = try container.appender(to: logs / name, rotation: .init(maximumSize: 4))
                for line in ["one", "two", "three"] {
                    try log.append(line)
                    try log.flush()
                }
                #expect(try container.loadText(logs / name) == "three\n")
                let others = try container.list(logs).map(\.name).filter { $0 != name }
                #expect(others.count == 1 && others[0].hasSuffix(".1") && others[0].hasPrefix(name.prefix(120)))
                #expect(try container.loadText(logs / others[0]) == "two\n")
                try container.removeAll(in: logs)
            }
        }
    }

    @Test("A new log after a rotation has the backup exclusion and the mode of the old one")
    func rotationKeepsMetadata() throws {
        try withContainer { container throws in
            try container.save("first\n", to: place, options: .init(permissions: .ownerReadWrite))
            try container.excludeFromBackup(place)
            let log = try container.appender(to: place, rotation: .init(maximumSize: 10))
            for number in 0..<4 {
                try log.append("line \(number)")
                try log.flush()
                let found = try container.attributes(of: place)
                #expect(found.exclusion.state == .excluded && found.permissions == .ownerReadWrite)
            }
            #expect(try container.loadText(logs / "app.log.1") == "line 2\n")
            // A crash between the two renames leaves only the old log.
            try container.remove(place)
            try log.append("again")
            try log.flush()
            let found = try container.attributes(of: place)
            #expect(found.exclusion.state == .excluded && found.permissions == .ownerReadWrite)
            #expect(try container.list(logs).map(\.name) == ["app.log", "app.log.1"])
        }
    }

    @Test("A log that another process creates during a rotation gets the lines of both")
    func createdDuringRotation() throws {
        try withContainer { made throws in
            let other = LockedValue<Appender?>(nil)
            var calls = Syscalls.live
            calls.rename = { from, name, to, newName in
                let result = Syscalls.live.rename(from, name, to, newName)
                if String(cString: newName).hasSuffix(".1") {
                    let log = try? made.appender(to: place)
                    try? log?.append("of the other")
                    try? log?.flush()
                    other.withLock { $0 = log }
                }
                return result
            }
            let log = try open(made, calls).appender(to: place, rotation: .init(maximumSize: 15))
            for number in 0..<2 {
                try log.append("my line \(number)")
                try log.flush()
            }
            #expect(try made.loadText(place) == "of the other\nmy line 1\n")
            #expect(try made.loadText(logs / "app.log.1") == "my line 0\n")
        }
    }

    @Test("A log that is renamed while it is opened is created again")
    func renamedWhileOpened() throws {
        try withContainer { made throws in
            _ = try made.appender(to: place)
            let path = try made.path(place).string
            let isArmed = AtomicFlag(true)
            var calls = Syscalls.live
            calls.openBeneath = { folder, name, how, mode in
                if String(cString: name).hasSuffix("app.log"), isArmed.exchange(false) {
                    rename(path, path + ".1")
                }
                return Syscalls.live.openBeneath(folder, name, how, mode)
            }
            calls.open = { folder, name, how, mode in
                if String(cString: name).hasSuffix("app.log"), isArmed.exchange(false) {
                    rename(path, path + ".1")
                }
                return Syscalls.live.open(folder, name, how, mode)
            }
            let log = try open(made, calls).appender(to: place)
            try log.append("1")
            try log.flush()
            let wasRenamed = !isArmed.value
            #expect(wasRenamed)
            #expect(try made.loadText(place) == "1\n")
        }
    }

    @Test("A log that another process has locked is reported as locked, with its path, and keeps the lines")
    func locked() throws {
        try withContainer { container throws in
            let log = try container.appender(to: place)
            let file = try container.folder.open("Library/Logs/app.log")
            try #require(file.tryLock())
            try log.append("1")
            let error = #expect(throws: ContainerError.self) { try log.flush() }
            #expect(error?.code == .locked && error?.path == "Library/Logs/app.log")
            #expect(error?.description.contains("remain for the next flush") == true)
            file.unlock()
            try log.flush()
            #expect(try container.loadText(place) == "1\n")
        }
    }

    @Test("A failure behind the lock releases it and names the path of the log")
    func failureBehindTheLock() throws {
        try withContainer { made throws in
            let isArmed = AtomicFlag(false)
            let isLocked = AtomicFlag(false)
            var calls = Syscalls.live
            calls.lock = { descriptor, isExclusive in
                isLocked.set(isArmed.value)
                return Syscalls.live.lock(descriptor, isExclusive)
            }
            calls.status = { folder, name, status in
                isLocked.value
                    ? -Errno.ioError.rawValue : Syscalls.live.status(folder, name, status)
            }
            let log = try open(made, calls).appender(to: place)
            try log.append("1")
            isArmed.set(true)
            let error = #expect(throws: ContainerError.self) { try log.flush() }
            #expect(error?.code == .failed && error?.path == "Library/Logs/app.log")
            #expect(try made.folder.open("Library/Logs/app.log").tryLock())
        }
    }

    @Test("A pipe in place of a log is refused without waiting for a reader")
    func pipe() throws {
        try withContainer { container throws in
            try container.folder.createFIFO("Documents/pipe")
            let error = #expect(throws: ContainerError.self) { try container.appender(to: .documents / "pipe") }
            #expect(error?.code == .notAFile && error?.description.contains("link") == false, "\(error as Any)")
        }
    }

    @Test("A released appender without lines does not create its log again")
    func released() throws {
        try withContainer { container throws in
            var log: Appender? = try container.appender(to: place)
            try log?.append("1")
            try log?.flush()
            try container.remove(logs)
            log = nil
            #expect(try !container.exists(logs))
        }
    }
}
