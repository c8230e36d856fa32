import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Files by kind") struct StoreTests {
    private static let url = URL(string: "https://me:pw@example.com:8443/a/b.jpg?token=t#f")

    struct Row: Sendable {
        let kind: ContentKind
        let path: String
        let maker: String
        let isExcluded: Bool
    }

    private static let rows: [Row] =
        url.map { url in
            [
                Row(kind: .userDocument, path: "Documents/x/a", maker: "user", isExcluded: false),
                Row(
                    kind: .userData, path: "Library/Application Support/com.example.app/x/a", maker: "user",
                    isExcluded: false),
                Row(kind: .imported, path: "Documents/x/a", maker: "imported", isExcluded: false),
                Row(
                    kind: .downloaded(from: url, keepOffline: true),
                    path: "Library/Application Support/com.example.app/Downloads/x/a", maker: "downloaded",
                    isExcluded: true),
                Row(
                    kind: .downloaded(from: url, keepOffline: false), path: "Library/Caches/com.example.app/x/a",
                    maker: "downloaded", isExcluded: false),
                Row(
                    kind: .appGenerated, path: "Library/Application Support/com.example.app/Generated/x/a",
                    maker: "derived", isExcluded: true),
                Row(kind: .derived, path: "Library/Caches/com.example.app/x/a", maker: "derived", isExcluded: false),
                Row(kind: .cache, path: "Library/Caches/com.example.app/x/a", maker: "app", isExcluded: false),
                Row(kind: .scratch, path: "tmp/x/a", maker: "app", isExcluded: false),
            ]
        } ?? []

    @Test("Each kind is saved in its directory, with its exclusion and its maker", arguments: rows)
    func table(row: Row) throws {
        try withContainer { container throws in
            let place = try container.store("text", named: "x/a", as: row.kind)
            let path = try container.path(place)
            #expect(path == container.location.appending(row.path))
            #expect(try String(contentsOfFile: path.string, encoding: .utf8) == "text")
            #expect(try container.exclusion(of: place).state == (row.isExcluded ? .excluded : .included))
            let shown = try AttributeTool.attributes(of: path.string)
            #expect(shown["user.appcontainer.provenance"] == Data(row.maker.utf8))
            #expect(
                (shown["user.xdg.origin.url"] == Data("https://example.com:8443/a/b.jpg".utf8))
                    == (row.maker == "downloaded"))
        }
    }

    @Test("The table of the documentation matches the code")
    func documented() throws {
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/AppContainer/Save/ContentKind.swift")
        let lines = try String(contentsOf: source.standardizedFileURL, encoding: .utf8).split(separator: "\n")
        let rows = lines.filter { $0.hasPrefix("/// | `.") }
        #expect(rows.count == Self.rows.count)
        for (line, row) in zip(rows, Self.rows) {
            let directory = row.path.replacing("com.example.app", with: "<id>").replacing("/x/a", with: "")
            #expect(line.contains("`\(directory)`"), "\(line)")
            let isBackedUp = !row.isExcluded && !directory.hasPrefix("Library/Caches") && directory != "tmp"
            #expect(line.contains(isBackedUp ? "| yes |" : "| no |"), "\(line)")
        }
    }

    @Test("Offline downloads are in one excluded directory, which is excluded before its first file is saved")
    func directoryFlag() throws {
        try withContainer { container throws in
            let url = try #require(Self.url)
            try container.store(
                [UInt8](repeating: 1, count: 9), named: "a", as: .downloaded(from: url, keepOffline: true))
            let directory = ContainerPath.applicationSupport / "Downloads"
            #expect(try container.ownMarks(of: directory) == [.modern])
            // The file has no mark of its own, which another program's save would lose.
            #expect(try container.ownMarks(of: .applicationSupport / "Downloads/a").isEmpty)
            #expect(
                try container.excludedItems().map(\.description) == [
                    "Library/Application Support/{bundle-id}/Downloads"
                ])
        }
    }

    @Test("A stored file with an expiry date is removed by the purge, and one that is not regenerable is not")
    func expiry() throws {
        try withContainer { container throws in
            let url = try #require(Self.url)
            let past = Date(timeIntervalSince1970: 0)
            for (name, kind) in [
                ("a", ContentKind.downloaded(from: url, keepOffline: true)), ("b", .derived), ("c", .userDocument),
            ] { try container.store(name, named: name, as: kind, expires: past) }
            #expect(try container.purgeExpired().count == 2)
            #expect(try container.loadText(.documents / "c") == "c")
        }
    }

    @Test("A name that leads out is refused, and nothing is created", arguments: ["../a", "/etc/a", "x/../../a"])
    func hostileNames(name: String) throws {
        try withContainer { container throws in
            for row in Self.rows {
                #expect(throws: ContainerError.self) { try container.store("text", named: name, as: row.kind) }
            }
            #expect(try container.usage().all.items == 1)  // the metadata file
        }
    }

    @Test("Without an identifier, a path that contains it is refused, and others are saved")
    func noIdentifier() throws {
        try withScratch { folder throws in
            try FileManager.default.createDirectory(
                at: folder.appending(path: "Documents"), withIntermediateDirectories: false)
            let container = try Container.open(FilePath(folder.path))
            try container.store("text", named: "a.txt", as: .userDocument)
            let error = #expect(throws: ContainerError.self) { try container.store("x", named: "a", as: .cache) }
            #expect(error?.code == .noIdentifier)
        }
    }
}

@Suite("Provenance") struct ProvenanceTests {
    @Test("Maker, origin, expiry date and line of code are read as they were recorded")
    func roundTrip() throws {
        try withContainer { container throws in
            var container = container
            container.recording = .givenAndSource
            let place = ContainerPath.caches / "a"
            let url = try #require(URL(string: "https://example.com/a"))
            let expiry = Date(timeIntervalSince1970: 1_800_000_000.4)
            try container.save(
                "x", to: place, options: .init(provenance: .downloaded(from: url, expires: expiry)),
                fileID: "M/F.swift", line: 7)
            let provenance = try #require(try container.provenance(of: place))
            #expect(provenance.maker == .downloaded)
            #expect(provenance.origin == "https://example.com/a")
            #expect(provenance.expiry == Date(timeIntervalSince1970: 1_800_000_000))
            #expect(try container.source(of: place) == CodeLocation(fileID: "M/F.swift", line: 7))
            // A save without a provenance keeps it; one with a provenance replaces it.
            try container.save("y", to: place)
            #expect(try container.provenance(of: place) == provenance)
            try container.save("y", to: place, options: .init(provenance: Provenance(.user)))
            #expect(try container.provenance(of: place) == Provenance(.user))
        }
    }

    @Test("The module, file and line of the caller are recorded")
    func source() throws {
        try withContainer { container throws in
            var container = container
            container.recording = .givenAndSource
            let line = UInt(#line + 1)
            try container.save("x", to: .documents / "a")
            let source = try #require(try container.source(of: .documents / "a"))
            #expect(source.module == "AppContainerTests")
            #expect(source == CodeLocation(fileID: #fileID, line: line))
        }
    }

    @Test(
        "One setting disables the recording",
        arguments: [(Provenance.Recording.off, 0), (.given, 1), (.givenAndSource, 2)])
    func recording(recording: Provenance.Recording, count: Int) throws {
        try withContainer { container throws in
            var container = container
            container.recording = recording
            try container.save("x", to: .documents / "a", options: .init(provenance: Provenance(.user)))
            let path = try container.path(.documents / "a").string
            let shown = try AttributeTool.attributes(of: path).keys.filter { $0.hasPrefix("user.") }
            #expect(shown.count == count, "\(shown)")
        }
    }

    @Test(
        "Secrets and URLs without a server are omitted from an origin",
        arguments: [
            ("https://me:pw@example.com/a?q=1#f", "https://example.com/a"), ("file:///root/a", nil),
            ("data:text/plain,x", nil), ("https://example.com", "https://example.com"),
            ("https://example.com/" + String(repeating: "a", count: 3_000), "https://example.com"),
        ] as [(String, String?)])
    func strip(text: String, kept: String?) throws {
        let url = try #require(URL(string: text))
        #expect(Provenance.downloaded(from: url).origin == kept)
    }

    @Test("A file system without room for attributes accepts a save with a recorded line of code")
    func optional() throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "a"
            try container.save("x", to: place)
            let path = try container.path(place).string
            // ext4 stores the attributes of a file in one block.
            let big = String(repeating: "A", count: 3_900)
            guard (try? AttributeTool.set("user.big", to: big, of: path)) != nil else { return }
            try container.save("y", to: place)
            #expect(try container.loadText(place) == "y")
            #expect(try attributes(FilePath(path)).contains("user.big"))
        }
    }
}
