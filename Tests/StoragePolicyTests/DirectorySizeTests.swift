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

@Suite("Sizes of reported directories") struct DirectorySizeTests {
    private static let own = "c/Library/Application Support/com.example.app"

    private func withContainer(_ body: (URL) throws -> Void) throws {
        try withScratch { folder throws in
            _ = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            try body(folder)
        }
    }

    private func lint(_ folder: URL, threads: Int = 2, _ rules: String...) throws -> LintReport {
        var catalogue = try Catalogue.embedded()
        try catalogue.restrict(select: rules, ignore: [])
        let container = try Container.open(FilePath(folder.appending(path: "c").path))
        return try Linter(catalogue: catalogue, now: ExampleRun.now, threads: threads).lint(container)
    }

    private func write(_ size: Int, to path: String, in folder: URL) throws {
        try folder.write(Data(repeating: 1, count: size), to: path)
    }

    @Test("A directory has the bytes of all files below it, also one within another, with any number of threads")
    func nested() throws {
        try withContainer { folder throws in
            try write(10, to: "\(Self.own)/ImageCache/index", in: folder)
            try write(200, to: "\(Self.own)/ImageCache/a/b/1.jpg", in: folder)
            try write(3_000, to: "\(Self.own)/ImageCache/a/Caches/c/2.jpg", in: folder)
            try write(40_000, to: "\(Self.own)/other.bin", in: folder)
            for threads in [1, 2, 8] {
                let findings = try lint(folder, threads: threads, "cache-directory-misplaced").findings
                #expect(findings.map { $0.displayPath.suffix(10) } == ["ImageCache", "e/a/Caches"])
                #expect(findings.map(\.bytes) == [3_210, 3_000])
                #expect(findings.map(\.items) == [1, 1])
            }
        }
    }

    @Test("Many directories that are one finding have the bytes of all, and none is the largest file")
    func combined() throws {
        try withContainer { folder throws in
            for number in 0..<130 {
                try write(number, to: "\(Self.own)/models/\(number).mlmodelc/weights/w.bin", in: folder)
            }
            let findings = try lint(folder, "code-or-model-bundle-in-backup").findings
            #expect(findings.map(\.items) == [130] && findings.map(\.bytes) == [130 * 129 / 2])
            #expect(findings.first?.largest == nil)
        }
    }

    @Test("Of directories whose names collide, the reported one has its own bytes")
    func collision() throws {
        try withContainer { folder throws in
            try write(5, to: "c/Documents/Albums/x/1", in: folder)
            try write(70, to: "c/Documents/albums/x/1", in: folder)
            let findings = try lint(folder, "unicode-collision").findings
            #expect(findings.map(\.displayPath) == ["Documents/Albums"] && findings.map(\.bytes) == [5])
        }
    }

    @Test("A baseline accepts a directory that grows")
    func baseline() throws {
        try withContainer { folder throws in
            try write(100, to: "\(Self.own)/Pets.mlmodelc/model.bin", in: folder)
            var report = try lint(folder, "code-or-model-bundle-in-backup")
            let baseline = Baseline(report)
            #expect(
                baseline.entries.map(\.line) == [
                    "code-or-model-bundle-in-backup com.example.app "
                        + "Library/Application%20Support/com.example.app/ max:items=2"
                ])
            try write(5_000, to: "\(Self.own)/Pets.mlmodelc/model.bin", in: folder)
            report = try lint(folder, "code-or-model-bundle-in-backup")
            report.apply(baseline, toInputs: [0])
            #expect(report.findings.isEmpty && report.acceptedFindings.map(\.bytes) == [5_000])
        }
    }
}
