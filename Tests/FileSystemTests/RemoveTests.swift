import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Folder.remove") struct RemoveTests {
    @Test("A tree goes with its links and pipes, and what the links point to stays", arguments: Resolution.allCases)
    func tree(resolution: Resolution) throws {
        try withFolder(resolution: resolution) { folder, url throws in
            try folder.makeFolder("tree/sub/deep")
            try folder.put("", FilePath("tree/sub").appending(FilePath(bytes: [0xff, 0x0a]).components))
            try folder.makeFIFO("tree/pipe")
            try folder.makeFolder("kept")
            try folder.put("kept", "kept/file")
            try folder.makeLink("tree/out", to: "../../outside")
            try folder.makeLink("tree/absolute", to: FilePath(url.path + "/../outside"))
            try folder.makeLink("tree/sub/beside", to: "../../kept")
            try folder.makeLink("tree/sub/self", to: ".")
            try folder.remove("tree")
            #expect(try folder.names() == ["kept"])
            #expect(try folder.text("kept/file") == "kept")
            let outside = try Folder(opening: FilePath(url.path + "/../outside"))
            #expect(try outside.text("secret") == "outside")
        }
    }

    @Test("A link itself goes, and the directory behind it stays whole")
    func link() throws {
        try withFolder { folder, _ throws in
            try folder.makeFolder("kept")
            try folder.put("", "kept/file")
            try folder.makeLink("link", to: "kept")
            try folder.remove("link")
            #expect(try folder.names() == ["kept"])
            #expect(try folder.folder("kept").names() == ["file"])
        }
    }

    @Test("What has no name of its own is not removed", arguments: ["", ".", "..", "a/..", "a/."])
    func nameless(path: String) throws {
        try withFolder { folder, _ throws in
            try folder.makeFolder("a")
            try folder.put("", "a/file")
            let error = #expect(throws: FileSystemError.self) { try folder.remove(FilePath(path)) }
            #expect(error?.errno == .invalidArgument)
            #expect(try folder.folder("a").names() == ["file"])
        }
    }

    @Test("What is not there is an error with its path")
    func missing() throws {
        try withFolder { folder, _ throws in
            let error = #expect(throws: FileSystemError.self) { try folder.remove("none") }
            #expect(error?.errno == .noSuchFileOrDirectory && error?.path == "none")
        }
    }

    @Test("A tree too deep to remove ends with an error that names the tree")
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
