import AppContainer
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Moves, copies, imports and lists of hostile items", .timeLimit(.minutes(60))) struct HostileFilesTests {
    @Test(
        "A component “..” is found in any text",
        arguments: ["../\u{301}x", "a/../\u{301}", "..\u{0}", "a/..", "..", "a\u{301}/../b"])
    func parentComponents(text: String) {
        #expect(ContainerPath(text).error != nil)
        #expect((ContainerPath.documents / text).error != nil)
    }

    @Test("removeAll does not follow a link, which may lead to the container itself")
    func removeAllOfLink() throws {
        try withContainer { container throws in
            try container.save("x", to: .documents / "a")
            for target in ["..", ".", "../Documents"] {
                let link = ContainerPath.documents / "link"
                try FileManager.default.createSymbolicLink(
                    atPath: container.path(link).string, withDestinationPath: target)
                let error = #expect(throws: ContainerError.self) { try container.removeAll(in: link) }
                #expect(error?.code == .notAFile && error?.path == "Documents/link")
                #expect(try container.loadText(.documents / "a") == "x")
                try container.remove(link)
            }
        }
    }

    @Test("removeAll leaves the temporary file of a save that is running")
    func removeAllDuringSave() throws {
        try withContainer { container throws in
            let writer = try container.writer(to: .caches / "new")
            try writer.write(Data("x".utf8))
            try container.save("x", to: .caches / "old")
            try container.removeAll(in: .caches)
            #expect(try !container.exists(.caches / "old"))
            try writer.finish()
            #expect(try container.loadText(.caches / "new") == "x")
        }
    }

    @Test("A failed move or copy reports the directories that it created")
    func createdDirectories() throws {
        try withContainer { container throws in
            try container.createDirectory(.documents / "d")
            try container.folder.createFIFO("Documents/pipe")
            let errors = [
                #expect(throws: ContainerError.self) { try container.move(.documents / "d", to: .documents / "d/e/f") },
                #expect(throws: ContainerError.self) { try container.copy(.documents / "d", to: .documents / "d/g/f") },
                #expect(throws: ContainerError.self) {
                    try container.copy(.documents / "pipe", to: .documents / "p/q")
                },
            ]
            for error in errors {
                #expect(error?.code == .notAFile)
                #expect(error?.description.contains("Parent directories were created") == true, "\(error as Any)")
            }
            #expect(try container.exists(.documents / "d/e"))
        }
    }

    @Test("A hole in an imported or copied file remains a hole")
    func holes() throws {
        try withContainer { container throws in
            let outside = try container.path(.temporary / "sparse").string
            let file = try FileDescriptor.open(outside, .writeOnly, options: .create, permissions: .ownerReadWrite)
            try file.closeAfter {
                _ = try file.writeAll(toAbsoluteOffset: 1 << 20, Array("x".utf8))
                ftruncate(file.rawValue, 1 << 30)
            }
            try container.importFile(at: URL(filePath: outside), to: .documents / "imported")
            try container.copy(.documents / "imported", to: .documents / "copy")
            try container.copy(.documents / "imported", to: .documents / "copy", overwrite: .replace)
            for name in ["imported", "copy"] {
                let found = try container.attributes(of: .documents / name)
                #expect(found.size == 1 << 30 && found.allocatedSize < 16 << 20)
                let reader = try container.reader(of: .documents / name)
                reader.position = (1 << 20) - 1
                #expect(try reader.next(upTo: 3) == Data([0, UInt8(ascii: "x"), 0]))
            }
        }
    }

    @Test(
        "Hostile sources of an import are refused without waiting", arguments: ["pipe", "link", "directory", "device"])
    func imports(kind: String) throws {
        try withContainer { container throws in
            let source = try container.path(.temporary / "source").string
            switch kind {
            case "pipe": mkfifo(source, 0o600)
            case "link": symlink("/etc/passwd", source)
            case "directory": mkdir(source, 0o755)
            default: break
            }
            let url = URL(filePath: kind == "device" ? "/dev/zero" : source)
            let error = #expect(throws: ContainerError.self) { try container.importFile(at: url, to: .documents / "a") }
            #expect(error?.code == .notAFile)
            #expect(try container.list(.documents).isEmpty)
        }
    }

    @Test("An error of a recursive list has the path in the container")
    func listError() throws {
        try withContainer { made throws in
            try made.save("x", to: .documents / "a/b/c")
            var calls = Syscalls.live
            calls.openBeneath = { folder, name, how, mode in
                String(cString: name).hasSuffix("b")
                    ? -Errno.permissionDenied.rawValue : Syscalls.live.openBeneath(folder, name, how, mode)
            }
            calls.open = { folder, name, how, mode in
                String(cString: name).hasSuffix("b")
                    ? -Errno.permissionDenied.rawValue : Syscalls.live.open(folder, name, how, mode)
            }
            let container = try Container.open(made.location, bundleIdentifier: nil, calls: calls)
            let error = #expect(throws: ContainerError.self) { try container.list(.documents, recursive: true) }
            #expect(error?.code == .permissionDenied && error?.path == "Documents/a/b")
        }
    }

    @Test("A URL of a container whose name begins with that of this one is outside")
    func siblings() throws {
        try withContainer { container throws in
            let home = container.location.string
            for path in ["\(home)x/Documents/a", "\(home)/../x", "\(home)/Documents/../../x", "\(home)/%2e%2e/x"] {
                let url = try #require(URL(string: "file://" + path))
                #expect(throws: ContainerError.self) { try container.path(for: url) }
            }
            for (path, expected) in [
                ("Documents/a/", ContainerPath.documents / "a"), ("Documents/./a", .documents / "a"),
                ("Documents/%61", .documents / "a"), ("Documents//a", .documents / "a"), ("", .root), ("/", .root),
                ("Documents/b/../a", .documents / "a"), ("Documents/a%25", .documents / "a%"),
            ] {
                let url = try #require(URL(string: "file://\(home)/\(path)"))
                #expect(try container.path(for: url) == expected)
            }
        }
    }
}
