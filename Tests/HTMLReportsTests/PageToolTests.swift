import Foundation
import TestSupport
import Testing
import ToolSupport

/// The pages that the tools write.
@Suite("Pages of the tools", .timeLimit(.minutes(60))) struct PageToolTests {
    /// An item in the data of a page.
    private struct Item {
        let name: String
        let kind: Int
        let storage: Int
        let bytes: UInt64
        let items: Int
        let children: [Item]

        init?(_ value: Any) {
            guard let values = value as? [Any], values.count >= 5, let name = values[0] as? String,
                let kind = values[1] as? Int, let storage = values[2] as? Int, let bytes = values[3] as? NSNumber,
                let items = values[4] as? Int
            else { return nil }
            (self.name, self.kind, self.storage, self.items) = (name, kind, storage, items)
            self.bytes = bytes.uint64Value
            children = values.count > 5 ? (values[5] as? [Any] ?? []).compactMap(Item.init) : []
        }

        /// The items that have no content in the data.
        var leaves: [Item] { children.isEmpty ? [self] : children.flatMap(\.leaves) }

        /// The bytes of a class: 0 backed up, 1 re-downloadable, 2 caches, 3 temporary, 4 excluded, 5 unknown.
        func bytes(of storage: Int) -> UInt64 { leaves.filter { $0.storage == storage }.reduce(0) { $0 + $1.bytes } }
    }

    private static func maps(_ page: String) throws -> [Item] {
        let start = try #require(page.range(of: "id=\"data\">"))
        let end = try #require(page[start.upperBound...].range(of: "</script>"))
        let json = try JSONSerialization.jsonObject(with: Data(page[start.upperBound..<end.lowerBound].utf8))
        return try #require((json as? [String: Any])?["maps"] as? [Any]).compactMap(Item.init)
    }

    private static func json(_ tool: TestedTool, _ arguments: [String], in folder: URL) throws -> [String: Any] {
        let run = try tool.run(arguments, in: folder)
        return try #require(JSONSerialization.jsonObject(with: run.output) as? [String: Any], "\(run.errors)")
    }

    private func lint(_ arguments: String..., in folder: URL) throws -> Command {
        try sandboxlint(["lint", "--isolated", "--now", "2026-01-01"] + arguments, in: folder)
    }

    @Test("The page of a run has the sums and findings of the JSON report, with any number of threads")
    func sums() throws {
        try withScratch { folder throws in
            try PageContainers.make(in: folder)
            let run = try lint("container", "--format", "html", "--output", "html=out.html", "-j", "1", in: folder)
            #expect(run.code == 1 && run.errors.isEmpty, "\(run.errors)")
            #expect(try run.output == Data(contentsOf: folder.appending(path: "out.html")))
            #expect(try run.output == lint("container", "--format", "html", "-j", "4", in: folder).output)

            let report = try Self.json(
                .sandboxlint, ["lint", "container", "--isolated", "--now", "2026-01-01", "--format", "json"],
                in: folder)
            let summary = try #require(report["summary"] as? [String: Any])
            func number(_ key: String) -> UInt64? { (summary[key] as? NSNumber)?.uint64Value }
            let root = try #require(Self.maps(run.text).first)
            #expect(root.bytes == number("bytes") && UInt64(root.items) == number("items"))
            #expect(root.bytes(of: 1) == number("regenerableBackedUpBytes") && root.bytes(of: 1) > 10_000_000)
            #expect((0...2).reduce(0) { $0 + root.bytes(of: $1) } == number("backedUpBytes"))
            #expect(root.bytes(of: 5) == 7_000_000 + 300_000)
            let findings = try #require(report["findings"] as? [[String: Any]])
            #expect(run.text.matches(of: /<li class="finding"/).count == findings.count)
            for rule in Set(findings.compactMap { $0["rule"] as? String }) {
                #expect(try run.text.contains(Regex("data-rule=\"([a-z-]+ )*\(rule)[ \"]")))
            }
        }
    }

    @Test("Re-downloadable items have their color also if the findings are suppressed or accepted by a baseline")
    func hidden() throws {
        try withScratch { folder throws in
            try PageContainers.make(in: folder)
            let expected = try #require(Self.maps(lint("container", "--format", "html", in: folder).text).first)
            let written = try sandboxlint(
                ["baseline", "write", "container", "--isolated", "--now", "2026-01-01", "--baseline", "b.json"],
                in: folder)
            #expect(written.code == 0, "\(written.errors)")
            let run = try lint("container", "--format", "html", "--baseline", "b.json", in: folder)
            #expect(run.code == 0 && run.text.contains("accepted by the baseline"), "\(run.errors)")
            #expect(try #require(Self.maps(run.text).first).bytes(of: 1) == expected.bytes(of: 1))
        }
    }

    @Test("Of many findings and items, a limited number is on the page, and the page states the others")
    func limits() throws {
        try withScratch { folder throws in
            try folder.makeDirectories("c/Documents")
            for directory in 1...40 {
                for number in 1...80 { try folder.write("x\n", to: "c/tmp/d\(directory)/\(number).part") }
            }
            try folder.appending(path: "c/tmp").setAllTimes("2025-01-01T00:00:00Z") { !$1 }
            let run = try lint("c", "--format", "html", in: folder)
            let listed = run.text.matches(of: /<li class="finding"/).count
            #expect(listed <= 2_000 && listed >= 250, "\(listed)")
            #expect(run.text.contains("`sandboxlint lint --format json`") == false)
            #expect(run.text.contains("<code>sandboxlint lint --format json</code> writes all of them."))
            #expect(run.text.contains("more findings not shown."))
            // 3,200 files with the same size: none of them is among the largest 2,000 items. Nor is the empty Documents.
            let root = try #require(Self.maps(run.text).first)
            #expect(root.items == 3_242 && root.bytes == 6_400)
            #expect(root.leaves.count < 100)
            #expect(run.text.contains("3,201 smaller are combined in their directories."))
        }
    }

    @Test("Several containers have one map with a directory each, and a failed input is stated")
    func several() throws {
        try withScratch { folder throws in
            try PageContainers.make(in: folder)
            let run = try lint("container", "before", "absent", "--format", "html", in: folder)
            #expect(run.code == 3)
            let root = try #require(Self.maps(run.text).first)
            #expect(Set(root.children.map(\.name)) == ["container", "before"])
            #expect(run.text.contains("The run is incomplete") && run.text.contains("absent"))
            #expect(run.text.contains("<bdi>2 containers</bdi>"))
            let none = try lint("absent", "--format", "html", in: folder)
            #expect(none.code == 3 && none.text.contains("Nothing was linted."), "\(none.errors)")
            let wrong = try lint("container", "--set", "nothing=1", "--format", "html", in: folder)
            #expect(wrong.code == 2 && wrong.text.contains("Nothing was linted."), "\(wrong.code)")
        }
    }

    @Test("A comparison has a map of each container; stored reports have none, and the page states it")
    func difference() throws {
        try withScratch { folder throws in
            try PageContainers.make(in: folder)
            func diff(_ arguments: String...) throws -> Command {
                let options = ["--isolated", "--now", "2026-01-01", "--format", "html"]
                return try sandboxlint(["diff"] + arguments + options, in: folder)
            }
            let run = try diff("before", "container")
            let maps = try Self.maps(run.text)
            #expect(run.code == 1 && maps.count == 2 && maps[0].bytes < maps[1].bytes, "\(run.errors)")
            #expect(run.text.contains("data-change=\"new\"") && run.text.contains("data-change=\"fixed\""))
            #expect(run.text.contains("Changed sizes"))
            let report = try lint("before", "--format", "json", in: folder)
            try report.output.write(to: folder.appending(path: "before.json"))
            let stored = try diff("before.json", "container")
            #expect(
                try Self.maps(stored.text).isEmpty && stored.text.contains("so there is no map"), "\(stored.errors)")
            #expect(stored.text.contains("data-change=\"new\""))
        }
    }

    @Test("sandboxfm du --html shows the sizes of du, of the container or of items")
    func usage() throws {
        try withScratch { folder throws in
            try PageContainers.make(in: folder)
            try folder.makeName("container/tmp/link.epub", of: "container/Documents/Books/Volume 12.epub")
            func bytes(_ arguments: String...) throws -> (page: Item, total: UInt64?) {
                let page = try sandboxfm(["du", "container"] + arguments + ["--html"], in: folder)
                #expect(page.code == 0 && page.errors.isEmpty, "\(page.errors)")
                let sums = try Self.json(
                    .sandboxfm, ["du", "container"] + arguments + ["--json"], in: folder)
                let total = (sums["total"] as? [String: Any])?["bytes"] as? NSNumber
                return (try #require(Self.maps(page.text).first), total?.uint64Value)
            }
            let all = try bytes()
            #expect(all.page.bytes == all.total && all.page.bytes(of: 1) > 10_000_000)
            let books = try bytes("Documents/Books")
            #expect(books.page.bytes == books.total && books.page.children.count == 12)
            let some = try bytes("Documents/Books/Volume 1*", "Documents/Covers", "Documents/Covers/1.jpg")
            #expect(some.page.bytes == some.total)
            #expect(some.page.children.map(\.name) == ["Documents"])
            for arguments in [["--json"], ["--format", "text"], ["--by", "kind"]] {
                let run = try sandboxfm(["du", "container", "--html"] + arguments, in: folder)
                #expect(run.code == 2 && run.output.isEmpty, "\(arguments)")
            }
        }
    }

    @Test("The page of a plan has the sums of the plan")
    func plan() throws {
        try withScratch { folder throws in
            try PageContainers.make(in: folder)
            let run = try sandboxbackup(["plan", "container", "--format", "html"], in: folder)
            #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
            let plan = try Self.json(.sandboxbackup, ["plan", "container", "--format", "json"], in: folder)
            let summary = try #require(plan["summary"] as? [String: Any])
            func bytes(_ path: String...) -> UInt64? {
                let sum = path.reduce(summary as Any?) { ($0 as? [String: Any])?[$1] }
                return (sum as? NSNumber)?.uint64Value
            }
            let root = try #require(Self.maps(run.text).first)
            #expect((0...2).reduce(0) { $0 + root.bytes(of: $1) } == bytes("include", "bytes"))
            #expect(root.bytes(of: 1) == 40 * 41 / 2 * 9_000 + 15 * 16 / 2 * 30_000)
            #expect(root.bytes(of: 3) == bytes("reasons", "caches", "bytes"))
            #expect(root.bytes(of: 4) == bytes("reasons", "tmp", "bytes"))
            #expect(root.bytes(of: 5) == 7_000_000 + 300_000)
            let items = (bytes("include", "items") ?? 0) + (bytes("exclude", "items") ?? 0)
            // The plan counts the container itself.
            #expect(UInt64(root.items) == items - 1)
            let explained = try sandboxbackup(
                ["plan", "container", "--explain", "tmp", "--format", "html"], in: folder)
            #expect(explained.code == 2)
        }
    }
}
