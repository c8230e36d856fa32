import Foundation
import TestSupport
import Testing

@Suite("Guides, README, docs and documentation comments", .timeLimit(.minutes(60))) struct GuideTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let modules = [
        "AppContainer", "AutoArchived", "ContainerArchives", "ContainerDatabases", "ContainerPreferences",
    ]

    private static func sources(_ module: String) -> URL { root.appending(path: "Sources/\(module)") }

    /// Returns the files beneath a directory with an extension.
    private static func files(_ folder: URL, _ ending: String) throws -> [(name: String, text: String)] {
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let files = (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == ending }
        return try files.map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
    }

    @Test("A test compiles and runs all Swift code that they show, and they show all code that a test marks as shown")
    func shown() throws {
        var shown = DocumentationPage.guides.flatMap { page in
            Snippet.fenced(in: page.text, file: page.url.lastPathComponent)
        }
        for module in Self.modules {
            for file in try Self.files(Self.sources(module), "md") {
                shown += Snippet.fenced(in: file.text, file: file.name)
            }
            for file in try Self.files(Self.sources(module), "swift") {
                shown += Snippet.documented(in: file.text, file: file.name)
            }
        }
        shown += RemedyTests.shown
        let tests = try Self.files(URL(fileURLWithPath: #filePath).deletingLastPathComponent(), "swift")
        let marked = tests.flatMap { Snippet.marked(in: $0.text) }

        #expect(Snippet.complaints(shown: shown, marked: marked).isEmpty)
        let showing = Set(shown.map(\.file))
        #expect(showing.isSuperset(of: ["README.md", "library.md", "SaveSafely.md", "Preferences.swift"]))
    }

    @Test("A block without a counterpart is reported, on either side; indentation is ignored")
    func complaints() {
        let guide = "Text\n\n```swift\ntry a()\nif b {\n    c()\n}\n```\n```sh\nls\n```\n```swift\ntry d()\n```\n"
        let comment = """
                /// A meaning.
                ///
                ///     try e()
                ///     f()
                ///
                /// - Parameters:
                ///   - g: A sentence that
                ///     goes on.
                func h()
            """
        let test = """
                \(Snippet.opening)Guide.md
                try a()
                if b {
                    c()
                }
                \(Snippet.closing)
            \(Snippet.opening)H.swift
            try e()
            f()
            \(Snippet.closing)
                \(Snippet.opening)Guide.md
                try gone()
                \(Snippet.closing)
            """
        let shown = Snippet.fenced(in: guide, file: "Guide.md") + Snippet.documented(in: comment, file: "H.swift")
        #expect(shown.map(\.text) == ["try a()\nif b {\n    c()\n}", "try d()", "try e()\nf()"])
        #expect(
            Snippet.complaints(shown: shown, marked: Snippet.marked(in: test)) == [
                "Guide.md:13 shows what no test compiles and runs:\ntry d()",
                "Guide.md does not show what a test marks as its own, in line 12 of the test:\ntry gone()",
            ])
    }

    @Test(
        "DocC builds the documentation of each library without a warning", .needs(.externalProgram),
        .enabled(if: (try? Command("which", ["docc"]).code) == 0, "needs docc, which is part of Swift's toolchains"),
        arguments: modules)
    func docc(module: String) throws {
        try withScratch { scratch throws in
            try SymbolGraph.extract(module, into: scratch)
            let made = try Command(
                "docc",
                [
                    "convert", Self.sources(module).appending(path: "\(module).docc").path,
                    "--additional-symbol-graph-dir", scratch.path, "--output-dir",
                    scratch.appending(path: "out").path, "--fallback-display-name", module,
                    "--fallback-bundle-identifier", "com.example.\(module)", "--warnings-as-errors",
                ])
            #expect(made.code == 0 && made.errors.isEmpty, "\(made.text)\(made.errors)")
        }
    }
}
