import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Folder.remove") struct RemoveTests {
    @Test("A tree is removed with its links and pipes, and the targets of links remain", arguments: Resolution.allCases)
    func tree(resolution: Resolution) throws {
        try withFolder(resolution: resolution) { folder, url throws in
            try folder.createDirectories("tree/sub/deep")
            try folder.put(
                "",
                FilePath("tree/sub").appending(
                    FilePath(bytes: Platform.allowsAnyNames ? [0xff, 0x0a] : [0x0a]).components))
            try folder.createFIFO("tree/pipe")
            try folder.createDirectories("kept")
            try folder.put("kept", "kept/file")
            try folder.createSymbolicLink("tree/out", to: "../../outside")
            try folder.createSymbolicLink("tree/absolute", to: FilePath(url.path + "/../outside"))
            try folder.createSymbolicLink("tree/sub/beside", to: "../../kept")
            try folder.createSymbolicLink("tree/sub/self", to: ".")
            try folder.remove("tree")
            #expect(try folder.names() == ["kept"])
            #expect(try folder.text("kept/file") == "kept")
            let outside = try Folder(opening: FilePath(url.path + "/../outside"))
            #expect(try outside.text("secret") == "outside")
        }
    }

    @Test("A link is removed, and the directory behind it remains complete")
    func link() throws {
        try withFolder { folder, _ throws in
            try folder.createDirectories("kept")
            try folder.put("", "kept/file")
            try folder.createSymbolicLink("link", to: "kept")
            try folder.remove("link")
            #expect(try folder.names() == ["kept"])
            #expect(try folder.openFolder("kept").names() == ["file"])
        }
    }

    @Test("A tree of any depth is removed with directories that nobody may open, and the targets of links remain")
    func deepTree() throws {
        try withFolder { folder, url throws in
            try folder.createDirectories("tree/removed-1/removed-1")
            try folder.createDirectories("tree/closed/deep")
            try folder.createSymbolicLink("tree/closed/out", to: "../../kept")
            try folder.createDirectories(FilePath("tree/" + String(repeating: "d/", count: 600) + "e"))
            try folder.createDirectories("kept")
            try folder.put("kept", "kept/file")
            try setMode("0", of: url.path + "/tree/closed/deep")
            try setMode("0", of: url.path + "/tree/closed")
            try folder.removeTree("tree")
            #expect(try folder.names() == ["kept"])
            #expect(try folder.text("kept/file") == "kept")
            try folder.createSymbolicLink("link", to: "kept")
            #expect(throws: FileSystemError.self) { try folder.removeTree("link") }
            #expect(try folder.text("kept/file") == "kept")
        }
    }

    @Test("A removal with a deadline leaves the rest, which the next one removes")
    func deadline() throws {
        try withFolder { folder, _ throws in
            for number in 0..<20 { try folder.createDirectories(FilePath("tree/a/\(number)/b")) }
            #expect(try !folder.removeTree("tree", until: 0))
            #expect(try folder.names() == ["tree"])
            #expect(try folder.removeTree("tree"))
            #expect(try folder.names().isEmpty)
        }
    }

    @Test("A path without a name of its own is not removed", arguments: ["", ".", "..", "a/..", "a/."])
    func nameless(path: String) throws {
        try withFolder { folder, _ throws in
            try folder.createDirectories("a")
            try folder.put("", "a/file")
            let error = #expect(throws: FileSystemError.self) { try folder.remove(FilePath(path)) }
            #expect(error?.errno == .invalidArgument)
            #expect(try folder.openFolder("a").names() == ["file"])
        }
    }

    @Test("A missing item is an error with its path")
    func missing() throws {
        try withFolder { folder, _ throws in
            let error = #expect(throws: FileSystemError.self) { try folder.remove("none") }
            #expect(error?.errno == .noSuchFileOrDirectory && error?.path == "none")
        }
    }

    @Test("A tree too deep to remove is an error with the path of the tree", .needs(.externalProgram))
    func deep() throws {
        try withFolder { folder, url throws in
            let make = "import os,sys\nos.chdir(sys.argv[1])\nfor _ in range(300): os.mkdir('d'); os.chdir('d')"
            try shown("python3", "-c", make, url.path)
            defer { _ = try? shown("rm", "-rf", url.path + "/d") }
            let error = #expect(throws: FileSystemError.self) { try folder.remove("d") }
            #expect(error?.path.starts(with: "d") == true)
            #expect(try folder.names() == ["d"])
        }
    }
}
