import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Deep directories", .timeLimit(.minutes(60))) struct DeepTreeTests {
    /// Creates directories `depth` levels deep with a file in the last one.
    private func makeTree(_ depth: Int, in folder: Folder) throws {
        let path = FilePath(Array(repeating: "d", count: depth).joined(separator: "/"))
        try folder.createDirectories(path)
        try folder.put("text", path.appending("file"))
    }

    @Test("256 levels are copied and removed on a small stack; one more is refused, and nothing remains")
    func small() throws {
        try withFolder { folder, _ throws in
            try makeTree(256, in: folder)
            try onSmallStack {
                try folder.copy("d", to: "copy", in: folder)
                let last = FilePath("copy/" + Array(repeating: "d", count: 255).joined(separator: "/") + "/file")
                #expect(try folder.text(last) == "text")
                try folder.remove("copy")
            }
            #expect(try folder.names() == ["d"])
            try folder.createDirectory("d2")
            try folder.rename("d", to: "d2/d", in: folder)
            let error = #expect(throws: AtomicWriteError.self) { try folder.copy("d2", to: "copy", in: folder) }
            #expect(error?.stage == .untouched && error?.cause.errno == .tooManyOpenFiles)
            let refusal = #expect(throws: FileSystemError.self) { try folder.remove("d2") }
            #expect(refusal?.errno == .tooManyOpenFiles)
            try folder.remove("d2/d")
            #expect(try folder.names() == ["d2"])
        }
    }
}
