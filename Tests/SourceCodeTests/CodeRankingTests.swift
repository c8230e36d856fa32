import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import SourceCode

@Suite("The order of the source files that may write an item") struct CodeRankingTests {
    /// The source files of an app, by their paths.
    typealias Sources = [String: String]

    private func withIndex<Result>(of sources: Sources, _ body: (CodeIndex) throws -> Result) throws -> Result {
        try withScratch { folder throws in
            for (path, text) in sources { try folder.write(text, to: path) }
            return try body(try CodeIndex(of: [FilePath(folder.path)], threads: 2))
        }
    }

    /// The files of the evidence, the likeliest first.
    private func files(for path: String, in sources: Sources) throws -> [String] {
        try withIndex(of: sources) { index in
            let evidence = CodeSearch(index: index, items: [ItemPath(Array(path.utf8))]).evidence()[0]
            return evidence.sorted { CodeModel.score($0) > CodeModel.score($1) }
                .map { String(decoding: index.files[$0.file].path, as: UTF8.self) }
        }
    }

    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let path: String
        let first: String
        let sources: Sources
    }

    private static let save = "try data.write(to: url)"

    static let cases: [Case] = [
        Case(
            testDescription: "A file that has a constant of the same name uses its own one",
            path: "Documents/visits.hive", first: "lib/visits.dart",
            sources: [
                "lib/visits.dart": "const _boxName = 'visits';\nfinal box = await Hive.openBox(_boxName);\n",
                "lib/a_routes.dart": "const _boxName = 'routes';\nfinal box = await Hive.openBox(_boxName);\n",
            ]),
        Case(
            testDescription: "A name that is only compared is made elsewhere",
            path: "Documents/atlas.tiles", first: "App/World.swift",
            sources: [
                "App/Check.swift": """
                let all = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
                if all.lastPathComponent == "atlas.tiles" { return }
                """,
                "App/World.swift": """
                let url = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
                    .appendingPathComponent("atlas.tiles")
                """,
            ]),
        Case(
            testDescription: "A value that is only deleted says less than one that is written",
            path: "Documents/outbox.json", first: "App/Outbound.swift",
            sources: [
                "App/Inbound.swift": """
                func go() {
                    let url = documentDirectory.appendingPathComponent("outbox.json")


                    try? FileManager.default.removeItem(at: url)
                }
                """,
                "App/Outbound.swift": """
                func go() {
                    let url = documentDirectory.appendingPathComponent("outbox.json")


                    try data.write(to: url)
                }
                """,
            ]),
        Case(
            testDescription: "A function that exports comes after one that opens",
            path: "Documents/ledger.sqlite", first: "lib/second.dart",
            sources: [
                "lib/first.dart": """
                Future<void> exportLedger() async {
                  final path = join((await getApplicationDocumentsDirectory()).path, 'ledger.sqlite');
                }
                """,
                "lib/second.dart": """
                Future<void> makeLedger() async {
                  final path = join((await getApplicationDocumentsDirectory()).path, 'ledger.sqlite');
                }
                """,
            ]),
        Case(
            testDescription: "A folder of extensions of types is no app extension",
            path: "Documents/trail.log", first: "App/Extensions/Trail.swift",
            sources: [
                "App/Extensions/Trail.swift":
                    "let url = documentDirectory.appendingPathComponent(\"trail.log\")\n\(save)",
                "ShareExtension/Trail.swift":
                    "let url = documentDirectory.appendingPathComponent(\"trail.log\")\n\(save)",
                "App/A.swift": "", "App/B.swift": "", "App/C.swift": "", "App/D.swift": "", "App/E.swift": "",
                "App/F.swift": "", "App/G.swift": "",
            ]),
        Case(
            testDescription: "A manifest is no code of the app",
            path: "Documents/Chart.store", first: "Sources/Chart/Zoom.swift",
            sources: [
                "Package.swift": "let a = File(name: \"Chart.store\")\n",
                "Sources/Chart/Zoom.swift": "let a = File(name: \"Chart.store\")\n",
            ]),
        Case(
            testDescription: "A file that is named after what it keeps up is its writer",
            path: "Documents/backups/4711.bak", first: "App/BackupWriter.swift",
            sources: [
                "App/BackupWriter.swift": "let url = documentDirectory.appendingPathComponent(\"backups\")\n",
                "App/Other.swift": "let url = documentDirectory.appendingPathComponent(\"backups\")\n",
            ]),
        Case(
            testDescription: "A type names its file although its arguments take several lines",
            path: "Library/harbor.isar", first: "lib/open.dart",
            sources: [
                "lib/open.dart": "final db = await Isar.open(\n  [\n    A,\n    B,\n  ],\n  name: 'harbor',\n);\n",
                "lib/a.dart": "final path = File(join(folder.path, 'harbor'));\n",
            ]),
        Case(
            testDescription: "A type names its file after a list of many lines",
            path: "Library/harbor.isar", first: "lib/open.dart",
            sources: [
                "lib/open.dart": "final db = await Isar.open(\n  [\n"
                    + String(repeating: "    A,\n", count: 20) + "  ],\n  name: 'harbor',\n);\n",
                "lib/a.dart": "final path = File(join(folder.path, 'harbor'));\n",
            ]),
        Case(
            testDescription: "A literal with other names around the name is another path",
            path: "Documents/models/base.bin", first: "App/Second.swift",
            sources: [
                "App/First.swift":
                    "let url = documentDirectory.appendingPathComponent(\"vendor/models/tiny\")\n\(save)",
                "App/Second.swift": "let url = documentDirectory.appendingPathComponent(\"models\")\n",
            ]),
        Case(
            testDescription: "A directory beside an inner name is not that of the item",
            path: "Documents/Chapters/partial/1.png", first: "App/Area.swift",
            sources: [
                "App/Area.swift": "let all = documentDirectory\n" + String(repeating: "\n", count: 25)
                    + "let url = folder.appendingPathComponent(\"partial\")\n",
                "App/Zone.swift": "let url = documentDirectory.appendingPathComponent(\"partial\")\n",
            ]),
        Case(
            testDescription: "A use of a constant that deletes says less than one that makes a path",
            path: "Documents/outbox.json", first: "App/Second.swift",
            sources: [
                "App/Names.swift": "enum Names {\n    static let outboxFile = \"outbox.json\"\n}\n",
                "App/First.swift": """
                try FileManager.default.removeItem(at: documentDirectory.appendingPathComponent(Names.outboxFile))
                """,
                "App/Second.swift": """
                let folder = documentDirectory



                let url = folder.appendingPathComponent(Names.outboxFile)
                """,
            ]),
        Case(
            testDescription: "A file of shared places shares nothing",
            path: "Documents/filters/17.txt", first: "App/SharedURLs.swift",
            sources: [
                "App/SharedURLs.swift": "let url = documentDirectory.appendingPathComponent(\"filters\")\n",
                "App/URLs.swift": "let url = documentDirectory.appendingPathComponent(\"filters\")\n",
            ]),
        Case(
            testDescription: "Two constants give a name that no literal has",
            path: "Documents/part_550e8400-e29b-41d4-a716-446655440000", first: "App/Parts.swift",
            sources: [
                "App/Parts.swift": """
                static let prefix = "part_"
                func url(_ id: String) -> URL { documentDirectory.appendingPathComponent("\\(Self.prefix)\\(id)") }
                """,
                "App/Party.swift": "let url = documentDirectory.appendingPathComponent(\"party\")\n\(save)",
            ]),
    ]

    @Test("The writer comes before files that name the item for another reason", arguments: cases)
    func first(_ example: Case) throws {
        #expect(try files(for: example.path, in: example.sources).first == example.first)
    }

    @Test("A file that calls a function which returns the place is a candidate, unless it has a function of this name")
    func functions() throws {
        let found = try files(
            for: "Documents/Processed/track.mp3",
            in: [
                "App/Places.swift": """
                func processedFolderURL() -> URL {
                    documentDirectory.appendingPathComponent("Processed")
                }
                """,
                "App/Importer.swift": "try FileManager.default.moveItem(at: track, to: processedFolderURL())\n",
                "App/Own.swift": """
                func processedFolderURL() -> URL { temporaryDirectory }
                try FileManager.default.createDirectory(at: processedFolderURL())
                """,
            ])
        #expect(found == ["App/Places.swift", "App/Importer.swift"])
    }

    @Test("The ending of a name counts as a word, although the value before it is a number")
    func ending() throws {
        let pattern = ItemPath.Pattern(Array("Harbor \0".utf8)[...])
        #expect(pattern.cover(in: Array("Harbor 2025-11-21".utf8)[...]) == 7.0 / 11)
        #expect(pattern.cover(in: Array("Harbor 2025-11-21.rawlog".utf8)[...]) == 7.0 / 18)
    }

    @Test("A directory contains what a literal names below it, and standard directories contain every item")
    func parts() throws {
        func weight(_ literal: String, for path: String) throws -> Double {
            try withIndex(of: ["App/A.swift": "let a = \"\(literal)\"\n", "App/B.swift": ""]) { index in
                try #require(CodeSearch(index: index, items: [ItemPath(Array(path.utf8))]).evidence()[0].first)[.best]
            }
        }
        let whole = try weight("models", for: "Documents/models")
        #expect(whole > 0)
        #expect(try weight("models/tiny", for: "Documents/models") == whole)
        #expect(try weight("Documents/models", for: "Documents/models") == whole)
        #expect(try weight("other/models", for: "Documents/models") == 0.3 * whole)
        #expect(try weight("models/tiny", for: "Documents/models/base.bin") < whole)
    }

    @Test("Features have weights of their names, and an order")
    func weights() {
        #expect(CodeModel.ordered([.best: 2]).firstIndex(of: 2) == CodeTrial.features.firstIndex(of: "best"))
        #expect(Set(CodeModel.placeWeights.keys) == Set(CodeModel.Feature.allCases))
    }

    @Test("Preferences have the name of a suite, so that a part of it says nothing")
    func preferences() throws {
        let sources = [
            "App/Client.swift": "let path = \"element\"\nlet other = \"group\"\n",
            "App/AppSettings.swift": "let store = UserDefaults(suiteName: \"group.org.element\")\n",
        ]
        #expect(try files(for: "Library/Preferences/group.org.element.plist", in: sources) == ["App/AppSettings.swift"])
    }

    @Test("Code for other platforms and for tests is known by folders at any depth and by words of names")
    func traits() throws {
        let others = ["core/engine/android/Store.kt", "App/MacStore.swift"]
        let tests = ["App/FakeStore.swift", "Project.swift", "metro.config.js"]
        let app = ["App/Store.swift", "App/Machine.swift"]
        var sources: Sources = [:]
        for path in others + tests + app { sources[path] = "let a = \"a.json\"" }
        try withIndex(of: sources) { index in
            func paths(_ trait: CodeFile.Traits) -> Set<String> {
                Set(index.files.filter { $0.traits.contains(trait) }.map { String(decoding: $0.path, as: UTF8.self) })
            }
            #expect(paths(.otherPlatform) == Set(others))
            #expect(paths(.test) == Set(tests))
        }
    }
}
