import AppContainer
import ChangeHistory
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

@Suite("The undo folder") struct UndoFolderTests {
    /// A container with a stale file, and what lies beside it.
    private func withStale(_ body: (Container, _ beside: URL, _ file: URL) throws -> Void) throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "c")
            let container = try Container.create(at: FilePath(path.path), bundleIdentifier: "com.example.app")
            try container.save("private draft", to: .temporary / "a/draft.part")
            try container.save("x", to: .temporary / "a/young")
            let file = path.appending(path: "tmp/a/draft.part")
            try AttributeTool.set("user.appcontainer.provenance", to: "downloaded", of: "tmp/a/draft.part", in: path)
            try folder.setTimes("2020-01-01", of: file.path)
            try body(container, folder.appending(path: "c.sandboxlint-undo"), file)
        }
    }

    private func fixer() throws -> Fixer {
        let catalogue = try #require(RuleExampleTests.catalogue)
        return try Fixer(
            Linter(catalogue: catalogue, now: ExampleRun.now), chosen: [try catalogue.rule("stale-tmp").number],
            allowsUnsafe: false)
    }

    /// Each command that opens it.
    private func expectRefusals(_ container: Container, because reason: String) throws {
        for command in [
            { _ = try fixer().fix(container, showingOnly: false) },
            { _ = try fixer().fix(container, showingOnly: true) },
            { _ = try Undo.undo(container) }, { _ = try Undo.forget(container) },
        ] as [() throws -> Void] {
            let error = #expect(throws: UntrustedUndoFolder.self) { try command() }
            #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
        }
    }

    @Test(
        "is refused if other users may read or write it, and nothing is changed", arguments: [0o777, 0o750, 0o704])
    func open(mode: Int) throws {
        try withStale { container, beside, file throws in
            try FileManager.default.createDirectory(
                at: beside.appending(path: "aside"), withIntermediateDirectories: true)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: beside.path)
            try expectRefusals(container, because: "is open to other users (mode 0\(String(mode, radix: 8)))")
            #expect(FileManager.default.fileExists(atPath: file.path))
            #expect(try FileManager.default.contentsOfDirectory(atPath: beside.path) == ["aside"])
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: beside.path)
            #expect(try fixer().fix(container, showingOnly: false).isDone)
            #expect(try Undo.undo(container).conflicts.isEmpty && FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test(
        "is refused if another user owns it", .needs(.root),
        .enabled(if: getuid() == 0, "only root can give files away"))
    func foreign() throws {
        try withStale { container, beside, file throws in
            try FileManager.default.createDirectory(
                at: beside, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try #require(chown(beside.path, 65534, 65534) == 0)
            try expectRefusals(container, because: "belongs to another user (uid 65534)")
            #expect(FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test("is accessible to its owner only, whatever the umask")
    func own() throws {
        try withStale { container, beside, _ throws in
            let old = umask(0)
            defer { umask(old) }
            #expect(try fixer().fix(container, showingOnly: false).isDone)
            #expect(try mode(of: beside.path) == "700" && mode(of: beside.path + "/aside") == "700")
        }
    }
}
