import AppContainer
import Foundation
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("The rules' fixes") struct FixRuleTests {
    static let rules = (try? Catalogue.embedded())?.rules.filter { $0.fix?.isMechanical == true }.map(\.id) ?? []

    /// What is told instead of a fix, by the rule and the number of its example.
    private static let unfixed = [
        // The directory's flag is.
        "exclusion-on-user-document 1": "nothing of the item itself would change",
        // No SDK's, so that no one knows what would be missed.
        "cache-budget 0": "by hand: 2", "cache-budget 2": "by hand: 1",
        "secret-in-backed-up-file 1": "it would lead to user-store-excluded at Documents/account.sqlite",
        "secret-in-backed-up-file 2": "it would lead to user-store-excluded at Library/Application Support/",
        "secret-in-backed-up-file 5":
            "it would lead to exclusion-on-rewritten-file at Library/com.example.app/session.json",
        "health-data-in-backup 1": "it would lead to exclusion-on-rewritten-file at Library/Application Support/",
    ]

    @Test(
        "Each bad example of a rule with a fix is clean of the rule afterwards, fixed twice as once, and as it was when undone",
        arguments: rules)
    func examples(id: String) throws {
        var catalogue = try #require(RuleExampleTests.catalogue)
        let rule = try catalogue.rule(id)
        var chosen = catalogue
        try chosen.restrict(select: [id], ignore: [])
        catalogue.ask(as: chosen)
        var fixed = 0
        for (number, example) in rule.bad.enumerated() {
            try withScratch { scratch throws in
                let folder = scratch.appending(path: "c")
                let container = try ExampleRun(scratch: FilePath(scratch.path), catalogue: catalogue)
                    .container(example, at: FilePath(folder.path))
                let configuration =
                    try example.configuration.map { try Configuration(file: "config", text: $0) } ?? .none
                let linter = try Linter(catalogue: catalogue, configuration: configuration, now: ExampleRun.now)
                let fixer = try Fixer(linter, chosen: [rule.number], allowsUnsafe: true)
                _ = try TreeListing(of: folder)
                let before = try TreeListing(of: folder, withAccessTimes: true)

                let shown = try fixer.fix(container, showingOnly: true)
                #expect(shown.incidents.isEmpty && !shown.isDone)
                let outcome = try fixer.fix(container, showingOnly: false)
                let refused = outcome.units.compactMap { unit in
                    if case .refused(let reason) = unit.outcome { reason } else { nil }
                }
                let undone = try Undo.undo(container)
                let after = try TreeListing(of: folder, withAccessTimes: true)
                #expect(after.differences(from: before) == [])
                #expect(undone.hadFix == outcome.isDone && undone.conflicts.isEmpty)
                #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["c"])

                let reasons = refused + outcome.byHand.map { "by hand: \($0.findings)" }
                guard let reason = Self.unfixed["\(id) \(number)"] else {
                    #expect(reasons == [])
                    #expect(outcome.isDone && outcome.left.isEmpty, "\(example.title): \(outcome)")
                    fixed += 1
                    #expect(try fixer.fix(container, showingOnly: false).isDone)
                    let once = try TreeListing(of: folder)
                    let again = try fixer.fix(container, showingOnly: false)
                    #expect(!again.isDone && !again.hasPlan)
                    #expect(try TreeListing(of: folder) == once)
                    return
                }
                #expect(!outcome.isDone && reasons.contains { $0.hasPrefix(reason) }, "\(reasons)")
            }
        }
        #expect(fixed > 0)
    }
}
