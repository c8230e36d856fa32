import AppContainer
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("The path in an error", .timeLimit(.minutes(60))) struct ErrorPlaceTests {
    /// A container in which nothing can be created or removed.
    private func withReadOnly(_ body: (Container, String) throws -> Void) throws {
        try withContainer { container throws in
            let url = try #require(URL(string: "https://example.com/x"))
            try container.save("x", to: .documents / "d/f")
            try FileManager.default.createSymbolicLink(
                atPath: try container.path(.documents / "d/l").string, withDestinationPath: "f")
            try container.save(
                "x", to: .documents / "d/old", options: .init(provenance: .downloaded(from: url, expires: .distantPast))
            )
            let staging = "Documents/d/\(AtomicWrite.stagingPrefix)0123abcd00000001"
            _ = try container.folder.createFile(FilePath(staging), permissions: 0o600)
            var calls = Syscalls.live
            let refusal = -Errno.readOnlyFileSystem.rawValue
            calls.open = { directory, name, how, permissions in
                how & 4 != 0 ? refusal : Syscalls.live.open(directory, name, how, permissions)  // CFS_CREATE_NEW
            }
            calls.createSymbolicLink = { _, _, _ in refusal }
            calls.remove = { _, _, _ in refusal }
            try body(Container.open(container.location, bundleIdentifier: nil, calls: calls), staging)
        }
    }

    @Test("A name of more than 255 bytes is an invalid path")
    func longName() throws {
        try withContainer { container throws in
            let item = ContainerPath.documents / String(repeating: "a", count: 256)
            for ask in [
                { try container.save("x", to: item) }, { try container.createDirectory(item) },
                { _ = try container.load(item) },
            ] {
                let error = #expect(throws: ContainerError.self) { try ask() }
                #expect(error?.code == .invalidPath, "\(error as Any)")
                #expect(error?.description.contains("255 bytes") == true)
            }
        }
    }

    @Test("It is the path that the caller passed, not that of the temporary file")
    func places() throws {
        try withReadOnly { container, staging throws in
            let rows: [(path: String, ask: () throws -> Void)] = [
                ("Documents/g", { try container.copy(.documents / "d/f", to: .documents / "g") }),
                ("Documents/g", { try container.copy(.documents / "d/l", to: .documents / "g") }),
                ("Documents/d/old", { try container.purgeExpired() }),
                (staging, { try container.sweepLeftovers(olderThan: .seconds(-10)) }),
            ]
            for (path, ask) in rows {
                let error = #expect(throws: ContainerError.self) { try ask() }
                #expect(error?.path == path && error?.code == .permissionDenied)
                #expect(error?.description.contains("“\(path)”") == true)
            }
        }
    }

    @Test(
        "A pipe or a socket is not a file, for reads and exclusions", .needs(.externalProgram),
        arguments: ["pipe", "socket"])
    func special(name: String) throws {
        try withContainer { container throws in
            let folder = URL(filePath: try container.path(.documents).string)
            let make = """
                import os, socket
                os.mkfifo('pipe'); socket.socket(socket.AF_UNIX).bind('socket')
                """
            try #require(try Command("python3", ["-c", make], in: folder).code == 0)
            let place = ContainerPath.documents / name
            for ask in [
                { _ = try container.load(place) }, { _ = try container.reader(of: place) },
                { try container.excludeFromBackup(place) }, { try container.includeInBackup(place) },
                { try container.save("x", to: place) }, { try container.append("x", to: place) },
            ] as [() throws -> Void] {
                let error = #expect(throws: ContainerError.self) { try ask() }
                #expect(error?.code == .notAFile)
            }
        }
    }
}
