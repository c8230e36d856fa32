import AppContainer
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

@Suite("The rules' fixes", .needs(.long)) struct FixRuleTests {
    static let rules = (try? Catalogue.embedded())?.rules.filter { $0.fix?.isMechanical == true }.map(\.id) ?? []

    /// The examples without a fix, by the rule and the title of the example, with the remaining finding.
    private static let unfixed = [
        // The directory's flag is.
        "exclusion-on-user-document: Scans in a folder that is excluded from backup": "the item itself needs no change",
        "exclusion-on-user-document: Declared as user data, of any format; the files are reported, not their folder":
            "the item itself needs no change",
        // Nothing proves whose they are, or they are a database's own.
        "engine-files-in-backup: A named pipe of Realm": "by hand: 1",
        "engine-files-in-backup: LevelDB, reported once per database": "by hand: 2",
        "exclusion-lost: Four of five files are excluded from backup": "by hand: 1",
        "exclusion-lost: Four of five segments, named without an extension and numbered":
            "by hand: 1",
        "store-split-across-policy: A pair identified only by its names, which may be encrypted":
            "by hand: 1",
        "foreign-exclusion-only: A directory of the system": "by hand: 1",
        // A file that is younger than a day may be in use.
        "tmp-budget: A smaller budget": "by hand: 1",
        "tmp-budget: Beside an old empty directory": "by hand: 1",
        // No SDK's, so that no one knows what would be missed.
        "cache-budget: Two videos": "by hand: 2", "cache-budget: A smaller budget": "by hand: 1",
        "secret-in-backed-up-file: A database column with a telling name":
            "it would cause a new finding, user-store-excluded at Documents/account.sqlite",
        "secret-in-backed-up-file: A damaged database, recognized by its bytes":
            "it would cause a new finding, user-store-excluded at Library/Application",
        "secret-in-backed-up-file: Directly in Library":
            "it would cause a new finding, exclusion-on-rewritten-file at Library/com.example.app/session.json",
        "secret-in-backed-up-file: A short password in JSON and in a property list":
            "it would cause a new finding, exclusion-on-rewritten-file at Documents/login.json",
        "secret-in-backed-up-file: A short password in a column, and a token in a table of names and values":
            "it would cause a new finding, user-store-excluded at Documents/login.sqlite",
        "health-data-in-backup: A database of the app":
            "it would cause a new finding, exclusion-on-rewritten-file at Library/Application Support/",
        // Its journal is none that SQLite would read.
        "store-split-across-policy: Only the journal is included": "not read: Documents/notes.sqlite",
    ]

    @Test(
        "Each bad example of a rule with a fix has no finding afterwards; a second fix changes nothing, and undo restores it",
        arguments: rules)
    func examples(id: String) throws {
        var catalogue = try #require(RuleExampleTests.catalogue)
        let rule = try catalogue.rule(id)
        var chosen = catalogue
        try chosen.restrict(select: [id], ignore: [])
        catalogue.addRequests(as: chosen)
        var fixed = 0
        for example in rule.bad {
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
                #expect(!shown.isDone)
                let outcome = try fixer.fix(container, showingOnly: false)
                let refused = outcome.units.compactMap { unit in
                    if case .refused(let reason) = unit.outcome { reason } else { nil }
                }
                let undone = try Undo.undo(container)
                let after = try TreeListing(of: folder, withAccessTimes: true)
                #expect(after.differences(from: before) == [])
                #expect(undone.hadFix == outcome.isDone && undone.conflicts.isEmpty)
                #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["c"])

                let reasons =
                    refused + outcome.byHand.map { "by hand: \($0.findings)" }
                    + outcome.incidents.map { "not read: \($0.displayPath)" }
                guard let reason = Self.unfixed["\(id): \(example.title)"] else {
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
