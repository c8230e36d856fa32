import AppContainer
@testable import ContainerExplorer
import ContainerPreferences
import Foundation
import SystemPackage
import TestSupport
import Testing

/// A container with a few items, and its editor.
struct EditorScene {
    let container: Container
    /// The directory of the container, the undo folder beside it, and the directory of both.
    let root: URL
    let undoFolder: URL
    let folder: URL
    var editor: ContainerEditor { ContainerEditor(container) }

    static func run(_ body: (EditorScene) throws -> Void) throws {
        try withScratch { folder throws in
            let root = folder.appending(path: "c")
            let container = try Container.create(at: FilePath(root.path), bundleIdentifier: "com.example.app")
            for (path, text) in [("Documents/a.txt", "a"), ("Documents/b.txt", "bb"), ("Documents/d/x.txt", "xxx")] {
                try container.save(text, to: ContainerPath(path))
            }
            try container.createDirectory(.documents / "d/empty")
            try folder.setTimes("2020-01-01", of: root.path + "/Documents/a.txt")
            let scene = EditorScene(
                container: container, root: root, undoFolder: folder.appending(path: "c.sandboxlint-undo"),
                folder: folder)
            try body(scene)
        }
    }

    var hasUndoFolder: Bool { FileManager.default.fileExists(atPath: undoFolder.path) }

    func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: root.path + "/" + path) }

    /// Takes the last change for one that a signal has interrupted.
    func interrupt(_ number: Int) throws {
        let entry = undoFolder.path + "/sandboxfm/00000\(number)"
        try FileManager.default.moveItem(atPath: entry + "/done.json", toPath: entry + "/begun.json")
    }
}

func bytes(_ path: String) -> [UInt8] { Array(path.utf8) }

@Suite("Changes of a container") struct ContainerEditorTests {
    /// A kind of change, by its name.
    struct Request: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (EditorScene) throws -> ChangeReport

        init(_ name: String, _ run: @escaping @Sendable (EditorScene) throws -> ChangeReport) {
            (testDescription, self.run) = (name, run)
        }
    }

    static let requests = [
        Request("delete a file") { try $0.editor.delete([bytes("Documents/a.txt")]) },
        Request("delete several items") {
            try $0.editor.delete([bytes("Documents/d"), bytes("Documents/d/x.txt"), bytes("Documents/b.txt")])
        },
        Request("copy a file") { try $0.editor.copy([bytes("Documents/a.txt")], into: bytes("Documents/d")) },
        Request("copy a directory") { try $0.editor.copy([bytes("Documents/d")], into: bytes("tmp")) },
        Request("move a directory") { try $0.editor.move([bytes("Documents/d")], into: bytes("Library")) },
        Request("move to missing directories") {
            try $0.editor.move([bytes("Documents/a.txt")], into: bytes("Documents/new/deep"))
        },
        Request("rename") { try $0.editor.rename(bytes("Documents/a.txt"), to: [0xff, 0x0a]) },
        Request("rename several") {
            try $0.editor.rename(
                [bytes("Documents/a.txt"), bytes("Documents/d"), bytes("Documents/d/x.txt")], by: RenamePattern("*-#"))
        },
        Request("make a directory") { try $0.editor.makeDirectory(bytes("new"), in: bytes("Documents/d")) },
        Request("exclude") { try $0.editor.exclude([bytes("Documents/d"), bytes("Documents/a.txt")]) },
        Request("exclude everything below") { try $0.editor.exclude([bytes("Documents/d")], recursively: true) },
        Request("put") { try $0.editor.put([bytes("Documents/b.txt")], of: $0.container, into: bytes("tmp")) },
        Request("put a directory over a border") {
            try $0.editor.put([bytes("Documents/d")], of: $0.container, into: bytes("Library"))
        },
    ]

    @Test("are reverted to the same names, contents, attributes, modes and times", arguments: requests)
    func reverted(request: Request) throws {
        try EditorScene.run { scene throws in
            let before = try TreeListing(of: scene.root)
            let report = try request.run(scene)
            #expect(report.isComplete && report.undo == .kept(number: 1), "\(report)")
            #expect(try TreeListing(of: scene.root) != before)
            let changes = try scene.editor.changes()
            #expect(changes.map(\.number) == [1] && changes[0].state == .done)
            #expect(changes[0].text.hasPrefix(report.changes[0].action.rawValue.prefix(3)), "\(changes[0].text)")
            let undo = try scene.editor.undo()
            #expect(undo.number == 1 && undo.conflicts.isEmpty && !undo.wasInterrupted)
            #expect(try TreeListing(of: scene.root).differences(from: before) == [])
            #expect(try scene.editor.undo().number == nil)
        }
    }

    @Test("that are interrupted are reverted by the next change", arguments: requests)
    func interrupted(request: Request) throws {
        try EditorScene.run { scene throws in
            let before = try TreeListing(of: scene.root)
            #expect(try request.run(scene).isComplete)
            try scene.interrupt(1)
            #expect(try scene.editor.changes().map(\.state) == [.begun])
            #expect(try scene.editor.recover().map(\.wasInterrupted) == [true])
            #expect(try TreeListing(of: scene.root).differences(from: before) == [])
            #expect(!scene.hasUndoFolder)
            #expect(try request.run(scene).isComplete)
            try scene.interrupt(1)
            #expect(try request.run(scene).isComplete)
            #expect(try scene.editor.undo().conflicts.isEmpty)
            #expect(try TreeListing(of: scene.root).differences(from: before) == [])
        }
    }

    @Test(
        "include removes every mark that Apple's backups honor, and its undo sets them again", .needs(.externalProgram))
    func include() throws {
        try EditorScene.run { scene throws in
            for name in ["user.com.apple.MobileBackup", "user.com.apple.metadata:com_apple_backup_excludeItem"] {
                try AttributeTool.set(name, to: "true", of: "Documents/a.txt", in: scene.root)
            }
            let before = try TreeListing(of: scene.root)
            #expect(try scene.editor.include([bytes("Documents/a.txt")]).isComplete)
            #expect(try scene.container.exclusion(of: .documents / "a.txt").state == .included)
            #expect(try scene.editor.undo().conflicts.isEmpty)
            #expect(try TreeListing(of: scene.root).differences(from: before) == [])
        }
    }

    @Test("A deleted item does not replace a new one with its name; both stay, and a second undo completes the first")
    func deletedConflict() throws {
        try EditorScene.run { scene throws in
            _ = try scene.editor.delete([bytes("Documents/a.txt"), bytes("Documents/b.txt")])
            try scene.container.save("new", to: .documents / "a.txt")
            let undo = try scene.editor.undo()
            #expect(undo.conflicts == [.init(path: "Documents/a.txt", reason: "a new item has its name")])
            #expect(try scene.text("Documents/a.txt") == "new" && scene.text("Documents/b.txt") == "bb")
            #expect(try scene.editor.changes().map(\.state) == [.conflict])
            try scene.container.move(.documents / "a.txt", to: .documents / "new.txt")
            #expect(try scene.editor.undo(1).conflicts.isEmpty)
            #expect(try scene.text("Documents/a.txt") == "a" && !scene.hasUndoFolder)
        }
    }

    @Test("A copy that was changed is not withdrawn; an unchanged one is kept in the undo folder")
    func copies() throws {
        try EditorScene.run { scene throws in
            _ = try scene.editor.copy([bytes("Documents/d"), bytes("Documents/a.txt")], into: bytes("tmp"))
            try scene.folder.write("changed", to: "c/tmp/d/x.txt")
            let undo = try scene.editor.undo()
            #expect(undo.conflicts.map(\.path) == ["tmp/d"] && undo.conflicts[0].reason.contains("changed since"))
            #expect(try scene.text("tmp/d/x.txt") == "changed" && !scene.exists("tmp/a.txt"))
            _ = try scene.editor.copy([bytes("Documents/b.txt")], into: bytes("tmp"))
            try scene.container.remove(.documents / "b.txt")
            #expect(try scene.editor.undo().conflicts.isEmpty && !scene.exists("tmp/b.txt"))
            #expect(try scene.editor.changes().first?.state == .undone)
            #expect(
                try String(contentsOf: scene.undoFolder.appending(path: "sandboxfm/000002/aside/0"), encoding: .utf8)
                    == "bb")
        }
    }

    @Test("A moved item that another one has replaced is not moved back")
    func moved() throws {
        try EditorScene.run { scene throws in
            _ = try scene.editor.rename(bytes("Documents/a.txt"), to: bytes("z.txt"))
            try FileManager.default.removeItem(atPath: scene.root.path + "/Documents/z.txt")
            try scene.container.save("other", to: .documents / "z.txt")
            #expect(try scene.editor.undo().conflicts.map(\.reason) == ["another item is at its new path"])
            #expect(try scene.text("Documents/z.txt") == "other" && !scene.exists("Documents/a.txt"))
        }
    }

    @Test("A created directory with new items, and an attribute that has changed since, stay")
    func changedSince() throws {
        try EditorScene.run { scene throws in
            _ = try scene.editor.makeDirectory(bytes("new"), in: bytes("Documents"))
            try scene.container.save("x", to: .documents / "new/x.txt")
            #expect(try scene.editor.undo().conflicts.map(\.reason) == ["the directory contains new items and is kept"])
            _ = try scene.editor.exclude([bytes("Documents/a.txt")])
            let name = "user.com.apple.metadata:com_apple_backup_excludeItem"
            try AttributeTool.set(name, to: "other", of: "Documents/a.txt", in: scene.root)
            #expect(try scene.editor.undo().conflicts.first?.reason.contains("has changed since") == true)
            #expect(try scene.container.exclusion(of: .documents / "a.txt").state == .excluded)
        }
    }

    @Test(
        "A replaced file comes back, unless the new one was changed since",
        arguments: [Transfer.Direction.copy, .move], [false, true])
    func replaced(direction: Transfer.Direction, isChanged: Bool) throws {
        try EditorScene.run { scene throws in
            try scene.container.excludeFromBackup(.documents / "b.txt")
            let before = try TreeListing(of: scene.root)
            let transfer = try Transfer(
                direction, sources: ["Documents/a.txt"], to: "Documents/b.txt", in: scene.container,
                allowsUserData: true)
            #expect(try transfer.perform(by: scene.editor).isComplete)
            #expect(try scene.text("Documents/b.txt") == "a" && scene.exists("Documents/a.txt") == (direction == .copy))
            #expect(try scene.container.exclusion(of: .documents / "b.txt").state == .excluded)
            if isChanged { try scene.folder.write("changed", to: "c/Documents/b.txt") }
            let undo = try scene.editor.undo()
            guard isChanged else {
                #expect(undo.conflicts.isEmpty)
                #expect(try TreeListing(of: scene.root).differences(from: before) == [])
                return
            }
            #expect(undo.conflicts.contains { $0.path == "Documents/b.txt" })
            #expect(try scene.text("Documents/b.txt") == "changed")
            let kept = scene.undoFolder.appending(path: "sandboxfm/000001/aside/0")
            #expect(try String(contentsOf: kept, encoding: .utf8) == "bb")
        }
    }

    @Test("Preferences are as before, unless the app has changed them since")
    func preferences() throws {
        try EditorScene.run { scene throws in
            let changes = try PreferenceChanges(suite: nil, in: scene.container)
            func value() throws -> String? { try scene.container.preferences().value(forKey: "k").map { "\($0)" } }
            _ = try changes.set("k", to: "one", as: nil, isPlan: false)
            let before = try TreeListing(of: scene.root)
            let report = try changes.set("k", to: "two", as: nil, isPlan: false)
            #expect(report.undo == .kept(number: 2))
            #expect(try scene.editor.undo().conflicts.isEmpty)
            #expect(try TreeListing(of: scene.root).differences(from: before) == [])
            _ = try changes.delete(["k"], isPlan: false) { _ in }
            try scene.container.preferences().set("app", forKey: "other")
            #expect(try scene.editor.undo().conflicts.first?.reason.contains("changed since") == true)
            #expect(try value() == nil)
            // The first change created the file.
            #expect(try scene.editor.undo(1).conflicts.count == 1)
        }
    }

    @Test("A change that fails is reverted, and the others are made; if all fail, nothing is left beside the container")
    func failures() throws {
        try EditorScene.run { scene throws in
            let report = try scene.editor.copy([bytes("Documents/a.txt"), bytes("Documents/none")], into: bytes("tmp"))
            #expect(report.changes.map { $0.failure == nil } == [true, false] && scene.exists("tmp/a.txt"))
            #expect(try scene.editor.undo().conflicts.isEmpty && !scene.exists("tmp/a.txt"))
            try FileManager.default.removeItem(at: scene.undoFolder)
            let before = try TreeListing(of: scene.root)
            for report in [
                try scene.editor.copy([bytes("Documents/a.txt")], into: bytes("Documents")),
                try scene.editor.move([bytes("Documents/a.txt")], into: bytes("Documents")),
                try scene.editor.copy([bytes("Documents/d")], into: bytes("Documents/d/empty")),
                try scene.editor.move([bytes("Documents/d")], into: bytes("Documents/d/empty")),
                try scene.editor.rename(bytes("Documents/a.txt"), to: bytes("b.txt")),
                try scene.editor.delete([bytes("Documents/none")]), try scene.editor.exclude([bytes("Documents/none")]),
                try scene.editor.copy([bytes("Documents/a.txt")], into: bytes("Documents/b.txt/x")),
            ] {
                #expect(!report.isComplete && report.undo == nil, "\(report)")
                #expect(!scene.hasUndoFolder && report.message.hasPrefix("not "), "\(report.message)")
            }
            #expect(try TreeListing(of: scene.root).differences(from: before) == [])
        }
    }

    @Test("No path leaves the container, and directories of every container stay")
    func refused() throws {
        try EditorScene.run { scene throws in
            try scene.folder.makeDirectories("outside")
            try scene.folder.makeLink("c/Documents/out", to: scene.folder.path + "/outside")
            for body in [
                { _ = try $0.delete([bytes("../outside")]) }, { _ = try $0.delete([bytes("/etc")]) },
                { _ = try $0.delete([bytes("Documents")]) }, { _ = try $0.delete([[]]) },
                { _ = try $0.rename(bytes("Library/Caches"), to: bytes("x")) },
                { _ = try $0.rename(bytes("Documents/a.txt"), to: bytes("../x")) },
                { _ = try $0.rename(bytes("Documents/a.txt"), to: bytes("..")) },
                { _ = try $0.makeDirectory(bytes("a/b"), in: []) },
                { _ = try $0.move([bytes("tmp")], into: bytes("Documents")) },
                { _ = try $0.copy([bytes("Documents/a.txt")], into: bytes("..")) },
                { _ = try $0.move([bytes("Documents/a.txt")], into: bytes("tmp")) },
            ] as [(ContainerEditor) throws -> Void] {
                #expect(throws: ExplorerError.self) { try body(scene.editor) }
            }
            #expect(try !scene.editor.copy([bytes("Documents/a.txt")], into: bytes("Documents/out")).isComplete)
            #expect(try !scene.editor.move([bytes("Documents/a.txt")], into: bytes("Documents/out")).isComplete)
            #expect(try names(in: scene.folder.appending(path: "outside")).isEmpty && !scene.hasUndoFolder)
        }
    }
}
