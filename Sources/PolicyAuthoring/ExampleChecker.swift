internal import DatabaseInspection
internal import FileSystem
internal import Foundation
package import StoragePolicy
internal import SystemPackage

/// A check of the examples of rules, which are their tests.
package struct ExampleChecker {
    /// An example with an unexpected result.
    package struct Failure: Sendable {
        package let rule: String
        package let file: String
        /// The position of the example in the file, from 1.
        package let line: Int
        package let column: Int
        /// `bad` or `good`, and the example's number among these, from 1.
        package let example: String
        package let title: String
        package let expected: [String]
        package let found: [String]
    }

    private let catalogue: Catalogue

    package init(_ catalogue: Catalogue) { self.catalogue = catalogue }

    /// Creates and lints every example of every rule in a temporary directory.
    ///
    /// - Returns: The number of examples and the failures, by the numbers of the rules.
    package func run() throws -> (examples: Int, failures: [Failure]) {
        var (count, failures) = (0, [Failure]())
        for rule in catalogue.rules {
            try Self.withScratch { scratch throws in
                let run = ExampleRun(scratch: scratch, catalogue: catalogue)
                var isTooSlow = false
                for (number, example) in rule.examples.enumerated() {
                    count += 1
                    let expected = example.finds.sorted()
                    let found: [String]
                    do {
                        // One that takes all of its time is enough; a file may hold thousands.
                        guard !isTooSlow else {
                            throw DatabaseReadError(
                                .tooSlow, "not run: an earlier example used up the time limit")
                        }
                        found = try run.paths(foundBy: rule, in: example, number: number)
                    } catch {
                        isTooSlow = isTooSlow || (error as? DatabaseReadError)?.code == .tooSlow
                        found = ["error while creating or linting the example: \(error)"]
                    }
                    guard found != expected else { continue }
                    let isBad = number < rule.bad.count
                    let index = isBad ? number + 1 : number - rule.bad.count + 1
                    failures.append(
                        Failure(
                            rule: rule.id, file: rule.file, line: example.line, column: example.column,
                            example: "\(isBad ? "bad" : "good") \(index)",
                            title: example.title, expected: expected, found: found))
                }
            }
        }
        return (count, failures)
    }

    /// An empty directory for the body, removed when it ends.
    static func withScratch<Result>(_ body: (FilePath) throws -> Result) throws -> Result {
        let folder = URL(fileURLWithPath: Invocation.current.temporaryDirectory.string)
            .appendingPathComponent("sandboxlint-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(FilePath(folder.path))
    }
}

extension Rule {
    /// The bad ones, then the good ones.
    var examples: [RuleExample] { bad + good }
}
