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
            let links =
                "mkdir -p real/sub; ln -s real/sub link; ln -s missing/file dangling; ln -s \"$PWD/real\" absolute"
            #expect(try Command("sh", ["-c", links], in: folder).code == 0)
            let root = FilePath(folder.path).physical(from: "/")
            #expect(FilePath(path).physical(from: root) == root.appending(FilePath(expected).components))
            #expect(root.appending(FilePath(path).components).physical(from: "/elsewhere") == root.appending(expected))
        }
    }

    @Test("A loop of links terminates", .timeLimit(.minutes(60)))
    func circle() throws {
        try withScratch { folder throws in
            #expect(try Command("sh", ["-c", "ln -s b a; ln -s a/x b"], in: folder).code == 0)
            #expect(FilePath("a").physical(from: FilePath(folder.path)).starts(with: "/"))
        }
    }
}
