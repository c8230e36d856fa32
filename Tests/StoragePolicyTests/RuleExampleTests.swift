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

@Suite("The examples of the rules", .needs(.long)) struct RuleExampleTests {
    // Read once, because each example would read every file again.
    static let catalogue = try? Catalogue.embedded()
    static let ids = catalogue?.rules.map(\.id) ?? []

    @Test("Each rule has a unique number and id, and two examples of each kind")
    func numbers() throws {
        let rules = try Catalogue.embedded().rules
        #expect(Set(rules.map(\.number)).count == rules.count && Set(rules.map(\.id)).count == rules.count)
        #expect(Set(rules.map(\.number)).isSuperset(of: [1, 2, 4, 8, 9, 10, 11, 14, 19, 25, 28, 78]))
        #expect(rules.allSatisfy { $0.bad.count >= 2 && $0.good.count >= 2 && !$0.references.isEmpty })
    }

    @Test("The examples are the last part of a rule file, because a lint does not read them")
    func order() throws {
        for rule in try Catalogue.embedded().rules {
            let parts = rule.text.split(separator: "\nbad:\n", omittingEmptySubsequences: false)
            #expect(parts.count == 2, "\(rule.id)")
            let keys = parts.last?.split(separator: "\n").filter { $0.first?.isLetter == true }
            #expect(keys == ["good:"], "\(rule.id)")
        }
    }

    @Test("Each bad example has exactly the expected findings, and good examples have none", arguments: ids)
    func examples(id: String) throws {
        let catalogue = try #require(Self.catalogue)
        let rule = try catalogue.rule(id)
        try withScratch { folder throws in
            let run = ExampleRun(scratch: FilePath(folder.path), catalogue: catalogue)
            for (number, example) in (rule.bad + rule.good).enumerated() {
                let found = try run.paths(foundBy: rule, in: example, number: number)
                #expect(found == example.finds.sorted(), "\(example.title)")
            }
        }
    }
}
