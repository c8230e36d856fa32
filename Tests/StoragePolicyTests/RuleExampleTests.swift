import Foundation
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("The rules' own examples") struct RuleExampleTests {
    // Read once: each example would read every file anew.
    static let catalogue = try? Catalogue.embedded()
    static let ids = catalogue?.rules.map(\.id) ?? []

    @Test("Numbers and ids are unique, and every rule has examples and references")
    func numbers() throws {
        let rules = try Catalogue.embedded().rules
        #expect(Set(rules.map(\.number)).count == rules.count && Set(rules.map(\.id)).count == rules.count)
        #expect(rules.count >= 12)
        #expect(rules.allSatisfy { $0.bad.count >= 2 && $0.good.count >= 2 && !$0.references.isEmpty })
    }

    @Test("Each bad example is found, exactly where it says, and no good one is", arguments: ids)
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
