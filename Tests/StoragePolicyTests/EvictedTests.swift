import AppContainer
import CFileSystem
import FileSystem
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

@Suite("A container with evicted files", .timeLimit(.minutes(60))) struct EvictedTests {
    private func withContainer(_ body: (_ container: Container, _ folder: URL) throws -> Void) throws {
        try withScratch { scratch throws in
            let folder = scratch.appending(path: "c")
            try body(try Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.app"), folder)
        }
    }

    @Test("An evicted file is an incident of its own kind and is not opened; the rest is evaluated")
    func lint() throws {
        try withScratch { scratch throws in
            let path = FilePath(scratch.appending(path: "c").path)
            let made = try Container.create(at: path, bundleIdentifier: "com.example.app")
            for name in ["evicted.jpg", "here.jpg"] {
                try made.save(
                    Data([0xff, 0xd8, 0xff]), to: .documents / name, options: .init(provenance: Provenance(.downloaded))
                )
            }
            let opened = LockedValue<[String]>([])
            var calls = Syscalls.live
            // A substitute for the status of Darwin, which has a flag for evicted items.
            calls.status = { directory, name, status in
                let result = cfs_status_at(directory, name, status)
                if String(cString: name).hasPrefix("evicted") { status.pointee.dataless = true }
                return result
            }
            calls.open = { directory, name, how, permissions in
                opened.withLock { $0.append(String(cString: name)) }
                return cfs_open_at(directory, name, how, permissions)
            }
            calls.openBeneath = { directory, name, how, permissions in
                opened.withLock { $0.append(String(cString: name)) }
                return cfs_open_beneath(directory, name, how, permissions)
            }
            let container = try Container.open(path, bundleIdentifier: nil, calls: calls)
            var catalogue = try Catalogue.embedded()
            try catalogue.restrict(
                select: ["regenerable-in-documents", "content-elsewhere", "extension-magic-mismatch"], ignore: [])
            let report = try Linter(catalogue: catalogue, now: ExampleRun.now, threads: 2).lint(container)
            #expect(report.incidents.map(\.displayPath) == ["Documents/evicted.jpg"])
            #expect(report.incidents.map(\.reason) == [.notDownloaded])
            #expect(report.incidents.first?.reason.rawValue == "not-downloaded")
            let findings = report.findings.map { "\($0.rule.id) \($0.displayPath)" }
            #expect(
                Set(findings) == [
                    "content-elsewhere Documents/evicted.jpg", "regenerable-in-documents Documents/evicted.jpg",
                    "regenerable-in-documents Documents/here.jpg",
                ])
            #expect(opened.withLock { !$0.contains { $0.contains("evicted") } })
        }
    }

    @Test(
        "Files without content are one note for each directory, and are no duplicates or hidden documents",
        .enabled(if: Platform.isLinux, "macOS marks evicted files"))
    func holes() throws {
        try withContainer { container, folder throws in
            for name in ["a", "b", "c"] { try folder.makeHole("Documents/\(name).mov", size: 5 << 20) }
            try folder.write("bplist00", to: "Documents/Letters/.Report.pages.icloud")
            // A hole of the same size that is not evicted.
            for name in ["d", "e"] {
                try folder.write("data", to: "Documents/\(name).mov")
                try folder.resize("Documents/\(name).mov", to: 5 << 20)
            }
            let linter = try Linter(catalogue: .embedded(), threads: 2)
            let report = try linter.lint(container)
            let notes = report.findings.filter { $0.rule.id == "content-elsewhere" }
            #expect(notes.map(\.displayPath) == ["Documents", "Documents/Letters/.Report.pages.icloud"])
            #expect(notes.map(\.items) == [3, 1] && notes.allSatisfy { $0.severity == .note })
            #expect(
                report.findings.filter { $0.rule.id == "duplicate-in-backup" }.map(\.displayPath)
                    == ["Documents/e.mov"])
            let hidden: Set = ["hidden-user-document", "internals-in-shared-documents", "undeclared-bulk-in-backup"]
            #expect(!report.findings.contains { hidden.contains($0.rule.id) && $0.displayPath.contains(".icloud") })
            let explained = try #require(try linter.explain("Documents/a.mov", in: container))
            #expect(explained.unweighed == "content not on this disk")
            #expect(explained.verdicts.contains { $0.rule.id == "content-elsewhere" && $0.outcome == .found })
        }
    }

    @Test(
        "Preferences without content are an incident and no finding about their content",
        .enabled(if: Platform.isLinux, "macOS marks evicted files"))
    func preferences() throws {
        try withContainer { container, folder throws in
            try folder.makeHole("Library/Preferences/com.example.app.plist", size: 10_000)
            let report = try Linter(catalogue: .embedded(), threads: 1).lint(container)
            #expect(report.incidents.map(\.reason) == [.contentMissing])
            let found = report.findings.filter { $0.displayPath.hasPrefix("Library/Preferences/") }
            #expect(found.map(\.rule.id) == ["content-elsewhere"])
        }
    }
}
