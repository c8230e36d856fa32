import AppContainer
import ContainerTree
import Foundation
import PolicyAuthoring
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("Comparing files with holes") struct SparseFileTests {
    private func withTree(_ script: String, _ body: (DirectoryTree) throws -> Void) throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "c")
            let container = try Container.create(at: FilePath(path.path), bundleIdentifier: "com.example.app")
            let made = try Command("sh", ["-ec", "cd Documents\n" + script], in: path)
            #expect(made.code == 0, "\(made.errors)")
            try body(DirectoryTree(container))
        }
    }

    private func path(_ name: String) -> [UInt8] { Array("Documents/\(name)".utf8) }

    @Test("Equal content is equal with and without holes, and has the same digest", .timeLimit(.minutes(60)))
    func layouts() throws {
        let script = """
            for name in holes zeros other shorter; do truncate -s 64M $name; printf end >> $name; done
            truncate -s 32M shorter; dd if=/dev/zero of=zeros bs=1M count=48 conv=notrunc status=none
            printf x | dd of=other bs=1 seek=20000000 conv=notrunc status=none
            truncate -s 1T huge-a huge-b huge-c; printf x | dd of=huge-c bs=1 seek=900000000000 conv=notrunc status=none
            """
        try withTree(script) { tree throws in
            var budget = ComparisonBudget()
            func isSame(_ left: String, _ right: String) -> Bool {
                tree.hasSameContent(path(left), path(right), within: &budget)
            }
            func digest(_ name: String) -> Int? { tree.digest(of: path(name), limit: .max, within: &budget) }
            #expect(isSame("holes", "zeros") && isSame("huge-a", "huge-b"))
            #expect(!isSame("holes", "other") && !isSame("holes", "shorter") && !isSame("huge-a", "huge-c"))
            #expect(digest("holes") == digest("zeros") && digest("huge-a") == digest("huge-b"))
            #expect(digest("holes") != digest("other") && digest("huge-a") != digest("huge-c"))
            #expect(!budget.isSpent)
        }
    }

    @Test("Files above the budget are not compared, and the run is incomplete")
    func budget() throws {
        try withTree("head -c 2000000 /dev/urandom > a.bin; cp a.bin b.bin; cp a.bin c.bin") { tree throws in
            var budget = ComparisonBudget(bytes: 1 << 20)
            #expect(!tree.hasSameContent(path("a.bin"), path("b.bin"), within: &budget) && budget.isSpent)
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
