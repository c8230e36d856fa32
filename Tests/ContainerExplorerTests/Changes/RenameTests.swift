import AppContainer
@testable import ContainerExplorer
import FileSystem
import Foundation
import TestSupport
import Testing

@Suite("New names of several items") struct RenameTests {
    @Test(
        "A slash replaces a text; a star is the name, and number signs are the number; the extension of a file stays",
        arguments: [
            ("IMG_/photo-", "IMG_1.jpg", "photo-1.jpg"), (".jpeg/.jpg", "a.jpeg", "a.jpg"), ("a/", "banana", "bnn"),
            ("x/y", "same", "same"), ("Holiday ##", "a.JPG", "Holiday 07.JPG"), ("#", "notes", "7"),
            ("*-###", "a.b.txt", "a.b-007.txt"), ("*", "keep.txt", "keep.txt"), ("x*x*", "n.gz", "xnxn.gz"),
            ("new", ".hidden", "new"), ("new", "a.not an extension", "new"), ("new", "a.12345678901", "new"),
            ("new", "end.", "new"), ("%0A/-", "a\nb", "a-b"), ("é/e", "caf\u{e9}.txt", "cafe.txt"),
        ])
    func names(text: String, name: String, expected: String) throws {
        let new = try RenamePattern(text).name(for: bytes(name), number: 7, isDirectory: false)
        #expect(String(decoding: new, as: UTF8.self) == expected)
    }

    @Test("A directory has no extension, and a text that says nothing is refused")
    func patterns() throws {
        #expect(
            try RenamePattern("*!").name(for: bytes("2026.11 b.c"), number: 1, isDirectory: true)
                == bytes("2026.11 b.c!")
        )
        for text in ["", "/", "/new", "a/b/c"] {
            #expect(throws: ExplorerError.self, "\(text)") { _ = try RenamePattern(text) }
        }
    }

    @Test("Names that other renamed items have are free, in any order of the items; one undo restores all")
    func chain() throws {
        for order in [[0, 1, 2, 3], [3, 1, 0, 2]] {
            try EditorScene.run { scene throws in
                for number in 1...4 { try scene.container.save("\(number)", to: .documents / "n\(number).txt") }
                let before = try TreeListing(of: scene.root)
                let paths = order.map { bytes("Documents/n\($0 + 1).txt") }
                let pattern = try RenamePattern("m#")
                let plan = try scene.editor.rename(paths, by: pattern, isPlan: true)
                #expect(plan.changes.count == 4 && scene.exists("Documents/n1.txt") && !scene.hasUndoFolder)
                #expect(try scene.editor.rename(paths, by: pattern).isComplete)
                for (number, index) in order.enumerated() {
                    #expect(try scene.text("Documents/m\(number + 1).txt") == "\(index + 1)")
                }
                // Each of the four has the name that another one gets.
                let renamed = (1...4).map { bytes("Documents/m\($0).txt") }
                #expect(try scene.editor.rename([renamed[3]], by: RenamePattern("m5")).isComplete)
                #expect(throws: ExplorerError.self) {
                    _ = try scene.editor.rename(Array(renamed[..<3]), by: RenamePattern("m4/m5"))
                }
                #expect(try scene.editor.rename(Array(renamed[..<3]), by: RenamePattern("m/m0")).isComplete)
                while try scene.editor.undo().number != nil {}
                #expect(try TreeListing(of: scene.root).differences(from: before) == [])
            }
        }
        try EditorScene.run { scene throws in
            for number in 0...2 { try scene.container.save("\(number)", to: .documents / "\(number)") }
            let report = try scene.editor.rename((0...2).map { bytes("Documents/\($0)") }, by: RenamePattern("#"))
            #expect(report.isComplete && report.changes.map(\.path) == ["Documents/2", "Documents/1", "Documents/0"])
            #expect(try (1...3).map { try scene.text("Documents/\($0)") } == ["0", "1", "2"])
        }
    }

    @Test("A directory and items in it are renamed together")
    func nested() throws {
        try EditorScene.run { scene throws in
            let report = try scene.editor.rename(
                [bytes("Documents/d"), bytes("Documents/d/x.txt"), bytes("Documents/d/empty")],
                by: RenamePattern("*-new")
            )
            #expect(report.isComplete, "\(report.message)")
            #expect(scene.exists("Documents/d-new/x-new.txt") && scene.exists("Documents/d-new/empty-new"))
            #expect(try scene.editor.undo().conflicts.isEmpty && scene.exists("Documents/d/x.txt"))
        }
    }

    @Test("Names that are taken, the same for two items, exchanged or no names change nothing")
    func refused() throws {
        try EditorScene.run { scene throws in
            for name in ["ab", "ba"] { try scene.container.save(name, to: .documents / name) }
            let before = try TreeListing(of: scene.root)
            let documents = ["a.txt", "b.txt"].map { bytes("Documents/\($0)") }
            let cases: [(paths: [[UInt8]], text: String, reason: String)] = [
                ([documents[0]], "b", "another item has it"), (documents, "c", "would have it"),
                (documents, "a/b/c", "is no pattern"), ([documents[0]], "a.txt/", "is not a name"),
                ([documents[0]], "a.txt/..", "is not a name"),
                (documents, String(repeating: "x", count: 252), "is not a name"),
                ([bytes("Library/Caches")], "x", "is a directory of every container"),
                ([[]], "x", "is a directory of every container"),
            ]
            for (paths, text, reason) in cases {
                let error = #expect(throws: ExplorerError.self) {
                    _ = try scene.editor.rename(paths, by: RenamePattern(text))
                }
                #expect("\(error.map { "\($0)" } ?? "")".contains(reason), "\(text): \(String(describing: error))")
                #expect(throws: ExplorerError.self) {
                    _ = try scene.editor.rename(paths, by: RenamePattern(text), isPlan: true)
                }
            }
            #expect(try TreeListing(of: scene.root).differences(from: before) == [] && !scene.hasUndoFolder)
        }
    }
}
