import AppContainer
import EveryProduct
import Foundation
import StoragePolicyTesting
import SystemPackage
import Testing

@Suite("An app that uses every library product") struct NotesTests {
    @Test("A note and a setting are stored, observed and linted")
    func notes() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.Notes")
        let notes = try Notes(in: container)
        try notes.save(Note("Dear reader", marked: [0, 2]), named: "letter.note")
        let last = try notes.last
        #expect(last?.text == "Dear reader" && last?.marked == [0, 2])
        let (root, child) = (Folder(), Folder())
        (child.parent, root.folders) = (root, [child])
        try notes.save(root)
        let folders = try notes.folders
        #expect(folders.folders.first?.parent === folders)
        #expect(notes.fontSize == 12)
        var sizes = notes.fontSizes().makeAsyncIterator()
        try await notes.setFontSize(14)
        #expect(await sizes.next() == 14)
        #expect(try notes.play(writing: "PS").isEmpty)
        #expect(try container.loadText(.documents / "draft.txt") == "PS")
        #expect(try await notes.index(["letter", "list"]) == 2)
        let broken = try notes.brokenRules()
        #expect(broken.isEmpty)
        expectCompliant(container)
    }
}
