import CFileSystem
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Owners, groups and access lists that are handed on") struct OwnershipTests {
    /// The kernel as it is to a user who may give nothing away, or no more than the group.
    private func calls(refusing errno: Errno, group: Bool) -> Syscalls {
        var calls = Syscalls.live
        calls.setOwner = { descriptor, user, number in
            user == .max && group ? cfs_set_owner(descriptor, user, number) : -errno.rawValue
        }
        return calls
    }

    @Test(
        "Where another's file cannot be given back to them, the new one gives no one a right that the old one did not",
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
            try shown("chown", "65534:65534", file)
            try shown("chmod", row.old, file)
            try folder.save("new", "file")
            #expect(try shown("stat", "-c", "%u %g %a", file) == "0 \(row.isGroupOurs ? 65_534 : 0) \(row.new)\n")
        }
    }

    @Test(
        "A copied directory has the lists of the first and none of those it is made in",
        arguments: [["-d", "-m", "g:65534:rx"], ["-m", "g:65534:rx"]])
    func lists(own: [String]) throws {
        try withFolder { folder, url throws in
            try folder.makeFolder("from/d")
            try folder.makeFolder("to")
            try shown("chmod", "770", url.path + "/from/d")
            #expect(try Command("setfacl", own + [url.path + "/from/d"]).code == 0)
            try shown("setfacl", "-d", "-m", "u:65534:rwx", url.path + "/to")
            let before = try Command("getfacl", ["-n", "d"], in: url.appending(path: "from")).text
            try folder.copy("from/d", to: "to/d", in: folder)
            #expect(try Command("getfacl", ["-n", "d"], in: url.appending(path: "to")).text == before)
        }
    }

    @Test(
        "What takes the place of a link or a pipe has the umask's mode, as any new file", arguments: ["link", "pipe"])
    func notInherited(name: String) throws {
        try withFolder { folder, url throws in
            try folder.makeLink("link", to: "nowhere")
            try folder.makeFIFO("pipe")
            try folder.save("new", "plain")
            var existing = Existing()
            (existing.symbolicLink, existing.special) = (.replace, .replace)
            try folder.save("new", FilePath(name), Replace(existing: existing))
            #expect(try folder.status(FilePath(name)).permissions == folder.status("plain").permissions)
        }
    }

    @Test("A staging file that a sweep has taken is not called a leftover")
    func swept() throws {
        try withFolder { folder, url throws in
            let staged = try StagedFile(Replace(), for: "file", in: folder)
            try staged.seal()
            try folder.remove(try #require(folder.names().first))
            let error = #expect(throws: ReplaceError.self) { try staged.publish() }
            #expect(error?.stage == .untouched)
        }
    }
}
