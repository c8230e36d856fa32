import AppContainer
import Foundation
import PolicyAuthoring
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing
import TextOutput

@Suite("A fix") struct FixerTests {
    /// A container with old downloaded files, in its directory.
    private func withContainer(_ paths: [String], _ body: (Container, URL) throws -> Void) throws {
        try withScratch { scratch throws in
            let folder = scratch.appending(path: "c")
            let container = try Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.app")
            for path in paths {
                try folder.write("x", to: path)
                // Only what is proven to be re-downloadable is deleted without consent.
                try AttributeTool.set("user.appcontainer.provenance", to: "downloaded", of: path, in: folder)
                try folder.setTimes("2025-01-01", of: path)
            }
            try body(container, folder)
        }
    }

    private func fix(
        _ container: Container, _ rules: String..., unsafe: Bool = false, showingOnly: Bool = false
    ) throws -> Fixer.Outcome {
        let catalogue = try #require(RuleExampleTests.catalogue)
        let chosen = Set(try rules.map { try catalogue.rule($0).number })
        let linter = try Linter(catalogue: catalogue, now: ExampleRun.now)
        return try Fixer(linter, chosen: chosen, allowsUnsafe: unsafe).fix(container, showingOnly: showingOnly)
    }

    private func told(_ outcome: Fixer.Outcome) -> [String] {
        outcome.units.map { "\($0.verb.rawValue) \(ByteText.escaped($0.path)): \($0.outcome)" }
    }

    @Test("All findings that a report groups are fixed")
    func many() throws {
        try withContainer((100_000..<100_250).map { "tmp/CFNetworkDownload_\($0).tmp" }) { container, folder throws in
            let outcome = try fix(container, "urlsession-spool")
            #expect(outcome.isDone && outcome.units.count == 250 && outcome.left.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/tmp").isEmpty)
            #expect(try Undo.undo(container).conflicts.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/tmp").count == 250)
        }
    }

    @Test(
        "In Documents, Application Support and Preferences nothing is deleted without --unsafe, whatever the rule",
        arguments: ["Documents/a", "Library/Application Support/a", "Library/Preferences"])
    func wall(directory: String) throws {
        let rule = "empty-directory-tree"
        try withContainer([]) { container, folder throws in
            for number in 10...40 { try folder.makeDirectories("\(directory)/\(number)", "tmp/\(number)") }
            let shown = told(try fix(container, rule, showingOnly: true))
            let (own, temporary) = (shown.filter { $0.contains(directory) }, shown.filter { $0.contains(" tmp/") })
            #expect(!own.isEmpty && own.allSatisfy { $0.hasSuffix(": asks") })
            #expect(temporary.count == 31 && temporary.allSatisfy { $0.hasSuffix(": planned") })
            #expect(try !fix(container, rule).left.isEmpty)
            let kept = "\(folder.path)/\(directory)/10"
            #expect(FileManager.default.fileExists(atPath: kept))
            #expect(try fix(container, rule, unsafe: true).left.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: kept))
        }
    }

    @Test("Leftovers recognized only by name and time are not deleted without --unsafe, not even in tmp")
    func guessed() throws {
        try withContainer(["tmp/.dat.nosync1.abcdef", "tmp/film.mp4.part"]) { container, folder throws in
            try folder.write(to: "tmp/young")
            let rules = ["atomic-write-leftover", "partial-download"]
            for (rule, name) in zip(rules, [".dat.nosync1.abcdef", "film.mp4.part"]) {
                #expect(told(try fix(container, rule, showingOnly: true)) == ["remove tmp/\(name): asks"])
            }
        }
    }

    @Test("A file that a rule about loss reports is not deleted")
    func dear() throws {
        try withContainer(["tmp/a"]) { container, folder throws in
            try folder.write("%PDF-1.7", to: "tmp/scans/thesis.pdf")
            try folder.setTimes("2025-01-01", of: "tmp/scans/thesis.pdf")
            #expect(told(try fix(container, "stale-tmp", showingOnly: true)) == ["remove tmp/a: planned"])
            let unsafe = told(try fix(container, "stale-tmp", unsafe: true, showingOnly: true))
            #expect(unsafe == ["remove tmp/a: planned"])
        }
    }

    @Test("Directories that a fix leaves empty are deleted if their rule is selected; otherwise the fix is refused")
    func following() throws {
        try withContainer((10...40).flatMap { ["tmp/\($0)/a", "tmp/\($0)/b"] }) { container, folder throws in
            try folder.write("x", to: "tmp/keep/young")
            let before = try TreeListing(of: folder)
            let alone = try fix(container, "stale-tmp")
            #expect(
                !alone.isDone
                    && told(alone).contains {
                        $0.contains("it would cause a new finding, empty-directory-tree at tmp/10")
                    }
            )
            let both = try fix(container, "stale-tmp", "empty-directory-tree")
            #expect(both.isDone && both.left.isEmpty && both.units.count == 3 * 31)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/tmp") == ["keep"])
            #expect(try Undo.undo(container).conflicts.isEmpty)
            #expect(try TreeListing(of: folder).differences(from: before) == [])
        }
    }

    @Test("A file with several hard links is not excluded, because all links would be excluded")
    func otherNames() throws {
        try withContainer(["Library/a/x.log"]) { container, folder throws in
            for number in 1...3 { try folder.write("text\n", to: "Library/a/\(number).log") }
            try folder.makeName("Library/a/y", of: "Library/a/1.log")
            let outcome = try fix(container, "logs-in-backup", unsafe: true)
            #expect(
                outcome.units.contains {
                    $0.path == Array("Library/a/1.log".utf8)
                        && $0.outcome == .refused("the file has other hard links, which would change as well")
                })
        }
    }

    @Test(
        "A name of any bytes is set aside and restored unchanged",
        .enabled(if: Platform.allowsAnyNames, "APFS refuses names that are not UTF-8"))
    func names() throws {
        try withContainer([]) { container, folder throws in
            try folder.write("x", toBytes: Array("tmp/".utf8) + [0xff] + Array("\u{1b}[31m\n".utf8))
            try folder.appending(path: "tmp").setAllTimes("2025-01-01") { !$1 }
            let before = try TreeListing(of: folder)
            let outcome = try fix(container, "stale-tmp", "name-not-portable", unsafe: true)
            #expect(outcome.units.map { ByteText.escaped($0.path) } == ["tmp/%FF%1B[31m%0A"])
            #expect(try TreeListing(of: folder) != before)
            #expect(try Undo.undo(container).conflicts.isEmpty)
            #expect(try TreeListing(of: folder) == before)
        }
    }

    @Test("A container that cannot be read completely is not changed")
    func incomplete() throws {
        try withContainer(["tmp/a"]) { container, folder throws in
            var deepest = "tmp"
            for _ in 0..<1100 {
                deepest += "/d"
                try folder.makeDirectories(deepest)
            }
            let outcome = try fix(container, "stale-tmp")
            #expect(!outcome.isDone && !outcome.incidents.isEmpty)
            #expect(FileManager.default.fileExists(atPath: folder.path + "/tmp/a"))
        }
    }

    @Test("A link in place of the undo folder is not followed")
    func link() throws {
        try withContainer(["tmp/a"]) { container, folder throws in
            try folder.makeDirectories("../elsewhere")
            try folder.makeLink("../c.sandboxlint-undo", to: "elsewhere")
            #expect(throws: ContainerError.self) { try fix(container, "stale-tmp") }
            let elsewhere = folder.deletingLastPathComponent().appending(path: "elsewhere").path
            #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
            #expect(FileManager.default.fileExists(atPath: folder.path + "/tmp/a"))
        }
    }

    @Test("An invalid journal is not used, and nothing is changed")
    func journal() throws {
        try withContainer(["tmp/a"]) { container, folder throws in
            try folder.write("{\"form\": \"other\"}\n", to: "../c.sandboxlint-undo/begun.json")
            try folder.setMode("700", of: "../c.sandboxlint-undo")
            #expect(throws: ContainerError.self) { try fix(container, "stale-tmp") }
            #expect(throws: ContainerError.self) { try Undo.undo(container) }
            #expect(FileManager.default.fileExists(atPath: folder.path + "/tmp/a"))
        }
    }

    @Test("A journal cannot reach out of the container")
    func journalOutside() throws {
        try withContainer(["tmp/a"]) { container, folder throws in
            try folder.write("precious\n", to: "../precious")
            let scratch = folder.deletingLastPathComponent()
            #expect(try fix(container, "stale-tmp").isDone)
            let file = scratch.appending(path: "c.sandboxlint-undo/done.json")
            let path = Data("tmp/a".utf8).base64EncodedString()
            let text = try String(contentsOf: file, encoding: .utf8).replacing("\\/", with: "/")
            #expect(text.contains(path))
            try Data(text.replacing(path, with: Data("../stolen".utf8).base64EncodedString()).utf8).write(to: file)
            #expect(throws: ContainerError.self) { try Undo.undo(container) }
            #expect(!FileManager.default.fileExists(atPath: scratch.path + "/stolen"))
        }
    }
}
