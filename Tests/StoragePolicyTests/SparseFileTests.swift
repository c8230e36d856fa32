import AppContainer
import ContainerTree
import Foundation
import PolicyAuthoring
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("Comparing files with holes") struct SparseFileTests {
    private func withTree(
        _ make: (_ documents: URL) throws -> Void, _ body: (DirectoryTree) throws -> Void
    ) throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "c")
            let container = try Container.create(at: FilePath(path.path), bundleIdentifier: "com.example.app")
            try make(path.appending(path: "Documents"))
            try body(DirectoryTree(container))
        }
    }

    private func path(_ name: String) -> [UInt8] { Array("Documents/\(name)".utf8) }

    @Test("Equal content is equal with and without holes, and has the same digest", .timeLimit(.minutes(60)))
    func layouts() throws {
        func make(_ documents: URL) throws {
            for name in ["holes", "zeros", "other"] {
                try documents.makeHole(name, size: 64 << 20)
                try documents.append("end", to: name)
            }
            try documents.makeHole("shorter", size: 32 << 20)
            try documents.write(Data(count: 48 << 20), to: "zeros", at: 0)
            try documents.write(Data("x".utf8), to: "other", at: 20_000_000)
            for name in ["huge-a", "huge-b", "huge-c"] { try documents.makeHole(name, size: 1 << 40) }
            try documents.write(Data("x".utf8), to: "huge-c", at: 900_000_000_000)
        }
        try withTree(make) { tree throws in
            var budget = ComparisonBudget()
            func digest(_ name: String) -> Int? { tree.digest(of: path(name), limit: .max, within: &budget) }
            #expect(
                digest("holes") != nil && digest("holes") == digest("zeros") && digest("huge-a") == digest("huge-b"))
            #expect(digest("holes") != digest("other") && digest("huge-a") != digest("huge-c"))
            #expect(!budget.isSpent)
        }
    }

    @Test("Files above the budget are not compared, and the run is incomplete")
    func budget() throws {
        let content = try randomData(2_000_000)
        try withTree { documents throws in
            for name in ["a", "b", "c"] { try documents.write(content, to: "\(name).bin") }
        } _: { tree throws in
            var budget = ComparisonBudget(bytes: 1 << 20)
            #expect(tree.digest(of: path("a.bin"), limit: .max, within: &budget) == nil && budget.isSpent)
            var catalogue = try Catalogue.embedded()
            try catalogue.restrict(select: ["duplicate-in-backup"], ignore: [])
            var linter = try Linter(catalogue: catalogue, now: ExampleRun.now)
            #expect(try linter.lint(tree.container).findings.count == 2)
            linter.comparisonBudget = ComparisonBudget(bytes: 1 << 20)
            let report = try linter.lint(tree.container)
            #expect(report.incidents.map(\.reason.rawValue) == ["too-many-bytes-to-compare"] && report.findings.isEmpty)
        }
    }
}
