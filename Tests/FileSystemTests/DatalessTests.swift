import CFileSystem
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Items whose content is not on this disk", .timeLimit(.minutes(60))) struct DatalessTests {
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
            let path = directory + "/" + String(decoding: entry.name, as: UTF8.self)
            accumulator.append(path)
            return entry.status.kind == .directory ? path : nil
        }
        func end(_ directory: String, accumulator: [String]) { found.withLock { $0 += accumulator } }
        func failed(_ failure: WalkFailure) { failures.withLock { $0.append(failure) } }
    }

    @Test("A walk reports an evicted directory by its status alone, and visits the rest")
    func walk() throws {
        var calls = Syscalls.live
        // A substitute for the status of Darwin, which has a flag for evicted items.
        calls.status = { directory, name, status in
            let result = cfs_status_at(directory, name, status)
            if String(cString: name).hasPrefix("evicted") { status.pointee.dataless = true }
            return result
        }
        try withFolder(calls: calls) { folder, _ throws in
            try folder.put("a", "here")
            try folder.put("b", "evicted-file")
            try folder.createDirectories("evicted-directory/inner")
            #expect(try folder.status("evicted-file").isDataless && !folder.status("here").isDataless)
            let gatherer = Gatherer()
            Walk(threads: 2).run(folder, directory: "", visitor: gatherer)
            #expect(gatherer.found.withLock { $0.sorted() } == ["/evicted-file", "/here"])
            let failures = gatherer.failures.withLock { $0 }
            #expect(failures.map { String(decoding: $0.path, as: UTF8.self) } == ["evicted-directory"])
            #expect(failures.map(\.reason) == ["not-downloaded"])
        }
    }

    @Test("An ordinary file is not dataless, and the policy of the process is set without an effect on it")
    func ordinary() throws {
        Host.leaveFilesUntouched()
        try withFolder { folder, _ throws in
            #expect(try !folder.put("text", "file").status().isDataless)
            #expect(try folder.text("file") == "text")
        }
    }
}
