import AppContainer
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Questions about items, and changes of many") struct QuestionsTests {
    @Test("An item exists if its name is taken, also by a broken link, and an invalid path is an error")
    func exists() throws {
        try withContainer { container throws in
            try container.save("x", to: .documents / "a")
            try FileManager.default.createSymbolicLink(
                atPath: container.path(.documents / "link").string, withDestinationPath: "missing")
            #expect(try container.exists(.documents / "a") && container.exists(.documents / "link"))
            #expect(try container.exists(.documents) && container.exists(.root))
            #expect(try !container.exists(.documents / "b") && !container.exists(.caches / "a/b/c"))
            #expect(try !container.exists(.documents / "a/b"), "a file is not a directory")
            #expect(throws: ContainerError.self) { try container.exists(.documents / "../../etc") }
        }
    }

    @Test("The attributes are those of the item itself, with the exclusion of its directory")
    func attributes() throws {
        try withContainer { container throws in
            let before = Date(timeIntervalSinceNow: -60)
            let place = try container.store(
                Data(count: 10_000), named: "a.mp3",
                as: .downloaded(from: try #require(URL(string: "https://example.com/a")), keepOffline: true))
            let found = try container.attributes(of: place)
            #expect(found.kind == .file && found.size == 10_000 && found.allocatedSize >= 8_192)
            #expect(found.modified > before && found.created.map { $0 > before } ?? true)
            #expect(
                found.exclusion.state == .excluded && found.permissions == [.ownerReadWrite, .groupRead, .otherRead])
            let directory = try container.attributes(of: .documents)
            #expect(directory.kind == .directory && directory.size == 0 && directory.exclusion.state == .included)
            try FileManager.default.createSymbolicLink(
                atPath: container.path(.documents / "l").string, withDestinationPath: "/etc/passwd")
            #expect(try container.attributes(of: .documents / "l").kind == .symbolicLink)
            let error = #expect(throws: ContainerError.self) { try container.attributes(of: .documents / "b") }
            #expect(error?.code == .notFound)
        }
    }

    @Test("A list is in numeric order, independent of case and locale")
    func order() throws {
        try withContainer { container throws in
            let names = [
                "1", "2", "02", "10", "010a", "9007199254740993", "18446744073709551617", "a1b2", "a1B10", "a2", "b",
                "B",
                "Ä", "ä", "é", "10.jpg", "2.jpg", "_", "z",
            ]
            for name in names.shuffled() {
                try container.save("", to: .documents / name, options: .init(durability: .none))
            }
            let bytes: [[UInt8]] = Platform.allowsAnyNames ? [[0x61, 0xff], [0xff], [0x61, 0xfe]] : []
            for name in bytes {
                try container.save("", to: ContainerPath.documents.appending(entry: FilePath(bytes: name)))
            }
            let listed = try container.list(.documents)
            let valid = listed.map(\.name).filter { !$0.contains("\u{fffd}") }
            #expect(
                valid == [
                    "1", "02", "2", "2.jpg", "10", "10.jpg", "010a", "9007199254740993", "18446744073709551617", "_",
                    "a1b2", "a1B10", "a2", "B", "b", "z", "Ä", "ä", "é",
                ])
            #expect(listed.count == names.count + bytes.count)
            #expect(try container.list(.documents) == listed)
            for path in listed { #expect(try container.exists(path), "also a name in another encoding") }
        }
    }

    @Test("A recursive list has each directory before its content, and a pattern filters the names")
    func recursive() throws {
        try withContainer { container throws in
            for name in ["b/10.jpg", "b/2.jpg", "b/c/3.JPG", "b/c/x.txt", "a.jpg", "a/1.jpg"] {
                try container.save("", to: .documents / name, options: .init(durability: .none))
            }
            try FileManager.default.createSymbolicLink(
                atPath: container.path(.documents / "b/loop").string, withDestinationPath: ".")
            let all = try container.list(.documents, recursive: true).map(\.description)
            #expect(
                all
                    == [
                        "a", "a/1.jpg", "a.jpg", "b", "b/2.jpg", "b/10.jpg", "b/c", "b/c/3.JPG", "b/c/x.txt", "b/loop",
                    ].map { "Documents/\($0)" })
            let pages = try container.list(.documents / "b", recursive: true, matching: "*.jpg")
            #expect(pages == [.documents / "b/2.jpg", .documents / "b/10.jpg"])
            #expect(try container.list(.documents, matching: "?").map(\.name) == ["a", "b"])
            #expect(
                try container.list(.caches, recursive: true).isEmpty, "a standard directory that does not exist yet")
            #expect(throws: ContainerError.self) { try container.list(.documents / "missing") }
        }
    }

    @Test(
        "A pattern matches whole names",
        arguments: [
            ("*", "", true), ("", "", true), ("", "a", false), ("a*c", "abbc", true), ("a*c", "abcb", false),
            ("*.jpg", ".jpg", true), ("**a*", "bab", true), ("?", "ab", false), ("a?c", "abc", true), ("A", "a", false),
            ("*a*a*a*a*a*a*a*a*b", String(repeating: "a", count: 200), false),
        ])
    func patterns(pattern: String, name: String, matches: Bool) throws {
        try withContainer { container throws in
            guard !name.isEmpty else { return }
            try container.save("", to: .documents / name, options: .init(durability: .none))
            #expect(try container.list(.documents, matching: pattern).isEmpty != matches)
        }
    }

    @Test("The usage of a directory counts its content alone, and that of a file the file")
    func usage() throws {
        try withContainer { container throws in
            try container.save(Data(count: 5_000), to: .caches / "a/1")
            try container.save(Data(count: 3_000), to: .caches / "2")
            try container.save(Data(count: 9_000), to: .documents / "3")
            let cached = try container.usage(of: .caches)
            #expect(cached.all.items == 2 && cached.all.logical == 8_000 && cached.all.onDisk >= 8_000)
            #expect(cached.largest.map(\.path) == [.caches / "a/1", .caches / "2"])
            #expect(cached.byLocation[.urlCache]?.items == 2)
            #expect(try container.usage(of: .documents / "3").all.logical == 9_000)
            #expect(try container.usage(of: .caches / "a").all.items == 1)
            #expect(try container.usage().all.items == 4, "with the metadata file")
            #expect(try container.usage(of: .applicationSupport).all == .zero)
            #expect(throws: ContainerError.self) { try container.usage(of: .caches / "b") }
        }
    }

    @Test("All caches are removed, and the directory remains")
    func removeAll() throws {
        try withContainer { container throws in
            try container.removeAll(in: .caches)
            try container.save("x", to: .caches / "a/b/c")
            try container.save("x", to: .caches / "d")
            try container.save("x", to: .library / "Caches/other/e")
            try FileManager.default.createSymbolicLink(
                atPath: container.path(.caches / "l").string,
                withDestinationPath: container.path(.library / "Caches/other").string)
            try container.removeAll(in: .caches)
            #expect(try container.list(.caches).isEmpty && container.exists(.caches))
            #expect(try container.loadText(.library / "Caches/other/e") == "x")
            for (path, code) in [
                (ContainerPath.root, ContainerError.Code.invalidPath), (.documents / "none", .notFound),
                (.library / "Caches/other/e", .notAFile), (.documents / "../..", .leavesContainer),
            ] {
                let error = #expect(throws: ContainerError.self) { try container.removeAll(in: path) }
                #expect(error?.code == code)
            }
        }
    }

    @Test("A move or copy replaces a file if it may, and keeps every exclusion", arguments: [true, false])
    func overwrite(isMove: Bool) throws {
        try withContainer { container throws in
            func transfer(_ item: ContainerPath, _ target: ContainerPath, _ overwrite: Overwrite) throws {
                if isMove {
                    try container.move(item, to: target, overwrite: overwrite)
                } else {
                    try container.copy(item, to: target, overwrite: overwrite)
                }
            }
            let (draft, final) = (ContainerPath.documents / "draft", ContainerPath.caches / "final")
            try container.save("new", to: draft, options: .init(permissions: .ownerReadWrite))
            try container.save("old", to: final)
            let refused = #expect(throws: ContainerError.self) { try transfer(draft, final, .never) }
            #expect(refused?.code == .alreadyExists)
            #expect(try container.loadText(final) == "old" && container.loadText(draft) == "new")
            try container.excludeFromBackup(final)
            try transfer(draft, final, .replace)
            #expect(try container.loadText(final) == "new" && container.exists(draft) != isMove)
            #expect(try container.exclusion(of: final).state == .excluded)
            #expect(try container.attributes(of: final).permissions == .ownerReadWrite)
            #expect(try container.list(.caches).count == 1)

            try container.save("x", to: .documents / "d/f")
            try container.save("y", to: .documents / "g")
            for (item, target, code) in [
                (.documents / "g", .documents / "d", .notAFile), (.documents / "d", .documents / "g", .notAFile),
                (.documents / "g", .documents / "g", .notAFile), (.documents / "none", .documents / "g", .notFound),
            ] as [(ContainerPath, ContainerPath, ContainerError.Code)] {
                let error = #expect(throws: ContainerError.self) { try transfer(item, target, .replace) }
                #expect(error?.code == code, "\(item) to \(target)")
            }
            #expect(try container.loadText(.documents / "g") == "y" && container.loadText(.documents / "d/f") == "x")
            try container.createDirectory(.documents / "links")
            try FileManager.default.createSymbolicLink(
                atPath: container.path(.documents / "links/l").string, withDestinationPath: "../g")
            #expect(throws: ContainerError.self) { try transfer(.documents / "d/f", .documents / "links/l", .replace) }
            try transfer(.documents / "d/f", .documents / "links/l", .replacing(symbolicLink: .follow))
            #expect(try container.loadText(.documents / "g") == "x")
            #expect(try container.attributes(of: .documents / "links/l").kind == .symbolicLink)
        }
    }

    @Test("A directory from outside is imported by its content alone, complete or not at all")
    func importingDirectories() throws {
        try withContainer { container throws in
            let outside = URL(filePath: container.location.removingLastComponent().appending("theme").string)
            try FileManager.default.createDirectory(
                at: outside.appending(path: "images/small"), withIntermediateDirectories: true)
            try Data("css".utf8).write(to: outside.appending(path: "style.css"))
            try Data("png".utf8).write(to: outside.appending(path: "images/small/a.png"))
            try FileManager.default.createSymbolicLink(
                atPath: outside.appending(path: "images/logo").path, withDestinationPath: "../images/small/a.png")
            try AttributeTool.set("user.com.apple.metadata:com_apple_backup_excludeItem", to: "x", of: outside.path)
            try setMode("0700", of: outside.path)
            let target = ContainerPath.documents / "themes/one"
            try container.importFile(at: outside, to: target)
            #expect(try container.loadText(target / "style.css") == "css")
            #expect(try container.loadText(target / "images/logo") == "png")
            #expect(try container.provenance(of: target / "images/small/a.png")?.maker == .imported)
            #expect(try container.attributes(of: target).exclusion.state == .included)
            let taken = #expect(throws: ContainerError.self) {
                try container.importFile(at: outside, to: target, overwrite: .replace)
            }
            #expect(taken?.code == .alreadyExists)
            // A link out of the directory would be a way out of the container, or to another part of it.
            for destination in ["/etc/passwd", "../../../secret", "small/../../../x"] {
                let link = outside.appending(path: "images/out").path
                try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: destination)
                let error = #expect(throws: ContainerError.self) {
                    try container.importFile(at: outside, to: .documents / "two")
                }
                #expect(error?.code == .leavesContainer && error?.description.contains("images/out") == true)
                try FileManager.default.removeItem(atPath: link)
            }
            #expect(try container.list(.documents).map(\.description) == ["Documents/themes"])
        }
    }

    @Test(
        "A file from outside is moved in; it stays where the import fails, and so does a directory",
        arguments: [false, true])
    func moving(coordinated: Bool) throws {
        try withContainer { container throws in
            let folder = URL(filePath: container.location.removingLastComponent().appending("picked").string)
            try FileManager.default.createDirectory(
                at: folder.appending(path: "scans"), withIntermediateDirectories: true)
            let (file, directory) = (folder.appending(path: "a.pdf"), folder.appending(path: "scans"))
            try Data("PDF".utf8).write(to: file)
            try Data("1".utf8).write(to: directory.appending(path: "1.png"))
            try container.save("old", to: .documents / "taken.pdf")
            let taken = #expect(throws: ContainerError.self) {
                try container.importFile(
                    at: file, to: .documents / "taken.pdf", removingOriginal: true, coordinated: coordinated)
            }
            #expect(taken?.code == .alreadyExists && FileManager.default.fileExists(atPath: file.path))
            try container.importFile(
                at: file, to: .documents / "a.pdf", removingOriginal: true, coordinated: coordinated)
            let refused = #expect(throws: ContainerError.self) {
                try container.importFile(
                    at: directory, to: .documents / "scans", removingOriginal: true, coordinated: coordinated)
            }
            #expect(refused?.code == .notAFile && refused?.description.contains("Nothing on disk") == true)
            #expect(try container.loadText(.documents / "a.pdf") == "PDF")
            #expect(try !container.exists(.documents / "scans"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["scans"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["1.png"])
        }
    }

    @Test("A file from outside is imported by its content alone")
    func importing() throws {
        try withContainer { container throws in
            let outside = URL(filePath: container.location.removingLastComponent().appending("book.epub").string)
            try Data("EPUB".utf8).write(to: outside)
            try setMode("4700", of: outside.path)
            let name = "user.com.apple.metadata:com_apple_backup_excludeItem"
            try AttributeTool.set(name, to: "x", of: outside.path)
            let target = ContainerPath.documents / outside.lastPathComponent
            try container.importFile(at: outside, to: target)
            #expect(try container.loadText(target) == "EPUB")
            #expect(try container.provenance(of: target)?.maker == .imported)
            let found = try container.attributes(of: target)
            #expect(found.exclusion.state == .included && found.permissions.isDisjoint(with: .setUserID))
            let taken = #expect(throws: ContainerError.self) { try container.importFile(at: outside, to: target) }
            #expect(taken?.code == .alreadyExists)
            try container.importFile(at: outside, to: target, overwrite: .replace)
            let link = outside.deletingLastPathComponent().appending(path: "link")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: outside)
            for (url, code) in [
                (link, ContainerError.Code.notAFile), (outside.deletingLastPathComponent(), .notAFile),
                (outside.appendingPathExtension("x"), .notFound),
                (try #require(URL(string: "https://example.com/a")), .invalidPath),
            ] {
                let error = #expect(throws: ContainerError.self) {
                    try container.importFile(at: url, to: .documents / "b")
                }
                #expect(error?.code == code, "\(url)")
            }
            #expect(try !container.exists(.documents / "b"))
        }
    }
}
