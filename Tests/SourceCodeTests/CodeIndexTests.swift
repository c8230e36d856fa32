import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import SourceCode

@Suite("The index of source code") struct CodeIndexTests {
    private func files(of index: CodeIndex) -> [String] { index.files.map { String(decoding: $0.path, as: UTF8.self) } }

    private func index(_ folder: URL, limits: CodeLimits = CodeLimits()) throws -> CodeIndex {
        try CodeIndex(of: [FilePath(folder.path)], threads: 2, limits: limits)
    }

    private func best(_ index: CodeIndex, _ path: String) -> String? {
        index.answers(for: [Array(path.utf8)])[0].places.first.map {
            "\(String(decoding: $0.path, as: UTF8.self)):\($0.line)"
        }
    }

    @Test("What .gitignore ignores, packages, build results, hidden and minified files are left out")
    func leftOut() throws {
        try withScratch { folder throws in
            try folder.write(
                "let a = \"a.json\"",
                to:
                    "App/A.swift", "Pods/B.swift", "node_modules/x/C.ts", "Carthage/D.swift", ".build/E.swift",
                "build/F.swift",
                "DerivedData/G.swift", "ignored/H.swift", "App/Keep.gen.swift", "App/Lost.gen.swift",
                "App/deep/x/I.swift",
                "App/I.swift", "other/J.swift", "App/a.min.js", "README.md")
            try folder.write(
                "# comment\n/ignored/\n*.gen.swift\n!Keep.gen.swift\nApp/**/I.swift\nother\n", to: ".gitignore")
            try folder.write(
                "const a = \"" + String(repeating: "x.json\",\"", count: 5_000) + "\"", to: "App/bundle.js")
            #expect(files(of: try index(folder)) == ["App/A.swift", "App/Keep.gen.swift"])
        }
    }

    @Test("Folders beside an app for Apple platforms are for other platforms, also by the end of the name")
    func platforms() throws {
        try withScratch { folder throws in
            for name in ["app-mobile", "app-desktop", "server", "lib", "tv-guide"] {
                try folder.write("let a = \"a.json\"", to: "packages/\(name)/A.ts")
            }
            let index = try index(folder)
            let others = index.files.filter { $0.traits.contains(.otherPlatform) }
            #expect(
                others.map { String(decoding: $0.path, as: UTF8.self) }.sorted()
                    == ["packages/app-desktop/A.ts", "packages/server/A.ts"])
        }
    }

    @Test("The line of a hidden file, and of a file whose words hundreds of source files have, is found")
    func placesAmongOthers() throws {
        try withScratch { folder throws in
            try folder.write(
                """
                let log = documentDirectory.appendingPathComponent(".event_logs")
                let list = documentDirectory.appendingPathComponent("accounts").appendingPathComponent("databases.json")
                try data.write(to: list)
                """, to: "App/Storage.swift")
            for number in 0..<200 { try folder.write("show(\"accounts\")\n", to: "App/AccountView\(number).swift") }
            let answers = try index(folder).answers(
                for: ["Documents/.event_logs", "Documents/accounts/databases.json"].map { Array($0.utf8) })
            #expect(answers.map { $0.places.first?.line } == [1, 2])
        }
    }

    @Test("Links are not followed, neither in circles nor out of the root, and a missing root is an error")
    func links() throws {
        try withScratch { folder throws in
            try folder.write("let a = \"a.json\"", to: "root/A.swift", "outside/B.swift")
            try folder.makeLink("root/circle", to: ".")
            try folder.makeLink("root/out", to: "../outside")
            try folder.makeLink("root/C.swift", to: "../outside/B.swift")
            #expect(files(of: try index(folder.appending(path: "root"))) == ["A.swift"])
            #expect(throws: FileSystemError.self) { try index(folder.appending(path: "missing")) }
        }
    }

    @Test("Large files, many files and many bytes end the reading, and the summary says so")
    func limits() throws {
        try withScratch { folder throws in
            try folder.write("let a = \"a.json\"\n", to: "A.swift", "B.swift", "C.swift")
            try folder.makeHole("Generated.swift", size: 20_000_000)
            let whole = try index(folder).summary
            #expect((whole.files, whole.skippedFiles, whole.isCut) == (3, 1, false))
            var few = CodeLimits()
            few.files = 2
            let cut = try index(folder, limits: few).summary
            #expect((cut.files, cut.isCut) == (2, true))
        }
    }

    @Test("An input in the root is not read")
    func input() throws {
        try withScratch { folder throws in
            try folder.write("let a = \"a.json\"", to: "A.swift", "container/Documents/B.swift")
            let index = try CodeIndex(
                of: [FilePath(folder.path)], excluding: [FilePath(folder.path).appending("container")], threads: 1)
            #expect(files(of: index) == ["A.swift"])
        }
    }

    /// Source code that writes files in many ways.
    private static let sources: [String: String] = [
        "Cache/ThumbnailStore.swift": """
        final class ThumbnailStore {
            func save(_ data: Data, id: String) throws {
                let folder = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0]
                let directory = folder.appendingPathComponent("Thumbnails")
                try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
                try data.write(to: directory.appendingPathComponent("thumb_\\(id).jpg"))
            }
        }
        """,
        "Model/LedgerStore.swift": """
        final class Stack {
            let container = NSPersistentContainer(name: "Ledger")
                let folder = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
        }
        """,
        "Model/Names.swift": """
        enum Names {
            static let favorites = "favorite-places.plist"
        }
        """,
        "Model/FavoriteStore.swift": """
        struct FavoriteStore {
            func save(_ data: Data) throws {
                let url = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
                try data.write(to: url.appendingPathComponent(Names.favorites))
            }
        }
        """,
        "lib/boxes.dart": """
        Future<void> openAll(Directory directory) async {
          await Hive.openBox('userSettings', path: directory.path);
          final file = File(join((await getApplicationDocumentsDirectory()).path, 'exports', 'report.csv'));
          await file.writeAsString('');
        }
        """,
        "View/Title.swift":
            "let title = NSLocalizedString(\"Thumbnails\", comment: \"\")\nlet image = UIImage(named: \"report\")\n",
    ]

    private func withSources<Result>(_ body: (CodeIndex) throws -> Result) throws -> Result {
        try withScratch { folder throws in
            for (path, text) in Self.sources { try folder.write(text, to: path) }
            // A source of one file would make no text rare.
            for number in 0..<40 {
                try folder.write("let value\(number) = \"unrelated-\(number)\"\n", to: "Other/F\(number).swift")
            }
            return try body(try index(folder))
        }
    }

    @Test(
        "Components, patterns, constants and defaults of types lead to the line",
        arguments: [
            ("Library/Caches/Thumbnails/4711", "Cache/ThumbnailStore.swift:4"),
            ("Library/Caches/thumb_4711.jpg", "Cache/ThumbnailStore.swift:6"),
            ("Library/Caches/thumb_9e107d9d372bb6826bd81d3542a419d6.jpg", "Cache/ThumbnailStore.swift:6"),
            ("Library/Caches/thumb_.jpg", "Cache/ThumbnailStore.swift:6"),
            ("Library/Application Support/Ledger.sqlite", "Model/LedgerStore.swift:2"),
            ("Library/Application Support/Ledger.sqlite-wal", "Model/LedgerStore.swift:2"),
            ("Documents/favorite-places.plist", "Model/FavoriteStore.swift:4"),
            ("Documents/usersettings.hive", "lib/boxes.dart:2"), ("Documents/exports/report.csv", "lib/boxes.dart:3"),
        ])
    func kinds(path: String, place: String) throws {
        try withSources { index throws in #expect(best(index, path) == place) }
    }

    @Test("The use of a constant is the place, and its declaration is named second")
    func declaration() throws {
        try withSources { index throws in
            let place = try #require(
                index.answers(for: [Array("Documents/favorite-places.plist".utf8)])[0].places.first)
            let declaration = try #require(place.declaration)
            #expect(String(decoding: declaration.path, as: UTF8.self) == "Model/Names.swift")
            #expect(declaration.line == 2)
            #expect(place.confidence >= 0.5 && place.confidence <= 1)
        }
    }

    @Test(
        "Names without words, of one letter or of nobody, and those of the system and of SDKs have no line",
        arguments: [
            "Documents/a", "Documents/7", "Documents/4F6E2A0B-66B2-4A35-9D0C-6F2C9D6F1E01",
            "Documents/Nothing Like It.xyz", "",
            "Documents", "Library/SplashBoard/Snapshots/report.ktx", "Library/Caches/com.apple.dyld/Thumbnails",
        ])
    func nothing(path: String) throws {
        try withSources { index throws in #expect(best(index, path) == nil) }
    }

    @Test("A literal that occurs 10,000 times, and a path of many components, take bounded time")
    func repeated() throws {
        try withScratch { folder throws in
            let lines = String(repeating: "let a = dir.appendingPathComponent(\"common.json\")\n", count: 1_000)
            try folder.write(lines, to: "A.swift", "B.swift")
            let index = try index(folder)
            let long = Array(repeating: "common.json", count: 2_000).joined(separator: "/")
            let answers = index.answers(for: [Array("Documents/common.json".utf8), Array(long.utf8)])
            #expect(answers.allSatisfy { $0.places.count <= CodeIndex.mostPlaces })
        }
    }

    @Test("The same answers come from one thread and from many, and in any order of the paths")
    func deterministic() throws {
        try withScratch { folder throws in
            for (path, text) in Self.sources { try folder.write(text, to: path) }
            let paths = ["Documents/exports/report.csv", "Library/Caches/Thumbnails/thumb_1.jpg"].map { Array($0.utf8) }
            let one = try CodeIndex(of: [FilePath(folder.path)], threads: 1).answers(for: paths)
            let many = try CodeIndex(of: [FilePath(folder.path)], threads: 8).answers(for: paths.reversed())
            #expect(one == many.reversed())
        }
    }

    @Test("The text of a line is read again, without values that look random")
    func text() throws {
        try withScratch { folder throws in
            try folder.write("\n   open(\"a.db\", key: \"q7Zk2Xv9LpR4tW8sYb3N\")  \r\n", to: "A.swift")
            let index = try index(folder)
            let line = try #require(index.text(at: 2, of: 0))
            #expect(line.hasPrefix("open(") && line.hasSuffix(")"))
            #expect(CodeIndex.withoutRandomValues(line) == "open(\"a.db\", key: \"…\")")
            #expect(index.text(at: 9, of: 0) == nil)
            try folder.remove("A.swift")
            #expect(index.text(at: 2, of: 0) == nil)
        }
    }
}
