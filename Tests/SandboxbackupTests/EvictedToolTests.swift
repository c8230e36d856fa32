import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite(
    "Backups of files whose content is not on this disk",
    .enabled(if: Platform.isLinux, "macOS marks evicted files"))
struct EvictedToolTests {
    private func withEvictedFiles(_ body: (_ folder: URL, _ container: String) throws -> Void) throws {
        try withScratch { scratch throws in
            let folder = scratch.appending(path: "c")
            let container = try Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.app")
            try folder.makeHole("Documents/Notes.pages", size: 900_000)
            try folder.write("bplist00", to: "Documents/.Report.pages.icloud")
            try folder.write("text", to: "Documents/sparse.bin", "Documents/here.txt")
            try folder.resize("Documents/sparse.bin", to: 5 << 20)
            try body(folder, container.location.string)
        }
    }

    @Test("A plan names their directory, marks each in JSON, and adds them up")
    func plan() throws {
        try withEvictedFiles { _, container throws in
            let text = try sandboxbackup("plan", container)
            #expect(text.code == 0)
            #expect(text.text.contains("  content not on this disk: 2 items, 900 KB (900,008 bytes)\n"))
            #expect(text.text.contains("The content of 2 files here, 900 KB, is not on this disk"))
            let lines = try sandboxbackup("plan", container, "--format", "jsonl").text
                .split(separator: "\n").map(String.init)
            let marked = lines.filter { $0.contains(#""availability":"evicted""#) }
            #expect(marked.count == 2 && marked.allSatisfy { $0.contains("Notes") || $0.contains(".icloud") })
            #expect(lines.last?.contains(#""evicted":{"items":2,"bytes":900008}"#) == true)
            let explained = try sandboxbackup("plan", container, "--explain", "Documents/Notes.pages").text
            #expect(explained.contains("file, 900 KB, content not on this disk\n"))
        }
    }

    @Test("Each backup states what it stored in their place, also if nothing changed, and a restore is the same")
    func create() throws {
        try withEvictedFiles { folder, container throws in
            try withScratch { scratch throws in
                let store = scratch.appending(path: "store").path
                let stated = """
                      stored-as-placeholder: Documents/.Report.pages.icloud
                      stored-as-zeros: Documents/Notes.pages

                    """
                let preview = try sandboxbackup("create", container, "--repository", store, "--dry-run")
                #expect(preview.code == 0 && preview.text.hasSuffix(stated))
                for _ in 0..<2 {
                    let run = try sandboxbackup("create", container, "--repository", store)
                    #expect(run.code == 0 && run.text.hasSuffix(stated))
                }
                let target = scratch.appending(path: "restored")
                let restored = try sandboxbackup("restore", "1", "--repository", store, "--to", target.path)
                #expect(restored.code == 0)
                let notes = try Data(contentsOf: target.appending(path: "Documents/Notes.pages"))
                #expect(notes == Data(count: 900_000))
            }
        }
    }

    @Test("In an archive, a hole is a part of the content, and only placeholders are named", .needs(.externalProgram))
    func archive() throws {
        try withEvictedFiles { _, container throws in
            try withScratch { scratch throws in
                let archive = scratch.appending(path: "app.tar").path
                try Command.setUp("tar", ["--sparse", "--format=pax", "-cf", archive, "-C", container, "."])
                let run = try sandboxbackup(
                    "create", archive, "--repository", scratch.appending(path: "store").path)
                #expect(run.text.hasSuffix("\n  stored-as-placeholder: Documents/.Report.pages.icloud\n"))
                #expect(!run.text.contains("zeros"))
            }
        }
    }
}
