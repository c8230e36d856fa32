import CFileSystem
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

/// A visitor that collects paths as bytes, and runs an action when an entry is visited.
private final class Witness: WalkVisitor {
    let found = LockedValue<[[UInt8]]>([])
    let failures = LockedValue<[WalkFailure]>([])
    private let onVisit: @Sendable ([UInt8]) -> Void

    init(onVisit: @escaping @Sendable ([UInt8]) -> Void = { _ in }) { self.onVisit = onVisit }

    func begin(_ directory: [UInt8]) {}
    func visit(
        _ entries: WalkEntries, in directory: [UInt8], into accumulator: inout Void
    ) -> [Subdirectory<[UInt8]>] {
        (0..<entries.count).compactMap { index in
            visit(entries[index], in: directory, &accumulator).map { Subdirectory(index: index, data: $0) }
        }
    }
    private func visit(_ entry: WalkEntry, in directory: [UInt8], _ accumulator: inout Void) -> [UInt8]? {
        let name = Array(UnsafeRawBufferPointer(entry.name))
        let path = directory.isEmpty ? name : directory + [UInt8(ascii: "/")] + name
        found.withLock { $0.append(path) }
        onVisit(path)
        return entry.status.kind == .directory ? path : nil
    }
    func end(_ directory: [UInt8], accumulator: Void) {}
    func failed(_ failure: WalkFailure) { failures.withLock { $0.append(failure) } }

    var texts: [String] { found.withLock { $0.map { String(decoding: $0, as: UTF8.self) }.sorted() } }
    var troubles: [String] {
        failures.withLock { $0.map { "\(String(decoding: $0.path, as: UTF8.self)) \($0.errno.rawValue)" }.sorted() }
    }
}

extension WalkTests {
    private func run(_ folder: Folder, _ witness: Witness, threads: Int = 2, queueLimit: Int = 16_384) {
        var walk = Walk(threads: threads)
        walk.queueLimit = queueLimit
        walk.run(folder, directory: [], visitor: witness)
    }

    @Test("Names are reported byte for byte, with any number of threads and any queue limit")
    func bytes() throws {
        try withFolder { folder, _ throws in
            let names: [[UInt8]] = [
                [0xff], [0x0a], [0xc3, 0x28], [0x1b, 0x5b, 0x32, 0x4a], [0x20], [0x2e, 0x2e, 0x2e],
                [UInt8](repeating: 0x61, count: 255), [UInt8](repeating: 0xfe, count: 255),
            ]
            var expected: [[UInt8]] = []
            for directory in names {
                try folder.createDirectories(FilePath(bytes: directory))
                expected.append(directory)
                for name in names {
                    let path = directory + [UInt8(ascii: "/")] + name
                    try folder.put("", FilePath(bytes: path))
                    expected.append(path)
                }
            }
            for (threads, queueLimit) in [(1, 0), (1, 16_384), (8, 0), (8, 16_384)] {
                let witness = Witness()
                run(folder, witness, threads: threads, queueLimit: queueLimit)
                let found = witness.found.withLock { $0 }
                #expect(found.count == expected.count)
                #expect(Set(found) == Set(expected))
                #expect(witness.troubles.isEmpty)
            }
        }
    }

    @Test("A pipe, a socket and a device are visited and not opened", .needs(.externalProgram))
    func special() throws {
        try withFolder { folder, url throws in
            try folder.createFIFO("pipe")
            try folder.createSymbolicLink("out", to: "../outside")
            let make = "import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])"
            try shown("python3", "-c", make, url.path + "/socket")
            let witness = Witness()
            run(folder, witness)
            #expect(witness.texts == ["out", "pipe", "socket"])
            #expect(witness.troubles.isEmpty)
        }
    }

    @Test("A directory that is removed after it was found is a failure with its path", arguments: Resolution.allCases)
    func removed(resolution: Resolution) throws {
        try withFolder(resolution: resolution) { folder, url throws in
            try folder.createDirectories("a/gone")
            try folder.createDirectories("a/stays/below")
            let gone = url.path + "/a/gone"
            let witness = Witness { if $0 == Array("a/gone".utf8) { rmdir(gone) } }
            run(folder, witness)
            #expect(witness.texts == ["a", "a/gone", "a/stays", "a/stays/below"])
            #expect(witness.troubles == ["a/gone \(ENOENT)"])
        }
    }

    @Test(
        "A directory that is replaced with a link after it was found is a failure, and nothing outside is visited",
        arguments: Resolution.allCases, [0, 16_384])
    func becomesLink(resolution: Resolution, queueLimit: Int) throws {
        try withFolder(resolution: resolution) { folder, url throws in
            try folder.createDirectories("a/trap")
            let trap = url.path + "/a/trap"
            let witness = Witness {
                guard $0 == Array("a/trap".utf8) else { return }
                #expect(rmdir(trap) == 0)
                #expect(symlink("../../outside", trap) == 0)
            }
            run(folder, witness, queueLimit: queueLimit)
            #expect(witness.texts == ["a", "a/trap"])
            let failures = witness.failures.withLock { $0 }
            #expect(failures.map(\.path) == [Array("a/trap".utf8)])
            #expect(failures.allSatisfy { $0.errno == .tooManySymbolicLinkLevels || $0.errno == .notDirectory })
        }
    }

    @Test("A file that disappears while its directory is read is a failure with its path")
    func fileGone() throws {
        var calls = Syscalls.live
        let base = LockedValue("")
        // The one examined first removes the other; the kernel has returned both names by then.
        calls.status = { directory, name, status in
            let result = cfs_status_at(directory, name, status)
            let base = base.withLock { $0 }
            guard result == 0, !base.isEmpty else { return result }
            if String(cString: name) == "1" { unlink(base + "/a/2") }
            if String(cString: name) == "2" { unlink(base + "/a/1") }
            return result
        }
        try withFolder(calls: calls) { folder, url throws in
            try folder.createDirectories("a")
            for name in ["a/1", "a/2"] as [FilePath] { try folder.put("", name) }
            base.withLock { $0 = url.path }
            let witness = Witness()
            run(folder, witness, threads: 1)
            #expect(witness.found.withLock { $0.count } == 2)
            let left = try #require(try folder.openFolder("a").names().first)
            #expect(witness.texts.contains("a/\(left)"))
            #expect(witness.troubles == ["a/\(left == "1" ? "2" : "1") \(ENOENT)"])
        }
    }

    @Test("No timestamp of a new file, link or directory changes, at any depth", arguments: Resolution.allCases)
    func times(resolution: Resolution) throws {
        try withFolder(resolution: resolution) { folder, _ throws in
            try folder.createDirectories("a/b/c")
            try folder.put("text", "a/b/file")
            try folder.createSymbolicLink("a/link", to: "b")
            let paths = ["", "a", "a/b", "a/b/c", "a/b/file", "a/link"] as [FilePath]
            // The kernel updates an access time that is not later than the modification time.
            for path in paths where !path.isEmpty {
                let time = try folder.status(path).modified
                try folder.setTimes(path, accessed: time, modified: time)
            }
            let before = try paths.map { try folder.status($0) }
            let witness = Witness()
            run(folder, witness)
            let after = try paths.map { try folder.status($0) }
            #expect(witness.troubles.isEmpty)
            #expect(after.map(\.accessed) == before.map(\.accessed))
            #expect(after.map(\.modified) == before.map(\.modified))
            #expect(after.map(\.changed) == before.map(\.changed))
        }
    }
}
