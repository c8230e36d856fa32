import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Time of a file") struct TimestampTests {
    /// Who may mount can have a disk in memory whose times come from the coarse clock on every kernel.
    private static let canMount = (try? Command("unshare", ["-m", "mount", "-t", "ramfs", "none", "/mnt"]).code) == 0

    @Test(
        "is past once it was waited for: the next change has a later one",
        .enabled(if: canMount || ProcessInfo.processInfo.environment["CI"] != nil))
    func wait() throws {
        try withFolder { folder, url throws in
            try folder.makeFolder("disk")
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
            // Else the disk is one whose times need no waiting for, and nothing was tried.
            #expect(alike > 0)
        }
    }

    @Test("of long ago, of long hence or beyond what can be counted is not waited for")
    func far() {
        let start = Host.uptime
        for _ in 0..<100 {
            for seconds in [.min, -1, 0, Timestamp.now.seconds - 5, Timestamp.now.seconds + 5, .max] {
                Timestamp(seconds: seconds, nanoseconds: 999_999_999).waitUntilPast()
            }
        }
        // Six hundred waits would take six seconds and more.
        #expect(Host.uptime - start < 6_000_000_000)
    }
}
