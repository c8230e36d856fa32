import AppContainer
import ContainerExplorer
import ContainerTree
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing
import TextOutput

@Suite("A comparison of two containers", .timeLimit(.minutes(60))) struct ContainerComparisonTests {
    /// Two containers `a` and `b` with the same items and dates.
    private func withContainers(_ body: (_ folder: URL) throws -> Void) throws {
        try withScratch { folder throws in
            _ = try Container.create(
                at: FilePath(folder.appending(path: "a").path), bundleIdentifier: "com.example.app")
            try folder.makeDirectories("a/Documents/d/e", "a/Documents/gone", "a/Documents/same")
            try folder.write("equal", to: "a/Documents/d/e/equal", "a/Documents/same/x", "a/Documents/gone/first")
            try folder.write("second file", to: "a/Documents/gone/second")
            try folder.write("abc", to: "a/Documents/d/text", "a/Documents/touched", "a/Documents/kind")
            try folder.makeLink("a/Documents/link", to: "one")
            try folder.copyAll("a", to: "b")
        }
    }

    private func compare(
        _ folder: URL, _ change: (inout ContainerComparison.Options) -> Void = { _ in }
    ) throws -> ContainerComparison {
        func index(_ name: String) throws -> ContainerIndex {
            try ContainerIndex(of: DirectoryTree(Container.open(FilePath(folder.appending(path: name).path))))
        }
        var options = ContainerComparison.Options()
        change(&options)
        return try #require(ContainerComparison(index("a"), index("b"), options: options))
    }

    /// The differences as lines: a sign, the path, and the bits of what differs.
    private func lines(_ comparison: ContainerComparison) -> [String] {
        comparison.differences.map { difference in
            if let left = difference.left, difference.right != nil {
                return "~\(ByteText.escaped(comparison.left.path(of: left))) \(difference.change.rawValue)"
            }
            return difference.right.map { "+" + ByteText.escaped(comparison.right.path(of: $0)) }
                ?? difference.left.map { "-" + ByteText.escaped(comparison.left.path(of: $0)) } ?? ""
        }
    }

    @Test("finds what one container has, what has changed, and nothing between equal ones")
    func differences() throws {
        try withContainers { folder throws in
            let equal = try compare(folder) { $0.comparesAllContent = true }
            #expect(equal.isEqual && equal.isComplete && lines(equal) == [])
            #expect(equal.same.items == equal.left.count - 1 && equal.same.leftBytes > 0)

            // A date alone is no change.
            try folder.setTimes("2020-01-01", of: "b/Documents/touched")
            try folder.write("abd", to: "b/Documents/d/text")
            try folder.write("longer", to: "b/Documents/d/e/equal")
            try folder.remove("b/Documents/kind", "b/Documents/link", "b/Documents/gone")
            try folder.makeDirectories("b/Documents/kind")
            try folder.write("12345", to: "b/Documents/kind/new", "b/Documents/d/0")
            try folder.makeLink("b/Documents/link", to: "two")
            let changed = try compare(folder)
            #expect(
                lines(changed) == [
                    "+Documents/d/0", "~Documents/d/e/equal 2", "~Documents/d/text 4", "-Documents/gone",
                    "~Documents/kind 1", "~Documents/link 8",
                ])
            #expect(changed.isComplete && changed.moves.isEmpty)
            func status(_ path: String) -> ContainerComparison.Status? {
                changed.left.number(at: Array(path.utf8)).map(changed.status(ofLeft:))
            }
            #expect(status("") == .changed && status("Documents") == .changed && status("Documents/d/e") == .changed)
            #expect(status("Documents/same") == .same && status("Documents/touched") == .same && status("tmp") == .same)
            #expect(status("Documents/gone") == .onlyHere && status("Documents/gone/first") == .onlyHere)
            let added = try #require(changed.right.number(at: Array("Documents/d/0".utf8)))
            #expect(changed.status(ofRight: added) == .onlyHere && changed.partner(ofRight: added) == nil)
            #expect(changed.right.parent(of: added).map(changed.status(ofRight:)) == .changed)
            for item in 0..<changed.left.count {
                guard let partner = changed.partner(ofLeft: item) else { continue }
                #expect(changed.partner(ofRight: partner) == item)
                #expect(changed.status(ofLeft: item) == changed.status(ofRight: partner))
            }
            let gone = try #require(changed.differences.first { $0.right == nil })
            var sum = ContainerComparison.Sum()
            for item in changed.items(of: gone) { changed.add(item, to: &sum) }
            #expect(sum.items == 3 && sum.leftBytes == 16 && sum.rightBytes == 0)
        }
    }

    @Test("reads files with the same size and date only if asked to")
    func content() throws {
        try withContainers { folder throws in
            try folder.write("abd", to: "b/Documents/d/text")
            try folder.setTimes("2020-01-01", of: "a/Documents/d/text", "b/Documents/d/text")
            #expect(try compare(folder).isEqual)
            #expect(try lines(compare(folder) { $0.comparesAllContent = true }) == ["~Documents/d/text 4"])
            let spent = try compare(folder) {
                ($0.comparesAllContent, $0.budget) = (true, ComparisonBudget(bytes: 3))
            }
            #expect(!spent.isComplete && !spent.isEqual && spent.uncompared.count > 1)
            #expect(spent.uncompared.allSatisfy { $0.reason == "too many bytes to read" })
        }
    }

    @Test("finds files and directories that have moved")
    func moves() throws {
        try withContainers { folder throws in
            try folder.move("b/Documents/gone", to: "b/Documents/other")
            try folder.write("unique content", to: "a/Documents/before")
            try folder.write("unique content", to: "b/Documents/d/after")
            let comparison = try compare(folder)
            func number(_ path: String, _ index: ContainerIndex) throws -> Int {
                try #require(index.number(at: Array(path.utf8)))
            }
            let (gone, other) = (
                try number("Documents/gone", comparison.left), try number("Documents/other", comparison.right)
            )
            #expect(comparison.destination(ofDirectory: gone) == other && comparison.origin(ofDirectory: other) == gone)
            let before = try number("Documents/before", comparison.left)
            #expect(comparison.moves[before] == (try number("Documents/d/after", comparison.right)))
            var text = ""
            ComparisonListing(comparison, left: "a", right: "b").writeText(in: Style(colored: false)) { text += $0 }
            #expect(text.contains("Documents/before  (moved to Documents/d/after)"), "\(text)")
            #expect(text.contains("Documents/other/  (2 items)  (moved from Documents/gone)"), "\(text)")
        }
    }

    @Test("takes names in another Unicode form for the same, and keeps odd names apart")
    func names() throws {
        try withContainers { folder throws in
            try folder.write("x", to: "a/Documents/caf\u{e9}", "a/Documents/日本語", "a/Documents/a\u{1b}[2J\n")
            try folder.write("x", to: "b/Documents/cafe\u{301}", "b/Documents/日本語", "b/Documents/a\u{1b}[2K\n")
            let comparison = try compare(folder)
            #expect(lines(comparison) == ["-Documents/a%1B[2J%0A", "+Documents/a%1B[2K%0A"])
        }
    }

    @Test("compares containers that are deeper than a stack")
    func deep() throws {
        try withContainers { folder throws in
            let path = "Documents/" + String(repeating: "d/", count: 1_000)
            for container in ["a/", "b/"] { try folder.makeDirectories(container + path) }
            try folder.write("x", to: "b/" + path + "x")
            try onSmallStack {
                let comparison = try compare(folder)
                #expect(comparison.differences.count == 1 && comparison.status(ofLeft: 1) == .changed)
            }
        }
    }

    @Test("reports files that vanish or grow after they were indexed, and ends on request")
    func meanwhile() throws {
        try withContainers { folder throws in
            try folder.setTimes("2020-01-01", of: "b/Documents/touched", "b/Documents/d/text", "b/Documents/kind")
            func index(_ name: String) throws -> ContainerIndex {
                try ContainerIndex(of: DirectoryTree(Container.open(FilePath(folder.appending(path: name).path))))
            }
            let (left, right) = (try index("a"), try index("b"))
            try folder.remove("b/Documents/touched", "a/Documents/kind")
            try folder.append("more", to: "b/Documents/d/text")
            try folder.makeLink("a/Documents/kind", to: "touched")
            let comparison = try #require(ContainerComparison(left, right))
            #expect(
                lines(comparison) == ["~Documents/d/text 4", "~Documents/kind 16", "~Documents/touched 16"])
            #expect(comparison.uncompared.count == 2 && !comparison.isComplete)
            var options = ContainerComparison.Options()
            options.isCancelled = { true }
            #expect(ContainerComparison(left, right, options: options) == nil)
        }
    }
}
