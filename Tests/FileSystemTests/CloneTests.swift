import CFileSystem
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Clones of directories", .needs(.externalProgram)) struct CloneTests {
    /// The features of a file system that a clone can use.
    enum Help: CaseIterable { case everything, sharing, names, nothing }

    private static func calls(_ help: Help) -> Syscalls {
        var calls = Syscalls.live
        switch help {
        case .everything:
            // A substitute for clonefile, whose copy has the mode and the attributes of the original. The kernel then
            // refuses attributes of a read-only file, also to a process that has it open.
            calls.cloneFile = { from, directory, name in
                let shared = Self.calls(.sharing).cloneFile(from, directory, name)
                guard shared >= 0 else { return shared }
                let copy = Syscalls.live.open(directory, name, 1 | 2 | 16, 0)
                guard copy >= 0 else { return copy }
                var status = cfs_status()
                var hasAccessList = false
                _ = Syscalls.live.status(from, "", &status)
                let copied = Syscalls.live.copyAttributes(from, copy, &hasAccessList)
                _ = Syscalls.live.setPermissions(copy, status.permissions)
                _ = Syscalls.live.close(copy)
                return copied
            }
            calls.copyAttributes = { from, to, hasAccessList in
                var status = cfs_status()
                _ = Syscalls.live.status(to, "", &status)
                guard status.permissions & 0o200 != 0 else { return -Errno.permissionDenied.rawValue }
                return Syscalls.live.copyAttributes(from, to, hasAccessList)
            }
        case .sharing:
            // A substitute for FICLONE on a file system without it: a copy of the content.
            calls.cloneFile = { from, directory, name in
                var bytes = [UInt8](repeating: 0, count: 1 << 16)
                let count = Syscalls.live.read(from, &bytes, bytes.count, 0)
                // Read and write, create, do not follow links.
                let copy = Syscalls.live.open(directory, name, 1 | 2 | 4 | 16, 0o600)
                guard copy >= 0 else { return copy }
                _ = Syscalls.live.write(copy, bytes, count)
                return Syscalls.live.close(copy)
            }
        case .names: calls.cloneFile = { _, _, _ in -Errno.notSupportedOnSocket.rawValue }
        case .nothing:
            calls.cloneFile = { _, _, _ in -Errno.improperLink.rawValue }
            calls.addName = { _, name, _, _ in
                // Hard links to files fail; links and pipes have no other method.
                String(cString: name) == "link" || String(cString: name) == "pipe" ? 0 : -Errno.notPermitted.rawValue
            }
        }
        return calls
    }

    @Test(
        "A clone is equal to the original, and changes to it do not affect the original",
        .enabled(if: Platform.isLinux, "compares with GNU find, and has names that are not UTF-8"),
        arguments: Help.allCases)
    func clone(help: Help) throws {
        try withScratch { scratch throws in
            let script = """
                mkdir -p o/d/e o/$'\\xff\\n'; printf abc > o/d/own; printf def > o/d/other; : > o/$'\\xff\\n'/empty
                \(AttributeTool.command(setting: "user.a", to: "1")) o/d/own
                \(AttributeTool.command(setting: "user.b", to: "2")) o/d; chmod 0400 o/d/own; chmod 2750 o/d/e
                \(help == .nothing ? "" : "ln -s ../nowhere o/d/link; mkfifo o/d/pipe")
                find o -exec touch -h -d '2024-05-06T07:08:09.123456789Z' {} +
                """
            #expect(try Command("bash", ["-ec", script], in: scratch).code == 0)
            let original = scratch.appending(path: "o")
            let before = try TreeListing(of: original)
            let workplace = try Folder(opening: FilePath(scratch.path), calls: Self.calls(help))
            try workplace.openFolder("o").clone(as: "c", in: workplace, own: [Array("d/own".utf8)])

            func listed(_ tree: URL) throws -> String {
                let list = "find . -printf '%P %y %m %s %T@ %l\\n' | sort; find . -type f -exec sha256sum {} + | sort"
                return try Command("sh", ["-c", list], in: tree).text + AttributeTool.listing(below: tree)
            }
            let clone = scratch.appending(path: "c")
            let shown = try listed(clone)
            // The size of a directory depends on the file system.
            #expect(try shown == listed(original))
            #expect(shown.contains("own f 400 3 1714979289.1234567890"))

            let folder = try workplace.openFolder("c")
            try folder.open("d/own").setAttribute("a", value: Array("changed".utf8))
            try folder.rename("d/other", to: "moved", in: folder)
            try folder.remove("d/e")
            try workplace.remove("c")
            #expect(try TreeListing(of: original).differences(from: before) == [])
        }
    }
}
