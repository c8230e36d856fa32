import AppContainer
import Foundation
import StoragePolicy
import StoragePolicyTesting
import FileSystem
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("expectCompliant") struct ExpectCompliantTests {
    /// Creates a container with a downloaded cover in Documents, and one without findings.
    private func withContainers(_ body: (_ bad: Container, _ good: Container) throws -> Void) throws {
        try withScratch { folder throws in
            let bad = try Container.create(
                at: FilePath(folder.appending(path: "bad").path), bundleIdentifier: "com.example.app")
            let good = try Container.create(
                at: FilePath(folder.appending(path: "good").path), bundleIdentifier: "com.example.app")
            let url = try #require(URL(string: "https://example.com/a.jpg"))
            try bad.save(
                Data([0xff, 0xd8]), to: .documents / "a.jpg", options: .init(provenance: .downloaded(from: url)))
            try good.save(
                Data([0xff, 0xd8]), to: .caches / "a.jpg", options: .init(provenance: .downloaded(from: url)))
            try body(bad, good)
        }
    }

    private struct Recorded: Sendable {
        let line: Int?
        let text: String
    }

    /// Returns the issues that the body records.
    private func issues(_ body: () -> Void) -> [Recorded] {
        let recorded = LockedValue<[Recorded]>([])
        withKnownIssue(
            isIntermittent: true, body,
            matching: { issue in
                let text = issue.comments.map(\.rawValue).joined(separator: "\n")
                recorded.withLock { $0.append(Recorded(line: issue.sourceLocation?.line, text: text)) }
                return true
            })
        return recorded.withLock { $0 }
    }

    @Test("A finding is an issue at the caller's line, with the remedy and the source line that wrote the file")
    func finding() throws {
        try withContainers { bad, _ throws in
            let line = #line + 1
            let found = issues { expectCompliant(bad, "after the first run") }
            #expect(found.map(\.line) == [line])
            let text = try #require(found.first?.text)
            #expect(text.hasPrefix("after the first run\nerror[regenerable-in-documents]: "), "\(text)")
            #expect(text.contains("\n  --> Documents/a.jpg\n"))
            #expect(text.contains("\n   = written by  StoragePolicyTestingTests/ExpectCompliantTests.swift:"))
            #expect(text.contains("\n   = help  move it to Library/Caches"))
            #expect(text.hasSuffix("\n   = why  `sandboxlint explain regenerable-in-documents`"))
            let url = URL(fileURLWithPath: bad.location.string)
            #expect(issues { expectCompliant(at: url) }.map(\.line) == [#line])
        }
    }

    @Test("A helper function of a test passes its caller's location on")
    func place() throws {
        try withContainers { bad, _ throws in
            func check(sourceLocation: SourceLocation = #_sourceLocation) {
                expectCompliant(bad, sourceLocation: sourceLocation)
            }
            #expect(issues { check() }.map(\.line) == [#line])
        }
    }

    @Test("A container without findings is no issue")
    func clean() throws {
        try withContainers { _, good throws in
            expectCompliant(good, configuration: .stated(.none), failOn: .note)
        }
    }

    private static let stated = "rules: { regenerable-in-documents: warning }"

    @Test("Rules can be selected and ignored, and the lowest severity can be chosen")
    func selection() throws {
        let stated = ConfigurationChoice.stated(try Configuration(file: "c.yml", text: Self.stated))
        try withContainers { bad, _ in
            expectCompliant(bad, select: ["stale", "25"])
            expectCompliant(bad, ignore: ["backup"])
            expectCompliant(bad, select: ["regenerable-in-documents"], configuration: stated)
            let found = issues { expectCompliant(bad, configuration: stated, failOn: .warning) }
            #expect(found.count == 1)
        }
    }

    @Test("An unknown rule is an issue with the nearest name")
    func wrongRule() throws {
        try withContainers { bad, _ in
            let wrong = issues { expectCompliant(bad, select: ["regenerable-in-document"]) }
            #expect(wrong.map(\.line) == [#line - 1])
            #expect(wrong.first?.text.contains("did you mean “regenerable-in-documents”?") == true)
        }
    }

    @Test("The configuration is the closest to the test's source file, with its baseline, or the given file")
    func configuration() throws {
        try withContainers { bad, _ throws in
            let folder = URL(fileURLWithPath: bad.location.string).deletingLastPathComponent()
            let (tests, file) = (folder.appending(path: "Tests"), folder.appending(path: ".sandboxlint.yml"))
            try FileManager.default.createDirectory(at: tests, withIntermediateDirectories: true)
            let here = SourceLocation(
                fileID: "AppTests/T.swift", filePath: tests.appending(path: "T.swift").path, line: 7, column: 1)
            #expect(issues { expectCompliant(bad, sourceLocation: here) }.map(\.line) == [7])
            try Data("rules: { regenerable-in-documents: off }".utf8).write(to: file)
            expectCompliant(bad, sourceLocation: here)
            expectCompliant(bad, configuration: .file(file.path))
            #expect(issues { expectCompliant(bad, configuration: .stated(.none), sourceLocation: here) }.count == 1)
            // The baseline covers the finding, and its entry is stale when the cover is gone.
            try Data("baseline: known.txt\nrules: { unused-suppression: error }\n".utf8).write(to: file)
            let baseline = folder.appending(path: "known.txt").path
            let written = try sandboxlint(
                ["baseline", "write", bad.location.string, "--baseline", baseline])
            #expect(written.code == 0, "\(written.errors)")
            expectCompliant(bad, sourceLocation: here)
            try FileManager.default.removeItem(at: folder.appending(path: "known.txt"))
            #expect(issues { expectCompliant(bad, sourceLocation: here) }.count == 1)
        }
    }

    @Test("A directory that is not a container, and a part that cannot be read, is an issue")
    func unreadable() throws {
        try withScratch { folder throws in
            let nothing = issues { expectCompliant(at: folder) }
            #expect(nothing.count == 1 && nothing.first?.text.contains("is not an app container") == true)
            let gone = issues { expectCompliant(at: folder.appending(path: "gone")) }
            #expect(gone.map(\.line) == [#line - 1])
        }
        try withContainers { _, good throws in
            let plist = try good.path(.preferences / "large.plist").string
            try Data("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>".utf8).write(to: URL(fileURLWithPath: plist))
            try FileHandle(forUpdating: URL(fileURLWithPath: plist)).truncate(atOffset: 1 << 30)
            let found = issues { expectCompliant(good) }
            #expect(
                found.contains { $0.text.hasPrefix("not read: Library/Preferences/large.plist: ") }, "\(found)")
        }
    }
}
