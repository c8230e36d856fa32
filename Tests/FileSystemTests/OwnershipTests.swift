import CFileSystem
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Owners, groups and access lists of new files") struct OwnershipTests {
    /// The system calls for a user who may not change the owner, or only the group.
    private func calls(refusing errno: Errno, group: Bool) -> Syscalls {
        var calls = Syscalls.live
        calls.setOwner = { descriptor, user, number in
            user == .max && group ? cfs_set_owner(descriptor, user, number) : -errno.rawValue
        }
        return calls
    }

    @Test(
        "If the owner of the old file cannot be kept, the new file grants nobody a right that the old one did not grant",
        .needs(.root),
        arguments: [Errno.notPermitted, .invalidArgument],
        [
            (true, "6770", "2770"), (true, "4640", "640"), (false, "6770", "700"), (false, "640", "600"),
            (false, "664", "644"), (false, "2755", "755"),
        ])
    func foreignOwner(errno: Errno, row: (isGroupOurs: Bool, old: String, new: String)) throws {
        try withFolder(calls: calls(refusing: errno, group: row.isGroupOurs)) { folder, url throws in
            try #require(getuid() == 0, "only root may give files away")
            try folder.put("old", "file")
            let file = url.path + "/file"
            try #require(chown(file, 65534, 65534) == 0)
            try setMode(row.old, of: file)
            try folder.save("new", "file")
            let (user, group) = try owner(of: file)
            #expect(try user == 0 && group == (row.isGroupOurs ? 65_534 : 0) && mode(of: file) == row.new)
        }
    }

    @Test(
        "A copied directory has the access lists of the original and none of its parent", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs setfacl"),
        arguments: [["-d", "-m", "g:65534:rx"], ["-m", "g:65534:rx"]])
    func lists(own: [String]) throws {
        try withFolder { folder, url throws in
            try folder.createDirectories("from/d")
            try folder.createDirectories("to")
            try setMode("770", of: url.path + "/from/d")
            #expect(try Command("setfacl", own + [url.path + "/from/d"]).code == 0)
            try shown("setfacl", "-d", "-m", "u:65534:rwx", url.path + "/to")
            let before = try Command("getfacl", ["-n", "d"], in: url.appending(path: "from")).text
            try folder.copy("from/d", to: "to/d", in: folder)
            #expect(try Command("getfacl", ["-n", "d"], in: url.appending(path: "to")).text == before)
        }
    }

    @Test(
        "A file that replaces a link or a pipe has the mode of the umask, as any new file", arguments: ["link", "pipe"])
    func notInherited(name: String) throws {
        try withFolder { folder, url throws in
            try folder.createSymbolicLink("link", to: "nowhere")
            try folder.createFIFO("pipe")
            try folder.save("new", "plain")
            var conflicts = ConflictPolicy()
            (conflicts.symbolicLink, conflicts.special) = (.replace, .replace)
            try folder.save("new", FilePath(name), AtomicWrite(conflicts: conflicts))
            #expect(try folder.status(FilePath(name)).permissions == folder.status("plain").permissions)
        }
    }

    @Test("A temporary file that has been swept is not reported as a leftover")
    func swept() throws {
        try withFolder { folder, url throws in
            let staged = try StagedFile(AtomicWrite(), for: "file", in: folder)
            try staged.seal()
            try folder.remove(try #require(folder.names().first))
            let error = #expect(throws: AtomicWriteError.self) { try staged.publish() }
            #expect(error?.stage == .untouched)
        }
    }
}
