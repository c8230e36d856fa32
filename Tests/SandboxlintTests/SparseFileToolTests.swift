import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Sparse files of a tebibyte", .needs(.process)) struct SparseFileToolTests {
    @Test("are compared, linted, fixed and restored within seconds", .timeLimit(.minutes(60)))
    func all() throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "c")
            _ = try Container.create(at: FilePath(path.path), bundleIdentifier: "com.example.app")
            for name in ["a", "b"] { try path.makeSparse("Documents/\(name).bin", size: 1 << 40) }
            func run(_ arguments: String...) throws -> Command {
                try Command("timeout", ["30", Command.sandboxlint] + arguments, in: folder)
            }
            let lint = try run("lint", "c", "--format", "compact")
            #expect(lint.code == 0, "\(lint.code) \(lint.errors)")
            #expect(
                lint.text.contains("Documents/b.bin:1: warning: “b.bin” has the same content as"),
                "\(lint.text)")
            // The file itself is excluded. The trial copies it if the disk cannot share content.
            try Data("downloaded: ['Documents/a.bin']\n".utf8).write(to: folder.appending(path: ".sandboxlint.yml"))
            let fix = try run("fix", "c", "--unsafe", "--select", "regenerable-in-documents")
            #expect(
                fix.code == 0 && fix.text.contains("~ exclude from backup: Documents/a.bin "),
                "\(fix.code) \(fix.text)\(fix.errors)")
            let undo = try run("undo", "c")
            #expect(undo.code == 0, "\(undo.code) \(undo.errors)")
        }
    }
}
