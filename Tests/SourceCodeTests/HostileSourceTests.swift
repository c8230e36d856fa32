import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import SourceCode

/// `scripts/stress source-code` runs these tests at full size.
@Suite("Hostile source code", .timeLimit(.minutes(60))) struct HostileSourceTests {
    /// The lines of the largest tree.
    private static let lines =
        ProcessInfo.processInfo.environment["SOURCE_LINES"].flatMap { Int($0) } ?? 20_000
    /// Bytes of a file that is as large as one that is read.
    private static let bytes = lines > 20_000 ? CodeLimits().fileBytes - 1 : 100_000

    /// The line that writes the item that each test searches for.
    private static let writer =
        "try data.write(to: documentDirectory.appendingPathComponent(\"timeline-cache.json\"))\n"
    private static let item = Array("Documents/timeline-cache.json".utf8)

    /// Indexes a folder that also contains the line that writes the item, and expects that the line is found.
    @discardableResult
    private func expectFound(_ folder: URL, limits: CodeLimits = CodeLimits()) throws -> CodeIndex {
        try folder.write(Self.writer, to: "App/TimelineCache.swift")
        let index = try CodeIndex(of: [FilePath(folder.path)], threads: 2, limits: limits)
        let place = try #require(index.answers(for: [Self.item])[0].places.first)
        #expect(place.path == Array("App/TimelineCache.swift".utf8) && place.line == 1)
        return index
    }

    @Test("A generated file of 20 MB and a minified file of one line are counted and not read")
    func large() throws {
        try withScratch { folder throws in
            let line = Array("let value = \"timeline-cache.json\" // generated\n".utf8)
            let text = Data([UInt8](repeating: 0, count: 20_000_000 / line.count).flatMap { _ in line })
            try text.write(to: folder.appending(path: "Generated.swift"))
            let short = "a(\"timeline-cache.json\"),"
            let minified = String(repeating: short, count: Self.bytes / short.utf8.count)
            try folder.write(minified, to: "bundle.js", "bundle.ts")
            let summary = try expectFound(folder).summary
            #expect((summary.files, summary.skippedFiles, summary.isCut) == (1, 3, false))
        }
    }

    @Test(
        "Unterminated and nested strings, comments and interpolations take linear time",
        arguments: [
            "\"abc", "'abc", "\"\"\"", "#\"abc", "\"\\(", "\"\\(\"\\(\"", "/*", "/* /*", "`${`${", "r\"", "R\"x(",
            "@\"",
            "$\"{", "\\", "\"\\", "{", "(", "((((\"a", "let a = ", "\"\0", "\u{FEFF}\"", "\"a\nb", "x\"y\" ",
        ],
        ["swift", "m", "cpp", "dart", "ts", "kt", "cs", "go", "rs"])
    func unterminated(piece: String, language: String) throws {
        try withScratch { folder throws in
            let count = max(1, Self.bytes / piece.utf8.count / 20)
            // On lines of their own, and all on few lines.
            try folder.write(String(repeating: piece + "\n", count: count), to: "Lines.\(language)")
            try folder.write(
                String(
                    repeating: String(repeating: piece, count: 300 / piece.utf8.count) + "\n", count: count / 50 + 1),
                to: "Long.\(language)")
            try expectFound(folder)
        }
    }

    @Test("Bytes outside UTF-8 and zeros are read as they are", arguments: ["swift", "dart", "js", "cs"])
    func bytes(language: String) throws {
        try withScratch { folder throws in
            var state: UInt64 = 1
            let random = (0..<Self.bytes).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1
                return UInt8(truncatingIfNeeded: state >> 33)
            }
            try Data(random).write(to: folder.appending(path: "Random.\(language)"))
            try Data("let a = \"timeline\u{e9}\"\n".unicodeScalars.map { UInt8($0.value) })
                .write(to: folder.appending(path: "Latin.\(language)"))
            try #require("let a = \"x\"\n".data(using: .utf16)).write(to: folder.appending(path: "Wide.\(language)"))
            try Data(repeating: 0, count: Self.bytes).write(to: folder.appending(path: "Zeros.\(language)"))
            try expectFound(folder)
        }
    }

    @Test("A literal that occurs 10,000 times and names of one letter make no place")
    func frequent() throws {
        try withScratch { folder throws in
            let line = "let a = directory.appendingPathComponent(\"a\").appendingPathComponent(\"common.json\")\n"
            let files = Self.lines > 20_000 ? 1_000 : 100
            for number in 0..<files {
                try folder.write(String(repeating: line, count: 10_000 / files), to: "Sources/F\(number).swift")
            }
            let index = try expectFound(folder)
            let answers = index.answers(
                for: ["Documents/common.json", "Documents/a", "a", "tmp/a/b/c"].map { Array($0.utf8) })
            #expect(answers.allSatisfy { $0.places.isEmpty })
        }
    }

    @Test("Links in circles and out of the root, deep directories and many patterns are no problem")
    func directories() throws {
        try withScratch { folder throws in
            try folder.write("let a = \"timeline-cache.json\"", to: "outside/B.swift")
            try folder.makeDirectories("root/a/b")
            for (link, target) in [
                ("root/a/b/c", "../.."), ("root/out", "../outside"), ("root/B.swift", "../outside/B.swift"),
            ] {
                try folder.makeLink(link, to: target)
            }
            let deep = Array(repeating: "d", count: 200).joined(separator: "/")
            try folder.write("let a = \"timeline-cache.json\"", to: "root/\(deep)/Deep.swift")
            try folder.write(String(repeating: "**/*a*b*c*d*e*\n", count: 10_000), to: "root/.gitignore")
            let index = try expectFound(folder.appending(path: "root"))
            #expect(index.summary.files == 1)
        }
    }

    @Test("Of too many files, bytes and literals the first ones by path are kept, whatever the number of threads")
    func cut() throws {
        try withScratch { folder throws in
            for number in 0..<60 {
                try folder.write("let a = \"a\(number)x.json\"\n", to: "D\(number % 7)/F\(number).swift")
            }
            var (files, bytes, literals) = (CodeLimits(), CodeLimits(), CodeLimits())
            files.files = 20
            bytes.bytes = 500
            literals.literals = 20
            for limits in [files, bytes, literals] {
                let kept = try [1, 8, 3].map { threads in
                    let index = try CodeIndex(of: [FilePath(folder.path)], threads: threads, limits: limits)
                    #expect(index.summary.isCut)
                    return index.files.map(\.path)
                }
                #expect((20...30).contains(kept[0].count) && Set(kept).count == 1)
                #expect(kept[0] == kept[0].sorted { $0.lexicographicallyPrecedes($1) })
            }
            // The entries that a walk has visited depend on time, so nothing is kept.
            var entries = CodeLimits()
            entries.entries = 30
            let index = try CodeIndex(of: [FilePath(folder.path)], threads: 4, limits: entries)
            #expect(index.summary.isCut && index.files.isEmpty)
        }
    }

    @Test(
        "A repository of many lines is read completely, in memory that grows with its literals")
    func manyLines() throws {
        try withScratch { folder throws in
            // A literal on every second line, so that 5 million lines have fewer than an index keeps.
            let body = (0..<100).map {
                "    let value\($0) = compute(\($0), \"text \($0)\") // a comment about it\n    use(value\($0))\n"
            }.joined()
            let files = max(1, Self.lines / 200)
            for number in 0..<files { try folder.write(body, to: "Sources/M\(number / 500)/F\(number).swift") }
            let index = try expectFound(folder)
            #expect(index.summary.lines >= files * 200 && !index.summary.isCut)
            #expect(index.summary.files == files + 1)
        }
    }
}
