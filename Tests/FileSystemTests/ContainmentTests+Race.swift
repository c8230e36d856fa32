import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

extension ContainmentTests {
    /// The contents that were read while another thread called `swap` repeatedly, until both had run for long and two
    /// different results were seen.
    private func read(
        _ path: FilePath, in folder: Folder, while swap: @escaping @Sendable () -> Void
    ) -> [String: Int] {
        let isDone = AtomicFlag(false)
        let swaps = Counter()
        let finished = DispatchSemaphore(value: 0)
        let swapper = Thread {
            while !isDone.value {
                swap()
                swaps.add(1)
            }
            finished.signal()
        }
        swapper.start()
        var seen: [String: Int] = [:]
        let limit = Host.uptime + 10_000_000_000
        var attempts = 0
        while (attempts < 2_000 || swaps.value < 2_000 || seen.count < 2) && Host.uptime < limit {
            do throws(FileSystemError) {
                seen[String(decoding: try folder.open(path).contents(), as: UTF8.self), default: 0] += 1
            } catch { seen["refused", default: 0] += 1 }
            attempts += 1
        }
        isDone.set(true)
        finished.wait()
        return seen
    }

    @Test(
        "A directory that is exchanged with a link atomically never gives access to the outside",
        arguments: Resolution.allCases)
    func exchange(resolution: Resolution) throws {
        typealias Exchange = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
        // Swift's Glibc module does not export renameat2.
        let symbol = try #require(dlsym(nil, "renameat2"))
        let exchange = unsafeBitCast(symbol, to: Exchange.self)
        try withFolder(resolution: resolution) { folder, url throws in
            try folder.createDirectories("a/directory")
            try folder.put("in", "a/directory/secret")
            let (real, link) = (url.path + "/a/directory", url.path + "/link")
            try folder.createSymbolicLink("link", to: FilePath(url.path + "/../outside"))
            let seen = read("a/directory/secret", in: folder) { _ = exchange(AT_FDCWD, real, AT_FDCWD, link, 2) }
            #expect(Set(seen.keys) == ["in", "refused"], "\(seen)")
        }
    }

    @Test(
        "A directory that is moved out while its `..` is opened never gives access to the outside",
        arguments: Resolution.allCases)
    func movedOut(resolution: Resolution) throws {
        try withFolder(resolution: resolution) { folder, url throws in
            try folder.createDirectories("a/b")
            try folder.put("in", "secret")
            let outside = url.deletingLastPathComponent().appending(path: "outside")
            try FileManager.default.createDirectory(
                at: outside.appending(path: "x"), withIntermediateDirectories: false)
            let (real, moved) = (url.path + "/a/b", outside.path + "/x/b")
            let seen = read("a/b/../../secret", in: folder) {
                rename(real, moved)
                rename(moved, real)
            }
            #expect(seen["in", default: 0] > 0 && seen["outside"] == nil, "\(seen)")
        }
    }
}
