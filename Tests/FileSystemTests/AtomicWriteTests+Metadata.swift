import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

extension AtomicWriteTests {
    private static let flag = "com.apple.metadata:com_apple_backup_excludeItem"

    @Test(
        "Mode and attributes, including the backup exclusion, are kept, and the modification time is new",
        arguments: [
            0o600, 0o640, 0o400, 0o4755,
        ] as [UInt16])
    func kept(mode: UInt16) throws {
        try withFolder { folder, url throws in
            let old = try folder.put("old", "file")
            try old.setAttribute(Self.flag, value: Array("bplist00".utf8))
            try old.setAttribute("empty", value: [])
            try setMode(String(mode, radix: 8), of: url.path + "/file")
            try folder.setTimes("file", accessed: .init(seconds: 1), modified: .init(seconds: 1))
            let start = Timestamp.now

            try folder.save("new", "file")
            let status = try folder.status("file")
            #expect(status.permissions == mode)
            // The kernel's clock for timestamps may be some milliseconds behind.
            #expect(status.modified.seconds >= start.seconds - 1)
            let new = try folder.open("file")
            #expect(try new.contents() == Array("new".utf8))
            #expect(try new.attribute(Self.flag) == Array("bplist00".utf8))
            #expect(try new.attribute("empty") == [])
            #expect(try AttributeTool.text("user.\(Self.flag)", of: url.path + "/file") == "bplist00")
        }
    }

    @Test("A given attribute takes precedence over the inherited one")
    func given() throws {
        try withFolder { folder, _ throws in
            let old = try folder.put("old", "file")
            for name in ["x", "y"] { try old.setAttribute(name, value: [1]) }
            try folder.save(
                "new", "file",
                AtomicWrite(attributes: [AttributeChange("x", value: [2]), AttributeChange("z", value: [3])]))
            let new = try folder.open("file")
            let values = try ["x", "y", "z"].map { try new.attribute($0) }
            #expect(values == [[2], [1], [3]])
        }
    }

    @Test("A process that has the old file open can still read it")
    func oldReader() throws {
        try withFolder { folder, _ throws in
            try folder.put("old", "file")
            let reader = try folder.open("file")
            try folder.save("new and longer", "file")
            #expect(try reader.contents() == Array("old".utf8))
            #expect(try folder.text("file") == "new and longer")
            #expect(try folder.names() == ["file"])
        }
    }

    @Test("A new file has the mode of the umask, also in new directories")
    func new() throws {
        try withFolder { folder, url throws in
            try folder.createDirectories("a/b")
            try folder.save("new", "a/b/file")
            try url.write(to: "a/b/model")
            #expect(try folder.status("a/b/file").permissions == folder.status("a/b/model").permissions)
            #expect(try folder.text("a/b/file") == "new")
            #expect(try folder.openFolder("a/b").names() == ["file", "model"])
        }
    }

    @Test("With a policy that refuses all items, a file or a broken link is an error and remains")
    func mayNotReplace() throws {
        try withFolder { folder, _ throws in
            try folder.put("old", "file")
            try folder.createSymbolicLink("link", to: "nowhere")
            for path in ["file", "link"] as [FilePath] {
                let error = #expect(throws: AtomicWriteError.self) {
                    try folder.save("new", path, AtomicWrite(conflicts: .nothing))
                }
                #expect(error?.stage == .untouched && error?.cause.errno == .fileExists && error?.cause.path == path)
            }
            #expect(try folder.text("file") == "old")
            #expect(try folder.names() == ["file", "link"])
            try folder.save("new", "other", AtomicWrite(conflicts: .nothing))
            #expect(try folder.text("other") == "new")
        }
    }

    @Test("With a policy that refuses all items, a file that is created in the meantime is not replaced")
    func takenMeanwhile() throws {
        try withFolder { folder, _ throws in
            let error = #expect(throws: AtomicWriteError.self) {
                try AtomicWrite(conflicts: .nothing).write(to: "file", in: folder, modelledOn: nil) {
                    file throws(FileSystemError) in
                    try file.write([1])
                    let other = try folder.createFile("file", permissions: 0o600)
                    try other.write(Array("other".utf8))
                }
            }
            #expect(error?.stage == .untouched && error?.cause.errno == .fileExists)
            #expect(try folder.text("file") == "other")
            #expect(try folder.names() == ["file"])
        }
    }

    @Test(
        "An item other than a file is refused with the kernel's reason",
        arguments: [
            ("link", .tooManySymbolicLinkLevels), ("directory", .isDirectory), ("pipe", .invalidArgument),
        ] as [(String, Errno)])
    func reasons(name: String, errno: Errno) throws {
        try withFolder { folder, _ throws in
            try folder.put("old", "file")
            try folder.createSymbolicLink("link", to: "file")
            try folder.createDirectories("directory")
            try folder.createFIFO("pipe")
            let error = #expect(throws: AtomicWriteError.self) { try folder.save("new", FilePath(name)) }
            #expect(error?.cause.errno == errno)
            #expect(try folder.text("file") == "old")
            #expect(try folder.names() == ["directory", "file", "link", "pipe"])
        }
    }

    @Test(
        "Nobody can read the new file who could not read the old one, whatever the directory grants to new files",
        .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs setfacl"))
    func inheritedList() throws {
        try withFolder { folder, url throws in
            try folder.put("old", "file")
            let file = url.path + "/file"
            try setMode("640", of: file)
            try shown("setfacl", "-d", "-m", "u:65534:rwx", url.path)
            let before = try shown("getfacl", "-n", "-p", file)
            try folder.save("new", "file")
            #expect(try shown("getfacl", "-n", "-p", file) == before)
        }
    }

    @Test(
        "The flag that excludes a file from dumps is kept, because it is a backup exclusion", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs chattr"))
    func noDump() throws {
        try withFolder { folder, url throws in
            try folder.put("old", "file")
            try shown("chattr", "+d", url.path + "/file")
            try #require(try folder.status("file").isNoDump)
            try folder.save("new", "file")
            #expect(try folder.status("file").isNoDump)
        }
    }
}
