import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Entries of a walk") struct WalkEntriesTests {
    /// A visitor that asks an entry of the root about its siblings.
    private final class Questioner: WalkVisitor {
        struct Answers: Equatable {
            var parts: [Int] = []
            var visited: [String] = []
            /// The names of the directory, as every part lists them.
            var listed: [[String]] = []
            /// The sizes of siblings by their names, as every part finds them.
            var sizes: [[String: UInt64]] = []
            var attributes: [[String]?] = []
            var isWhole: [Bool] = []
        }
        let answers = LockedValue(Answers())
        let asked: [String]

        init(asking asked: [String]) { self.asked = asked }

        func begin(_ directory: String) {}

        func visit(
            _ entries: WalkEntries, in directory: String, into accumulator: inout Void
        ) -> [Subdirectory<String>] {
            guard directory.isEmpty else { return [] }
            let all = (0..<entries.count).map { entries[$0] }
            let names = all.map { String(decoding: $0.name, as: UTF8.self) }
            var listed: [String] = []
            entries.forEachName { name, kind in
                listed.append(String(decoding: name, as: UTF8.self) + (kind == .directory ? "/" : ""))
            }
            answers.withLock { answers in
                answers.parts.append(all.count)
                answers.visited += names
                answers.listed.append(listed.sorted())
                answers.isWhole.append(entries.isWhole)
                answers.sizes.append(
                    asked.reduce(into: [:]) { $0[$1] = all[0].status(ofSibling: Array($1.utf8))?.size })
                answers.attributes.append(all[0].attributes(ofSibling: Array("marked".utf8)))
            }
            return zip(all, names).enumerated().compactMap { index, entry in
                entry.0.status.kind == .directory ? Subdirectory(index: index, data: entry.1) : nil
            }
        }

        func end(_ directory: String, accumulator: Void) {}
        func failed(_ failure: WalkFailure) { Issue.record("\(failure)") }
    }

    @Test(
        "A directory is visited as a whole, and one with many directories in parts that know all names",
        arguments: [(0, 16_384), (10, 16_384), (1_200, 16_384), (1_200, 0)])
    func parts(directories: Int, queueLimit: Int) throws {
        try withFolder { folder, _ throws in
            var names = ["a", "b\u{e9}", "marked"]
            try folder.put(String(repeating: "x", count: 7), "a")
            try folder.put("", "b\u{e9}")
            try folder.put("m", "marked")
            let marked = try folder.open("marked", followingLinks: false)
            try ExtendedAttributes.write("mark", value: [1], to: marked.descriptor, path: "marked")
            for number in 0..<directories {
                try folder.createDirectories(FilePath("d\(number)"))
                names.append("d\(number)")
            }
            let questioner = Questioner(asking: ["a", "b\u{e9}", "A", "c", "", "a/b", "d7/.."])
            var walk = Walk(threads: 2)
            walk.queueLimit = queueLimit
            walk.run(folder, directory: "", visitor: questioner)
            let answers = questioner.answers.withLock { $0 }
            #expect(answers.visited.sorted() == names.sorted())
            #expect(answers.parts.allSatisfy { $0 <= WalkEntries.mostDirectories + 3 })
            #expect(answers.parts.count == 1 + directories / WalkEntries.mostDirectories)
            #expect(answers.isWhole.allSatisfy { $0 == (directories < WalkEntries.mostDirectories) })
            let listed = names.map { $0.hasPrefix("d") ? $0 + "/" : $0 }.sorted()
            #expect(answers.listed.allSatisfy { $0 == listed })
            #expect(answers.sizes.allSatisfy { $0 == ["a": 7, "b\u{e9}": 0] })
            #expect(answers.attributes.allSatisfy { $0 == ["mark"] })
        }
    }
}
