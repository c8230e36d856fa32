import AppContainer
import ChangeHistory
@testable import ContainerExplorer
import Foundation
import PolicyFixes
import SystemPackage
import TestSupport
import Testing

@Suite("The history of changes") struct UndoHistoryTests {
    @Test("is reverted from the last change to the first")
    func order() throws {
        try EditorScene.run { scene throws in
            let before = try TreeListing(of: scene.root)
            let editor = scene.editor
            _ = try editor.rename(bytes("Documents/a.txt"), to: bytes("z.txt"))
            _ = try editor.move([bytes("Documents/z.txt")], into: bytes("Documents/d"))
            _ = try editor.exclude([bytes("Documents/d")], recursively: true)
            _ = try editor.copy([bytes("Documents/d")], into: bytes("Library"))
            _ = try editor.delete([bytes("Documents/d"), bytes("Library/d/x.txt")])
            #expect(try editor.changes().map(\.number) == [5, 4, 3, 2, 1])
            for number in [5, 4, 3, 2, 1] {
                let undo = try editor.undo()
                #expect(undo.number == number && undo.conflicts.isEmpty, "\(undo)")
            }
            #expect(try TreeListing(of: scene.root).differences(from: before) == [])
        }
    }

    @Test("A cancelled copy leaves nothing in the container and beside it")
    func cancelled() throws {
        try EditorScene.run { scene throws in
            try scene.container.save(Data(repeating: 1, count: 5 << 20), to: .documents / "large")
            let before = try TreeListing(of: scene.root)
            var editor = scene.editor
            var progress: [ContainerEditor.Progress] = []
            editor.onProgress = { progress.append($0) }
            editor.isCancelled = { (progress.last?.bytes ?? 0) >= 2 << 20 }
            let error = #expect(throws: ExplorerError.self) {
                try editor.copy([bytes("Documents/a.txt"), bytes("Documents/large")], into: bytes("Library"))
            }
            #expect(error?.code == .cancelled)
            #expect(progress.last?.totalBytes == 5 << 20 + 1 && progress.last?.items == 2)
            #expect(try TreeListing(of: scene.root).differences(from: before) == [] && !scene.hasUndoFolder)
        }
    }

    @Test("is emptied by age and size, the newest change last; what is removed cannot be reverted")
    func emptied() throws {
        try EditorScene.run { scene throws in
            let editor = scene.editor
            for name in ["a.txt", "b.txt", "d/x.txt"] { _ = try editor.delete([bytes("Documents/" + name)]) }
            let history = UndoHistory(of: scene.container)
            let now = Int64(Date().timeIntervalSince1970)
            func excess(_ limits: UndoHistory.Limits, in days: Int64 = 0) throws -> [Int] {
                try history.excess(of: limits, now: now + days * 86_400).map(\.number)
            }
            #expect(
                try excess(.automatic) == [] && excess(.automatic, in: 31) == [2, 1] && excess(.automatic, in: 29) == []
            )
            #expect(try excess(.init(age: nil, bytes: 5)) == [1] && excess(.init(age: nil, bytes: 1)) == [2, 1])
            #expect(try excess(.none) == [3, 2, 1])
            #expect(try editor.empty(olderThan: 86_400).changes.isEmpty)
            #expect(try editor.empty(olderThan: nil, keepingBytes: 5, isPlan: true).changes.map(\.number) == [1])
            #expect(try editor.changes().count == 3)
            #expect(try editor.empty(olderThan: nil, keepingBytes: 5).changes.map(\.number) == [1])
            #expect(throws: ExplorerError.self) { try editor.undo(1) }
            #expect(try editor.undo(2).conflicts.isEmpty && scene.text("Documents/b.txt") == "bb")
            #expect(try editor.empty(olderThan: nil).changes.map(\.number) == [3] && !scene.hasUndoFolder)
        }
    }

    @Test("An interrupted removal of undo data is completed by the next change")
    func interruptedRemoval() throws {
        try EditorScene.run { scene throws in
            _ = try scene.editor.delete([bytes("Documents/d")])
            let entry = scene.undoFolder.appending(path: "sandboxfm/000001")
            try FileManager.default.moveItem(
                at: entry.appending(path: "done.json"), to: entry.appending(path: "forgotten.json"))
            #expect(try scene.editor.changes().isEmpty && scene.editor.undo().number == nil)
            #expect(!scene.hasUndoFolder && !scene.exists("Documents/d"))
        }
    }

    @Test("An interrupted change with a conflict is kept, and does not prevent later changes")
    func interruptedConflict() throws {
        try EditorScene.run { scene throws in
            _ = try scene.editor.delete([bytes("Documents/a.txt")])
            try scene.interrupt(1)
            try scene.container.save("new", to: .documents / "a.txt")
            #expect(try scene.editor.delete([bytes("Documents/b.txt")]).undo == .kept(number: 2))
            #expect(try scene.editor.changes().map(\.state) == [.done, .conflict])
            #expect(try scene.editor.undo().number == 2)
            try scene.container.remove(.documents / "a.txt")
            #expect(try scene.editor.undo().number == 1 && scene.text("Documents/a.txt") == "a")
        }
    }

    @Test("The copies of a running session are kept, and those of one that has ended are removed")
    func sessions() throws {
        try EditorScene.run { scene throws in
            let other = UndoHistory(of: scene.container)
            let open = try other.begin()
            try scene.folder.write("half", to: "c.sandboxlint-undo/sandboxfm/000001/aside/0")
            #expect(try scene.editor.delete([bytes("Documents/a.txt")]).undo == .kept(number: 2))
            #expect(try scene.editor.undo().number == 2)
            #expect(try names(in: scene.undoFolder.appending(path: "sandboxfm")) == ["000001"])
            other.end(open)
            try scene.editor.recover()
            #expect(!scene.hasUndoFolder)
        }
    }

    @Test("Sessions that change the container at the same time lose nothing")
    func concurrent() throws {
        try EditorScene.run { scene throws in
            for number in 0..<40 {
                try scene.container.save("\(number)", to: .documents / "n/\(number)", options: .init(durability: .none))
            }
            let before = try TreeListing(of: scene.root)
            let failures = Counter()
            DispatchQueue.concurrentPerform(iterations: 40) { number in
                let done = try? ContainerEditor(scene.container).delete([bytes("Documents/n/\(number)")])
                if done?.isComplete != true { failures.add(1) }
            }
            #expect(failures.value == 0)
            #expect(try Set(scene.editor.changes().map(\.number)) == Set(1...40))
            for _ in 0..<40 { #expect(try scene.editor.undo().conflicts.isEmpty) }
            #expect(
                try TreeListing(of: scene.root).differences(from: before).allSatisfy { $0.contains("Documents/n d ") })
        }
    }

    @Test("The linter's undo ignores the changes of the file manager")
    func otherTool() throws {
        try EditorScene.run { scene throws in
            _ = try scene.editor.delete([bytes("Documents/a.txt")])
            let before = try TreeListing(of: scene.undoFolder)
            #expect(try !Undo.undo(scene.container).hadFix)
            #expect(try !Undo.forget(scene.container))
            #expect(try TreeListing(of: scene.undoFolder) == before)
            #expect(try scene.editor.undo().conflicts.isEmpty && scene.text("Documents/a.txt") == "a")
            #expect(!scene.hasUndoFolder)
        }
    }

    @Test("An undo folder of others is not used: a deletion is only made if the user has confirmed it")
    func untrusted() throws {
        try EditorScene.run { scene throws in
            try scene.folder.makeDirectories("c.sandboxlint-undo")
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: scene.undoFolder.path)
            let reason = try #require(scene.editor.undoObstacle(to: [bytes("Documents/a.txt")]))
            #expect(reason.contains("open to other users"))
            #expect(throws: ExplorerError.self) { try scene.editor.delete([bytes("Documents/a.txt")]) }
            #expect(scene.exists("Documents/a.txt"))
            #expect(try scene.editor.rename(bytes("Documents/b.txt"), to: bytes("z")).undo == .impossible(reason))
            #expect(try scene.editor.delete([bytes("Documents/a.txt")], losesContent: true).isComplete)
            #expect(try !scene.exists("Documents/a.txt") && names(in: scene.undoFolder).isEmpty)
        }
    }

    @Test("A deletion for good keeps nothing")
    func forGood() throws {
        try EditorScene.run { scene throws in
            #expect(try scene.editor.delete([bytes("Documents/d")], forGood: true).undoNote == nil)
            #expect(!scene.exists("Documents/d") && !scene.hasUndoFolder)
        }
    }

    @Test("has the fix of the findings of an item, which is tried on a copy first; other findings remain")
    func fixed() throws {
        try EditorScene.run { scene throws in
            for name in ["a", "b"] {
                try scene.container.save(
                    "x", to: .temporary / "\(name).part", options: .init(provenance: .init(.downloaded)))
                try scene.folder.setTimes("2020-01-01", of: scene.root.path + "/tmp/\(name).part")
            }
            let before = try TreeListing(of: scene.root)
            let plan = try scene.editor.fix([bytes("tmp/a.part")], isPlan: true)
            #expect(plan.changes == 1 && plan.lines[0].hasPrefix("- tmp/a.part   (") && plan.number == nil, "\(plan)")
            #expect(try TreeListing(of: scene.root).differences(from: before) == [] && !scene.hasUndoFolder)
            let fix = try scene.editor.fix([bytes("tmp/a.part")], isPlan: false)
            #expect(fix.changes == 1 && fix.number == 1 && !scene.exists("tmp/a.part") && scene.exists("tmp/b.part"))
            #expect(try scene.editor.changes().map(\.text) == ["fixed “tmp/a.part”"])
            #expect(try !Undo.undo(scene.container).hadFix)
            #expect(try scene.editor.undo().conflicts.isEmpty)
            #expect(try TreeListing(of: scene.root).differences(from: before) == [])
        }
    }
}
