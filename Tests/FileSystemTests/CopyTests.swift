import CFileSystem
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Folder.copy") struct CopyTests {
    /// `tree` with an excluded directory, a file in it, a link to the outside and an empty directory, all with old
    /// timestamps.
    private func makeTree(_ folder: Folder, _ url: URL) throws {
        try folder.createDirectories("tree/sub")
        try folder.createDirectories("tree/empty")
        try folder.put(
            "text",
            FilePath("tree/sub").appending(
                FilePath(bytes: Platform.allowsAnyNames ? [0x66, 0xff, 0x0a] : [0x66, 0x0a]).components))
        try folder.createSymbolicLink("tree/link", to: "../../outside")
        for (mode, path) in [("750", "tree"), ("2555", "tree/sub"), ("700", "tree/empty")] {
            try setMode(mode, of: url.path + "/" + path)
        }
        for path in ["tree", "tree/sub", "tree/empty"] as [FilePath] {
            try folder.open(path).setAttribute("flag", value: Array(path.bytes))
        }
        let file = try file(of: folder)
        try folder.open(file).setAttribute("mark", value: [1])
        for (index, path) in [file, "tree/sub", "tree/empty", "tree/link", "tree"].enumerated() {
            let time = Timestamp(seconds: 1_500_000_000 + Int64(index), nanoseconds: 123_456_789 + UInt32(index))
            try folder.setTimes(path, accessed: time, modified: time)
        }
    }

    private func file(of folder: Folder, in tree: FilePath = "tree") throws -> FilePath {
        let sub = tree.appending("sub")
        let name = try #require(try folder.openFolder(sub).names().first)
        return sub.appending(name.components)
    }

    /// The properties of an entry that a copy must keep.
    private func kept(_ path: FilePath, _ folder: Folder) throws -> [String] {
        let status = try folder.status(path)
        var lines = ["\(status.kind) \(String(status.permissions, radix: 8)) \(status.modified)"]
        lines.append("\(status.raw.user):\(status.raw.group)")
        switch status.kind {
        case .symbolicLink: lines.append(String(decoding: try folder.linkTarget(path), as: UTF8.self))
        case .directory, .file:
            let opened = try folder.open(path)
            for name in try opened.attributes().sorted() {
                let value = try opened.attribute(name)
                lines.append("\(name)=\(String(describing: value))")
            }
            if status.kind == .file { lines.append(try folder.text(path)) }
        default: break
        }
        return lines
    }

    @Test("A tree keeps content, names, links, attributes, modes and times to the nanosecond")
    func tree() throws {
        try withFolder { folder, url throws in
            try makeTree(folder, url)
            try folder.copy("tree", to: "copy", in: folder)
            for path in ["", "sub", "empty", "link"] {
                let paths = (FilePath("tree").appending(path), FilePath("copy").appending(path))
                #expect(try kept(paths.1, folder) == kept(paths.0, folder))
            }
            #expect(try kept(file(of: folder, in: "copy"), folder) == kept(file(of: folder), folder))
            #expect(try folder.status("copy").modified.nanoseconds == 123_456_793)
            #expect(try folder.openFolder("copy").names() == ["empty", "link", "sub"])
            #expect(try folder.openFolder("copy/sub").names() == folder.openFolder("tree/sub").names())
        }
    }

    @Test("A single file or link is copied, and the link is not followed")
    func single() throws {
        try withFolder { folder, url throws in
            try makeTree(folder, url)
            try folder.copy(try file(of: folder), to: "file", in: folder)
            try folder.copy("tree/link", to: "link", in: folder)
            #expect(try kept("file", folder) == kept(file(of: folder), folder))
            #expect(try kept("link", folder) == kept("tree/link", folder))
        }
    }

    @Test("Copying does not change the times of the original")
    func source() throws {
        try withFolder { folder, url throws in
            try makeTree(folder, url)
            let paths = ["tree", "tree/sub", "tree/empty", try file(of: folder)] as [FilePath]
            let before = try paths.map { try folder.status($0) }
            try folder.copy("tree", to: "copy", in: folder)
            let after = try paths.map { try folder.status($0) }
            #expect(after.map(\.accessed) == before.map(\.accessed))
            #expect(after.map(\.changed) == before.map(\.changed))
        }
    }

    @Test("A name that is taken by a file, a directory or a broken link is refused", arguments: ["f", "d", "l"])
    func taken(name: String) throws {
        try withFolder { folder, url throws in
            try makeTree(folder, url)
            try folder.put("old", "f")
            try folder.createDirectories("d")
            try folder.createSymbolicLink("l", to: "nowhere")
            for path in ["tree", "f"] as [FilePath] {
                let error = #expect(throws: AtomicWriteError.self) {
                    try folder.copy(path, to: FilePath(name), in: folder)
                }
                #expect(
                    error?.cause.errno == .fileExists
                        || (path == FilePath(name) && error?.cause.errno == .invalidArgument))
            }
            #expect(try folder.text("f") == "old")
            #expect(try folder.openFolder("d").names().isEmpty)
            #expect(try folder.names() == ["d", "f", "l", "tree"])
        }
    }

    @Test(
        "A copy of a directory into itself is refused and leaves nothing, with any spelling of the path",
        arguments: [
            "d", "d/new", "d/sub/new", "./d/new", "d/sub/../new", "e/../d/new", "link/new",
        ])
    func intoItself(target: String) throws {
        try withFolder { folder, _ throws in
            try folder.createDirectories("d/sub")
            try folder.createDirectories("e")
            try folder.createSymbolicLink("link", to: "d")
            #expect(throws: AtomicWriteError.self) { try folder.copy("d", to: FilePath(target), in: folder) }
            #expect(try folder.openFolder("d").names() == ["sub"])
            #expect(try folder.openFolder("d/sub").names().isEmpty)
        }
    }

    @Test("A name that has the source's name as a prefix is not inside it")
    func sibling() throws {
        try withFolder { folder, _ throws in
            try folder.createDirectories("d")
            try folder.copy("d", to: "d2", in: folder)
            #expect(try folder.names() == ["d", "d2"])
        }
    }

    @Test("A copied directory has the owner of the source, as a copied file has", .needs(.root))
    func owner() throws {
        try withFolder { folder, url throws in
            try #require(getuid() == 0, "only root may give files away")
            try folder.createDirectories("d")
            try folder.put("", "d/f")
            for path in ["/d/f", "/d"] { try #require(chown(url.path + path, 65534, 65534) == 0) }
            try folder.copy("d", to: "copy", in: folder)
            for path in ["copy/f", "copy"] as [FilePath] {
                #expect(try folder.status(path).raw.user == 65_534, "\(path)")
            }
        }
    }
}
