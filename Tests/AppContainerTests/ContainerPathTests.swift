import AppContainer
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("A path in a container") struct ContainerPathTests {
    @Test("A directory constant and a relative text result in a path, without try")
    func constants() throws {
        try withContainer { container throws in
            let paths: [(ContainerPath, String)] = [
                (.documents / "letters/1.txt", "Documents/letters/1.txt"),
                (.applicationSupport / "a", "Library/Application Support/com.example.app/a"),
                (.caches / "covers" / "1.jpg", "Library/Caches/com.example.app/covers/1.jpg"),
                (.library / "Caches/1.jpg", "Library/Caches/1.jpg"),
                (.preferences / "com.example.app.plist", "Library/Preferences/com.example.app.plist"),
                (.temporary / "a//b/./c/", "tmp/a/b/c"), (.root / "StoreKit", "StoreKit"), (.root, ""),
                ("Documents/a.txt", "Documents/a.txt"), (.documents / "", "Documents"),
            ]
            for (path, text) in paths {
                #expect(path.error == nil)
                #expect(try container.path(path) == container.location.appending(FilePath(text).components))
            }
        }
    }

    @Test("Two paths with the same components are equal, however they were built")
    func equality() throws {
        try withContainer { container throws in
            let same: [ContainerPath] = [
                .caches / "a/b", .caches / "a" / "b", .caches / "./a//b/", "Library/Caches/{bundle-id}/a/b",
            ]
            #expect(Set(same).count == 1)
            try container.save("x", to: .caches / "a/b")
            #expect(try container.list(.caches / "a") == [.caches / "a/b"])
            #expect(.documents / "a" == ContainerPath("Documents/a") && .documents / "a" != .documents / "b")
            #expect(ContainerPath.library / "Caches/{bundle-id}" != .caches, "appended text is a name like any other")
        }
    }

    @Test("A path has a name, an extension and a parent")
    func parts() {
        let path = ContainerPath.caches / "covers/1.thumb.jpg"
        #expect(path.name == "1.thumb.jpg" && path.pathExtension == "jpg")
        #expect(path.parent == .caches / "covers" && path.parent?.parent == .caches)
        #expect(ContainerPath.caches.parent == .library / "Caches" && ContainerPath.root.parent == nil)
        #expect(ContainerPath.root.name.isEmpty && (.documents / "a" as ContainerPath).pathExtension.isEmpty)
    }

    @Test(
        "An invalid path is the error of the call that uses it, and of what is appended to it",
        arguments: [
            ("../x", ContainerError.Code.leavesContainer), ("a/../../x", .leavesContainer), ("a/..", .leavesContainer),
            ("/etc/passwd", .leavesContainer), ("a\0b", .invalidPath),
        ])
    func invalid(name: String, code: ContainerError.Code) throws {
        try withContainer { container throws in
            for path in [.documents / name, .caches / name / "b", ContainerPath(name)] as [ContainerPath] {
                #expect(path.error?.code == code)
                #expect(throws: ContainerError.self) { try path.validated() }
                for use in [
                    { try container.save("x", to: path) }, { _ = try container.load(path) },
                    { _ = try container.list(path) }, { try container.remove(path) },
                    { _ = try container.url(for: path) }, { try container.move(.documents / "a", to: path) },
                ] as [() throws -> Void] {
                    let error = #expect(throws: ContainerError.self) { try use() }
                    #expect(error?.code == code)
                }
                #expect(!path.description.contains("\0") && path.parent == nil)
            }
            #expect(try container.list(.documents).isEmpty)
        }
    }

    @Test("A path is stored as its text")
    func codable() throws {
        struct Book: Codable, Equatable { var cover: ContainerPath }
        let book = Book(cover: .caches / "covers/ä.jpg")
        let data = try JSONEncoder().encode(book)
        #expect(
            try JSONSerialization.jsonObject(with: data) as? [String: String] == [
                "cover": "Library/Caches/{bundle-id}/covers/ä.jpg"
            ])
        #expect(try JSONDecoder().decode(Book.self, from: data) == book)
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Book.self, from: Data(#"{"cover": "Documents/../../x"}"#.utf8))
        }
        #expect(String(describing: error).contains("contains “..”"))
        for path in [.documents / "..", ContainerPath.documents.appending(entry: FilePath(bytes: [0xff]))] {
            #expect(throws: EncodingError.self) { try JSONEncoder().encode(path) }
        }
    }

    @Test(
        "A URL leads to the path and back, also for a name in any encoding and by a link to the container",
        .enabled(if: Platform.allowsAnyNames, "APFS refuses names that are not UTF-8"))
    func urls() throws {
        try withContainer { container throws in
            for path in [
                .documents / "a ä%/b.txt", .caches / "x", .root, .documents,
                ContainerPath.documents.appending(entry: FilePath(bytes: [0x61, 0xff, 0x25])),
            ] as [ContainerPath] {
                #expect(try container.path(for: container.url(for: path)) == path)
            }
            let link = container.location.removingLastComponent().appending("link")
            try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: "c")
            let linked = URL(filePath: link.appending("Documents/new.txt").string)
            #expect(try container.path(for: linked) == .documents / "new.txt")
            let open = try Container.open(link)
            #expect(try open.path(for: container.url(for: .caches / "b")) == .caches / "b")
            // A link in the container is the item itself.
            try FileManager.default.createSymbolicLink(
                atPath: container.path(.documents / "l").string, withDestinationPath: "/etc/passwd")
            #expect(try container.path(for: container.url(for: .documents / "l")) == .documents / "l")
        }
    }

    @Test(
        "A URL outside of the container is an error",
        arguments: ["file:///etc/passwd", "https://example.com/a", "file:///", "file:///c/%00", "data:,x"])
    func outside(text: String) throws {
        try withContainer { container throws in
            let url = try #require(URL(string: text))
            let error = #expect(throws: ContainerError.self) { try container.path(for: url) }
            #expect(error?.code == (url.isFileURL && !text.contains("%") ? .leavesContainer : .invalidPath))
            let up = try container.url(for: .root).appending(path: "Documents/../../other")
            #expect(throws: ContainerError.self) { try container.path(for: up) }
            let beside = URL(filePath: container.location.string + "2/a")
            #expect(throws: ContainerError.self) { try container.path(for: beside) }
        }
    }

    @Test("The environment names the container of the process and those of its groups", .needs(.process))
    func home() throws {
        try withContainer { container throws in
            let home = try Container.home(environment: ["APP_CONTAINER_HOME": container.location.string])
            #expect(home.bundleIdentifier == "com.example.app" && home.location == container.location)
            let groups = container.location.removingLastComponent()
            let identifier = "group.com.example.app"
            _ = try Container.create(at: groups.appending(identifier), bundleIdentifier: identifier)
            let environment = ["APP_CONTAINER_GROUPS": groups.string]
            let group = try Container.group(identifier, environment: environment)
            #expect(group.kind == .group && group.bundleIdentifier == identifier)
            let rows: [(ContainerError.Code, () throws -> Container)] = [
                (.notAContainer, { try Container.home(environment: [:]) }),
                (.notFound, { try Container.home(environment: ["APP_CONTAINER_HOME": "/nowhere"]) }),
                (.notAContainer, { try Container.group(identifier, environment: [:]) }),
                (.notFound, { try Container.group("group.other", environment: environment) }),
                (.invalidPath, { try Container.group("com.example.app", environment: environment) }),
                (.invalidPath, { try Container.group("group./../x", environment: environment) }),
            ]
            for (code, open) in rows {
                let error = #expect(throws: ContainerError.self) { try open() }
                #expect(error?.code == code)
            }
            let probe = try Command(
                Command.probe, ["home", "-"], environment: ["APP_CONTAINER_HOME": container.location.string])
            #expect(probe.text == "com.example.app\n", "\(probe.errors)")
        }
    }
}
