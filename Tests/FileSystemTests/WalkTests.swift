import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Walk", .timeLimit(.minutes(60))) struct WalkTests {
    /// A visitor that collects every path with its attributes.
    private final class Gatherer: WalkVisitor {
        let found = LockedValue<[String]>([])
        let failures = LockedValue<[WalkFailure]>([])

        func begin(_ directory: String) -> [String] { [] }
        func visit(
            _ entries: WalkEntries, in directory: String, into accumulator: inout [String]
        ) -> [Subdirectory<String>] {
            (0..<entries.count).compactMap { index in
                visit(entries[index], in: directory, &accumulator).map { Subdirectory(index: index, data: $0) }
            }
        }
        private func visit(_ entry: WalkEntry, in directory: String, _ accumulator: inout [String]) -> String? {
            let name = FilePath(bytes: UnsafeRawBufferPointer(entry.name)).bytes
            let shown = name.map { $0 < 0x80 && $0 > 0x1f ? String(UnicodeScalar($0)) : "%\($0)" }.joined()
            let path = directory.isEmpty ? shown : directory + "/" + shown
            let attributes = ExtendedAttributes.names(in: entry.attributeList)
            accumulator.append(path + (attributes.isEmpty ? "" : " " + attributes.joined(separator: ",")))
            return entry.status.kind == .directory ? path : nil
        }
        func end(_ directory: String, accumulator: [String]) { found.withLock { $0 += accumulator } }
        func failed(_ failure: WalkFailure) { failures.withLock { $0.append(failure) } }
    }

    private func walk(_ url: URL, threads: Int, queueLimit: Int = 16_384) throws -> Gatherer {
        let gatherer = Gatherer()
        var walk = Walk(threads: threads)
        walk.queueLimit = queueLimit
        walk.run(try Folder(opening: FilePath(url.path)), directory: "", visitor: gatherer)
        return gatherer
    }

    @Test(
        "Every entry is visited once, with its attributes, with any number of threads and any queue limit",
        arguments: [(1, 16_384), (2, 16_384), (8, 16_384), (1, 0), (4, 0), (2, 3)])
    func complete(threads: Int, queueLimit: Int) throws {
        try withScratch { url throws in
            var expected: [String] = []
            for outer in 0..<20 {
                expected.append("d\(outer)")
                for inner in 0..<10 {
                    let path = "d\(outer)/e\(inner)"
                    try FileManager.default.createDirectory(
                        at: url.appending(path: path), withIntermediateDirectories: true)
                    try Data().write(to: url.appending(path: path + "/f"))
                    expected += [path, path + "/f"]
                }
            }
            let folder = try Folder(opening: FilePath(url.path))
            let odd = try folder.createFile(
                FilePath(bytes: Platform.allowsAnyNames ? [0x78, 0xff, 0x0a] : [0x78, 0x0a]), permissions: 0o600)
            try ExtendedAttributes.write("mark", value: [], to: odd.descriptor, path: "odd")
            expected.append("x%255%10 mark")
            try folder.createFIFO("pipe")
            try folder.createSymbolicLink("loop", to: ".")
            expected += ["pipe", "loop"]
            let gatherer = try walk(url, threads: threads, queueLimit: queueLimit)
            #expect(gatherer.found.withLock { $0.sorted() } == expected.sorted())
            #expect(gatherer.failures.withLock { $0.isEmpty })
        }
    }

    @Test("The process keeps its working directory")
    func currentDirectory() throws {
        let before = FileManager.default.currentDirectoryPath
        try withScratch { url throws in
            try FileManager.default.createDirectory(at: url.appending(path: "a/b"), withIntermediateDirectories: true)
            _ = try walk(url, threads: 2)
        }
        #expect(FileManager.default.currentDirectoryPath == before)
    }

    @Test("A tree deeper than any app's results in a failure in bounded time", .needs(.externalProgram))
    func deep() throws {
        try withScratch { url throws in
            // Deeper than a path can express; Python creates it step by step.
            let make = """
                import os,sys
                os.chdir(sys.argv[1])
                for _ in range(1300):
                    os.mkdir('deeper'); os.chdir('deeper')
                """
            #expect(try Command("python3", ["-c", make, url.path]).code == 0)
            defer { _ = try? Command("rm", ["-rf", url.path]) }
            let gatherer = try walk(url, threads: 2)
            #expect(gatherer.found.withLock { $0.count } == Walk.maximumDepth + 1)
            let failures = gatherer.failures.withLock { $0 }
            #expect(failures.map(\.errno) == [.fileNameTooLong])
        }
    }

    @Test("Access times are preserved, also where the kernel would update them")
    func accessTimes() throws {
        try withScratch { url throws in
            try FileManager.default.createDirectory(at: url.appending(path: "a"), withIntermediateDirectories: true)
            try Data("x".utf8).write(to: url.appending(path: "a/f"))
            let old = Timestamp(seconds: 1_600_000_000)
            let folder = try Folder(opening: FilePath(url.path))
            for path in ["a/f", "a"] as [FilePath] { try folder.setTimes(path, accessed: old, modified: old) }
            _ = try walk(url, threads: 2)
            #expect(try folder.status("a").accessed == old)
            #expect(try folder.status("a/f").accessed == old)
        }
    }
}
