import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Physical paths") struct PhysicalPathTests {
    @Test(
        "Links, also broken ones, and `..` after them are resolved as in the kernel",
        arguments: [
            ("a", "a"), ("./a/../b", "b"), ("link", "real/sub"), ("link/..", "real"), ("link/x/../y", "real/sub/y"),
            ("dangling", "missing/file"), ("dangling/x", "missing/file/x"), ("absolute/x", "real/x"),
            ("missing/../a", "a"), ("", ""),
        ])
    func resolved(path: String, expected: String) throws {
        try withScratch { folder throws in
            try folder.makeDirectories("real/sub")
            for (link, target) in [
                ("link", "real/sub"), ("dangling", "missing/file"), ("absolute", folder.path + "/real"),
            ] { try folder.makeLink(link, to: target) }
            let root = FilePath(folder.path).physical(from: "/")
            #expect(FilePath(path).physical(from: root) == root.appending(FilePath(expected).components))
            #expect(root.appending(FilePath(path).components).physical(from: "/elsewhere") == root.appending(expected))
        }
    }

    @Test("A loop of links terminates", .timeLimit(.minutes(60)))
    func circle() throws {
        try withScratch { folder throws in
            try folder.makeLink("a", to: "b")
            try folder.makeLink("b", to: "a/x")
            #expect(FilePath("a").physical(from: FilePath(folder.path)).starts(with: "/"))
        }
    }
}
