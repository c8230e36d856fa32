import Foundation
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("The regression corpus", .needs(.long)) struct CorpusTests {
    private static let page = CorpusContainer.folder.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "rules/PRECISION.md")

    private static let score = Result {
        try withScratch { scratch throws in
            var catalogue = try Catalogue.embedded()
            // Each by its id, so that those which must be asked for are there as well.
            try catalogue.restrict(select: catalogue.rules.map(\.id), ignore: [])
            var score = CorpusScore()
            for container in try CorpusContainer.all() { try score.add(container, catalogue: catalogue, in: scratch) }
            return score
        }
    }

    @Test("It is large enough, all of it is read, and every label is the id of a rule")
    func size() throws {
        let score = try Self.score.get()
        #expect(score.containers >= 30 && score.items >= 400)
        #expect(score.incidents.isEmpty)
        let catalogue = try Catalogue.embedded()
        let words = try CorpusContainer.all().flatMap { $0.labels.values.flatMap { $0 } }
        for word in Set(words) { _ = try catalogue.rule(word) }
        #expect(try CorpusContainer.all().allSatisfy { $0.source.hasPrefix("https://") })
    }

    @Test("A stable rule is right in 95 of 100 findings, on ten labelled items or more")
    func precision() throws {
        let score = try Self.score.get()
        for rule in try Catalogue.embedded().rules where rule.stage == .stable {
            let count = score.counts[rule.id] ?? CorpusScore.Count()
            #expect(count.precision >= 0.95 && count.items >= 10, "\(rule.id): \(count)")
        }
    }

    @Test("The page of figures matches the corpus")
    func page() throws {
        let score = try Self.score.get()
        let old = try String(contentsOf: Self.page, encoding: .utf8)
        let page = try #require(score.page(try .embedded(), replacing: old), "the marks of the corpus are missing")
        if ProcessInfo.processInfo.environment["WRITE_PRECISION"] != nil {
            try page.write(to: Self.page, atomically: true, encoding: .utf8)
        }
        let written = try String(contentsOf: Self.page, encoding: .utf8)
        #expect(written == page, "run make precision")
    }

    @Test("The figures are read from their own table, and writing them preserves the rest of the page")
    func marks() throws {
        let row = "| some-rule | 9 | 4 | 5 | 0 |\n"
        let page =
            "# A\n| other-rule | 9 | 1 | 2 |\n<!-- corpus -->\n\(row)<!-- end: corpus -->\n| third-rule | 9 | 1 | 2 |\n"
        #expect(RulePrecision.table(of: page).keys.sorted() == ["some-rule"])
        #expect(RulePrecision.table(of: "| some-rule | 9 | 4 | 5 | 0 |").isEmpty)
        let new = try #require(CorpusScore().page(.embedded(), replacing: page))
        #expect(new.hasPrefix("# A\n| other-rule | 9 | 1 | 2 |\n<!-- corpus -->\n0 containers"))
        #expect(new.hasSuffix("<!-- end: corpus -->\n| third-rule | 9 | 1 | 2 |\n") && !new.contains("some-rule"))
        #expect(CorpusScore().page(try .embedded(), replacing: "# A") == nil)
    }
}
