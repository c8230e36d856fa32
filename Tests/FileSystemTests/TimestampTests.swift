import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Time of a file", .timeLimit(.minutes(60))) struct TimestampTests {
    /// With the permission to mount, a tmpfs has timestamps of the coarse clock on every kernel.
    private static let canMount = (try? Command("unshare", ["-m", "mount", "-t", "ramfs", "none", "/mnt"]).code) == 0

    @Test(
        "is past after the wait: the next change has a later one", .needs([.externalProgram, .root]),
        .enabled(
            if: canMount || Platform.isLinux && ProcessInfo.processInfo.environment["CI"] != nil,
            "needs a mount namespace of Linux"))
    func wait() throws {
        try withFolder { folder, url throws in
            try folder.createDirectories("disk")
            let disk = url.path + "/disk"
            try #require(try Command("mount", ["-t", "ramfs", "none", disk]).code == 0)
            defer { _ = try? Command("umount", [disk]) }
            var alike = 0
            let file = try folder.put("", "disk/file")
            for _ in 0..<20 {
                try file.write([1])
                let first = try file.status().changed
                try file.write([2])
                let second = try file.status().changed
                if first == second { alike += 1 }
                second.waitUntilPast()
                try file.write([3])
                #expect(try file.status().changed > second)
            }
            // Otherwise the file system needs no waiting, and nothing was tested.
            #expect(alike > 0)
        }
    }

    @Test("of the distant past or future or out of range is not waited for")
    func far() {
        let start = Host.uptime
        for _ in 0..<100 {
            for seconds in [.min, -1, 0, Timestamp.now.seconds - 5, Timestamp.now.seconds + 5, .max] {
                Timestamp(seconds: seconds, nanoseconds: 999_999_999).waitUntilPast()
            }
        }
        // Six hundred waits would take more than six seconds.
        #expect(Host.uptime - start < 6_000_000_000)
    }
}
