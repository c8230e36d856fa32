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

    @Test("removeAll succeeds while others write into the directory, and their saves make it again")
    func removeAllAgainstWriters() throws {
        try withContainer { container throws in
            let isDone = LockedValue(false)
            let failures = LockedValue<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 3) { thread in
                guard thread > 0 else {
                    for _ in 0..<150 {
                        do { try container.removeAll(in: .caches) } catch {
                            failures.withLock { $0.append("\(error)") }
                        }
                    }
                    isDone.withLock { $0 = true }
                    return
                }
                var number = 0
                while !isDone.withLock({ $0 }) {
                    number += 1
                    do {
                        let path = ContainerPath.caches / "a/\(number % 7)/\(thread)"
                        try container.save("x", to: path, options: .init(durability: .none))
                    } catch { failures.withLock { $0.append("\(error)") } }
                }
            }
            #expect(failures.withLock { $0 }.isEmpty, "\(failures.withLock { $0 }.prefix(3))")
        }
    }

    @Test("The system's file about the container is not changed, moved or removed")
    func metadata() throws {
        try withContainer { container throws in
            let metadata = ContainerPath.root / Location.metadata.path
            let old = try container.load(metadata)
            try container.save("x", to: .documents / "a")
            let errors = [
                #expect(throws: ContainerError.self) { try container.save("x", to: metadata) },
                #expect(throws: ContainerError.self) {
                    try container.copy(.documents / "a", to: metadata, overwrite: .replace)
                },
                #expect(throws: ContainerError.self) {
                    try container.move(.documents / "a", to: metadata, overwrite: .replace)
                },
                #expect(throws: ContainerError.self) { try container.replace(metadata, with: .documents / "a") },
                #expect(throws: ContainerError.self) { try container.replace(.documents / "a", with: metadata) },
                #expect(throws: ContainerError.self) { try container.move(metadata, to: .documents / "b") },
                #expect(throws: ContainerError.self) { try container.remove(metadata) },
            ]
            for error in errors { #expect(error?.code == .invalidPath, "\(error as Any)") }
            #expect(try container.load(metadata) == old)
        }
    }

    @Test(
        "An import opens the file and not its directory, which the user may not list",
        .needs([.externalProgram, .root]), .enabled(if: Platform.isLinux, "runs setpriv"))
    func importFromUnlistedDirectory() throws {
        try withScratch { folder throws in
            // Other users may not have access to the build directory.
            let script = """
                set -eu
                mkdir -p container/Documents container/Library container/tmp picked
                echo letter > picked/letter.txt
                cp "$PROBE" probe; chown -R 65534 container; chmod 755 .; chmod 311 picked
                setpriv --reuid 65534 --clear-groups ./probe import container "$PWD/picked/letter.txt"
                cat container/Documents/imported
                """
            let run = try Command("bash", ["-c", script], in: folder, environment: ["PROBE": Command.probe])
            #expect(run.text == "letter\n", "\(run.text) \(run.errors)")
        }
    }

    @Test(
        "An original that cannot be removed after its import remains, and the error says so",
        .needs([.externalProgram, .root]), .enabled(if: Platform.isLinux, "runs setpriv"))
    func importRemovingFromReadOnlyDirectory() throws {
        try withScratch { folder throws in
            let script = """
                set -eu
                mkdir -p container/Documents container/Library container/tmp picked
                echo letter > picked/letter.txt
                cp "$PROBE" probe; chown -R 65534 container; chmod 755 . picked
                ! setpriv --reuid 65534 --clear-groups ./probe import-moving container "$PWD/picked/letter.txt" 2>errors
                cat container/Documents/imported picked/letter.txt
                grep -c 'The copy in the container is complete' errors
                """
            let run = try Command("bash", ["-c", script], in: folder, environment: ["PROBE": Command.probe])
            #expect(run.text == "letter\nletter\n1\n", "\(run.text) \(run.errors)")
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
        "Hostile sources of an import are refused without waiting", arguments: ["pipe", "link", "device"])
    func imports(kind: String) throws {
        try withContainer { container throws in
            let source = try container.path(.temporary / "source").string
            switch kind {
            case "pipe": mkfifo(source, 0o600)
            case "link": symlink("/etc/passwd", source)
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
