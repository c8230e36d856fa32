import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Runs the body with a new container of com.example.app.
func withContainer<Result>(_ body: (Container) throws -> Result) throws -> Result {
    try withScratch { folder throws in
        try body(
            try Container.create(at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app"))
    }
}

/// Runs an async body with a new container of com.example.app.
func withContainer<Result>(_ body: (Container) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sandboxlint-\(UUID().uuidString)")
    let container = try Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.app")
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(container)
}

/// Returns the attributes of an item, one per line: the name and the value in hexadecimal digits.
func attributes(_ path: FilePath) throws -> String { try AttributeTool.listing(of: path.string) }

@Suite("Container") struct ContainerTests {
    @Test("A new container can be opened and has its identifier")
    func createAndOpen() throws {
        try withContainer { made throws in
            let container = try Container.open(made.location)
            #expect(container.bundleIdentifier == "com.example.app")
            #expect(container.kind == .application)
            let found = try names(in: made.location.string)
            #expect(
                found == [
                    ".com.apple.mobile_container_manager.metadata.plist", "Documents", "Library", "SystemData", "tmp",
                ])
        }
    }

    @Test("Python's plistlib reads the metadata", .needs(.externalProgram))
    func metadataIsAPropertyList() throws {
        try withContainer { container throws in
            let path = try container.path(ContainerPath(Location.metadata.path)).string
            let read = "import plistlib,sys;print(plistlib.load(open(sys.argv[1],'rb'))['MCMMetadataIdentifier'])"
            #expect(try Command("python3", ["-c", read, path]).text == "com.example.app\n")
        }
    }

    @Test(
        "A directory that is not a container is refused with the reason",
        arguments: [
            ("missing", "notFound"), ("file", "notAFile"), ("empty", "notAContainer"), ("other", "notAContainer"),
        ]
    )
    func refusals(name: String, code: String) throws {
        try withScratch { folder throws in
            try Data().write(to: folder.appending(path: "file"))
            for directory in ["empty", "other/things"] {
                try FileManager.default.createDirectory(
                    at: folder.appending(path: directory), withIntermediateDirectories: true)
            }
            let error = #expect(throws: ContainerError.self) {
                try Container.open(FilePath(folder.appending(path: name).path))
            }
            #expect(error?.code.description == code)
            #expect(error?.description.contains(name) == true)
        }
    }

    @Test("A container is not created in a directory with content")
    func createRefusesFull() throws {
        try withContainer { container throws in
            let error = #expect(throws: ContainerError.self) {
                try Container.create(at: container.location, bundleIdentifier: "com.example.app")
            }
            #expect(error?.code == .alreadyExists)
        }
    }

    @Test("An identifier that could be a path is refused", arguments: ["", "../x", "a/b", ".hidden", "a b", "ä"])
    func identifiers(identifier: String) throws {
        try withScratch { folder throws in
            let error = #expect(throws: ContainerError.self) {
                try Container.create(at: FilePath(folder.appending(path: "c").path), bundleIdentifier: identifier)
            }
            #expect(error?.code == .invalidPath)
        }
    }

    @Test("Every location resolves to its directory in the container", arguments: Location.table)
    func resolvers(location: Location) throws {
        try withContainer { container throws in
            let path = try container.path(ContainerPath(location.path))
            let relative = location.path.replacingOccurrences(of: "{bundle-id}", with: "com.example.app")
            #expect(path == container.location.appending(FilePath(relative).components))
            #expect(try container.url(for: ContainerPath(location.path)).path == path.string)
        }
    }

    @Test("Application Support and Caches have a directory named by the app's identifier")
    func namespaces() throws {
        try withContainer { container throws in
            let support = try container.path(.applicationSupport / "a.db")
            #expect(support.string.hasSuffix("/Library/Application Support/com.example.app/a.db"))
            #expect(try container.path(.caches / "b").string.hasSuffix("/Library/Caches/com.example.app/b"))
            #expect(try container.path(.documents / "c").string.hasSuffix("/c/Documents/c"))
        }
    }

    @Test("A path that leads out is an error", arguments: ["../x", "a/../../x", "/etc/passwd", "a/.."])
    func noWayOut(text: String) {
        let error = #expect(throws: ContainerError.self) { try ContainerPath.documents.appending(text).validated() }
        #expect(error?.code == .leavesContainer)
    }

    @Test("According to the table, Caches and tmp are not backed up, and Documents is")
    func columns() {
        #expect(Location.documents.backup == .backedUp && Location.documents.purge == .never)
        #expect(Location.caches.backup == .notBackedUp && Location.caches.purge == .anyTime)
        #expect(Location.temporary.backup == .notBackedUp)
        #expect(Location.table.allSatisfy { !$0.verified.isEmpty && !$0.purpose.isEmpty })
        #expect(Set(Location.table.map(\.path)).count == Location.table.count)
    }
}
