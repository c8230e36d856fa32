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

    @Test(
        "A path that is longer than the kernel takes is resolved beneath its folder", arguments: Resolution.allCases)
    func longPath(resolution: Resolution) throws {
        try withFolder(resolution: resolution) { folder, _ throws in
            let name = String(repeating: "d", count: 200)
            var directory = folder
            for _ in 1...45 {
                try directory.createDirectory(FilePath(name))
                directory = try directory.openFolder(FilePath(name))
            }
            try directory.put("text", "file")
            let path = FilePath(Array(repeating: name, count: 45).joined(separator: "/"))
            #expect(try folder.text(path.appending("file")) == "text")
            #expect(try folder.text(FilePath("./\(path)/./file")) == "text")
            #expect(try folder.text(path.appending("../\(name)/file")) == "text")
            try folder.createFile(path.appending("new"), permissions: 0o600).close()
            try folder.rename(path.appending("new"), to: path.appending("renamed"), in: folder)
            #expect(try directory.names() == ["file", "renamed"])
            // Links lead as far as in a short path: neither out, nor to an absolute path.
            for (link, target) in [
                ("up", Array(repeating: "..", count: 46).joined(separator: "/") + "/outside/secret"),
                ("root", "/etc/passwd"),
            ] {
                try directory.createSymbolicLink(FilePath(link), to: FilePath(target))
                let error = #expect(throws: FileSystemError.self) { try folder.text(path.appending(link)) }
                #expect(error?.errno == .improperLink, "\(link): \(String(describing: error))")
            }
            let missing = #expect(throws: FileSystemError.self) { try folder.text(path.appending("none/file")) }
            #expect(missing?.errno == .noSuchFileOrDirectory)
        }
    }
}
