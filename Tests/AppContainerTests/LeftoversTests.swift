import AppContainer
import ContainerPreferences
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Leftovers", .timeLimit(.minutes(60))) struct LeftoversTests {
    private func later(_ seconds: Int64) -> Timestamp { Timestamp(seconds: Timestamp.now.seconds + seconds) }

    @Test("A leftover is swept when it is old enough; a temporary file in use is not")
    func sweep() throws {
        try withContainer { container throws in
            let folder = try container.path(.documents).string
            // The last six digits are those of a process, and process 1 always runs.
            let (name, other) = (".appcontainer-staging-0123abcd00000001", ".appcontainer-staging-0123abce00000001")
            try URL(filePath: folder).write("x\n", to: name)
            try URL(filePath: folder).write("y\n", to: "\(other)/f")
            let writer = try container.writer(to: .documents / "film")
            try writer.write("half")
            #expect(try container.sweepLeftovers().isEmpty)
            #expect(try container.sweepLeftovers(olderThan: .seconds(60), now: later(30)).isEmpty)
            #expect(
                try container.sweepLeftovers(olderThan: .seconds(60), now: later(120)).map(\.description) == [
                    "Documents/\(name)", "Documents/\(other)",
                ])
            try writer.finish()
            #expect(try container.list(.documents).map(\.description) == ["Documents/film"])
        }
    }

    @Test("A leftover of a process that no longer runs is swept at once", .needs(.process))
    func processGone() throws {
        try withContainer { container throws in
            let ended = try Command("sh", ["-c", "echo $$"]).text.trimmingCharacters(in: .whitespacesAndNewlines)
            let number = String(try #require(Int(ended)), radix: 16)
            let digits = "0123abcd00" + String(repeating: "0", count: 6 - number.count) + number
            let name = ".appcontainer-staging-\(digits)"
            try URL(filePath: container.path(.documents).string).write("x\n", to: name)
            #expect(try container.sweepLeftovers().map(\.description) == ["Documents/\(name)"])
        }
    }

    @Test(
        "A file of the user with a similar name is kept, and no save, move or copy makes one",
        arguments: [
            ".appcontainer-staging-photo.jpg", ".appcontainer-staging-", ".appcontainer-staging-0123abcd00000001",
        ])
    func lookalike(name: String) throws {
        try withContainer { container throws in
            let target: ContainerPath = .documents / name
            #expect(throws: ContainerError.self) { try container.save("x", to: target) }
            #expect(throws: ContainerError.self) { try container.save("x", to: target / "f") }
            try container.save("x", to: .documents / "f")
            let error = #expect(throws: ContainerError.self) { try container.move(.documents / "f", to: target) }
            #expect(error?.code == .invalidPath)
            #expect(throws: ContainerError.self) { try container.copy(.documents / "f", to: target) }
            #expect(throws: ContainerError.self) { try container.createDirectory(target) }
            #expect(try container.list(.documents).map(\.description) == ["Documents/f"])
            guard name.hasSuffix("jpg") else { return }
            try URL(filePath: container.path(.documents).string).write("photo", to: name)
            #expect(try container.sweepLeftovers(olderThan: .seconds(-10)).isEmpty)
        }
    }

    @Test("Opening sweeps leftovers with the option")
    func open() throws {
        try withContainer { container throws in
            let path = try container.path(.caches / ".appcontainer-staging-0123abcd00000001").string
            try container.createDirectory(.caches)
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            _ = try Container.open(container.location)
            #expect(FileManager.default.fileExists(atPath: path))
            _ = try Container.open(container.location, sweepingLeftoversOlderThan: .seconds(3_600))
            #expect(FileManager.default.fileExists(atPath: path))
            _ = try Container.open(container.location, sweepingLeftoversOlderThan: .seconds(-10))
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }
}
