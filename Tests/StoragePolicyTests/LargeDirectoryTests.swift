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
import ToolSupport

/// A directory is read before its items are judged, and a large one in parts.
@Suite("Directories in parts") struct LargeDirectoryTests {
    private func lint(_ container: Container, threads: Int, _ rules: String...) throws -> LintReport {
        var catalogue = try Catalogue.embedded()
        try catalogue.restrict(select: rules, ignore: [])
        return try Linter(catalogue: catalogue, now: ExampleRun.now, threads: threads).lint(container)
    }

    private func withContainer(directories: Int, _ body: (Container, URL) throws -> Void) throws {
        try withScratch { folder throws in
            let root = folder.appending(path: "c")
            let container = try Container.create(at: FilePath(root.path), bundleIdentifier: "com.example.app")
            for number in 0..<directories {
                try FileManager.default.createDirectory(
                    at: root.appending(path: "Documents/album \(number)"), withIntermediateDirectories: true)
            }
            try body(container, root)
        }
    }

    @Test("Answers about siblings are the same in any part of a directory", arguments: [0, 1_400])
    func siblings(directories: Int) throws {
        try withContainer(directories: directories) { container, root throws in
            for name in ["app.log", "app.log.1", "app.log.2", "library.sqlite", "tmp/part"] {
                try Data("12:00 started\n".utf8).write(creating: root.appending(path: "Documents/\(name)"))
            }
            for threads in [1, 2] {
                let report = try lint(container, threads: threads, "logs-in-backup", "cache-directory-misplaced")
                #expect(
                    report.findings.map { "\($0.rule.id) \($0.displayPath)" }.sorted() == [
                        "cache-directory-misplaced Documents/tmp", "logs-in-backup Documents/app.log",
                        "logs-in-backup Documents/app.log.1", "logs-in-backup Documents/app.log.2",
                    ])
                #expect(report.findings.allSatisfy { $0.evidence.contains { $0.kind == "siblings" } })
            }
            // Without its siblings, neither a log nor such a directory is the app's.
            for name in ["app.log.1", "app.log.2", "library.sqlite"] {
                try FileManager.default.removeItem(at: root.appending(path: "Documents/\(name)"))
            }
            #expect(
                try lint(container, threads: 2, "logs-in-backup", "cache-directory-misplaced").findings.isEmpty)
        }
    }

    @Test("Many findings of the parts of a directory become one finding of the directory")
    func oneFinding() throws {
        try withContainer(directories: 1_400) { container, root throws in
            for number in 0..<150 {
                try container.save(
                    Data(count: 1 + number % 7), to: .documents / "\(number).jpg",
                    options: .init(durability: .none, provenance: Provenance(.downloaded)))
            }
            let findings = try [1, 2].map { try lint(container, threads: $0, "regenerable-in-documents").findings }
            for findings in findings {
                let finding = try #require(findings.first)
                #expect(findings.count == 1 && finding.displayPath == "Documents" && finding.items == 150)
                #expect(finding.largest == Array("Documents/104.jpg".utf8))
            }
        }
    }

    @Test(
        "Each directory is read once, also if stores are searched for names", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs strace"))
    func oneWalk() throws {
        try withContainer(directories: 20) { container, root throws in
            try root.write("recorded", to: "tmp/takes/take 1.m4a")
            try root.write(#"{"file": "take 1.m4a"}"#, to: "Documents/album 7/takes.json")
            let folder = root.deletingLastPathComponent()
            func readings() throws -> (text: String, listings: Int) {
                let run = try Command(
                    "strace",
                    ["-f", "-qq", "-e", "trace=getdents64", "-o", "trace", Command.sandboxlint, "lint", "c"]
                        + ["--isolated", "--select", "user-data-in-tmp", "--now", "2026-01-01"], in: folder)
                let trace = try String(contentsOf: folder.appending(path: "trace"), encoding: .utf8)
                return (run.text, trace.split(separator: "\n").count { $0.contains("getdents64(") })
            }
            try root.setTimes("2026-01-01", of: "tmp/takes/take 1.m4a")
            let recent = try readings()
            #expect(!recent.text.contains("takes.json") && recent.listings >= 20, "\(recent)")
            try root.setTimes("2025-01-01", of: "tmp/takes/take 1.m4a")
            let old = try readings()
            #expect(old.text.contains("named by Documents/album 7/takes.json"), "\(old.text)")
            #expect(old.listings == recent.listings)
        }
    }

    @Test(
        "The system is not asked for siblings that the directory does not have", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs strace"))
    func knownSiblings() throws {
        try withContainer(directories: 0) { _, root throws in
            for number in 0..<200 {
                // Rules ask for the database beside a log, and for the original beside an edited photo.
                for name in [
                    "\(number).sqlite-wal", "\(number).sqlite", "\(number).json", "photo \(number) edited.jpg",
                ] {
                    try Data(count: 64).write(creating: root.appending(path: "Library/Application Support/x/\(name)"))
                }
            }
            let folder = root.deletingLastPathComponent()
            let run = try Command(
                "strace", ["-f", "-qq", "-e", "trace=statx", "-o", "trace", Command.sandboxlint, "lint", "c"],
                in: folder)
            let trace = try String(contentsOf: folder.appending(path: "trace"), encoding: .utf8)
            let asked = trace.split(separator: "\n").filter { $0.contains(".sqlite") || $0.contains("photo") }
            #expect(run.code <= 1 && asked.count >= 600, "\(run.errors)")
            #expect(asked.filter { $0.contains("ENOENT") } == [])
        }
    }
}

extension Data {
    fileprivate func write(creating file: URL) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try write(to: file)
    }
}
