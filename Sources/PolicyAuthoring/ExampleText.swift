internal import StoragePolicy
internal import TextOutput

/// The results of the examples of rules.
package struct ExampleText {
    private let rules: Int
    private let examples: Int
    private let failures: [ExampleChecker.Failure]
    private let errors: [any Error]

    /// Creates the text of results. The errors of files that are no rules are in the JSON object only.
    package init(rules: Int, examples: Int, failures: [ExampleChecker.Failure], errors: [any Error] = []) {
        (self.rules, self.examples, self.failures, self.errors) = (rules, examples, failures, errors)
    }

    /// The text: each failure with the expected and the actual findings, and a summary line.
    package var text: String {
        let blocks = failures.map { failure in
            let title = failure.title.isEmpty ? "" : ": \(failure.title)"
            let place = "\(ByteText.printable(failure.file)):\(failure.line):\(failure.column)"
            return "\(place): \(failure.rule), \(failure.example)\(title)\n"
                + "  expected  \(Self.list(failure.expected))\n  found     \(Self.list(failure.found))\n\n"
        }
        let count = "\(Quantity.count(examples, "example")) of \(Quantity.count(rules, "rule"))"
        return blocks.joined()
            + (failures.isEmpty ? "\(count): all passed.\n" : "\(count): \(failures.count) failed.\n")
    }

    /// The JSON object.
    package var json: String {
        JSONValue.object([
            "rules": .integer(Int64(rules)), "examples": .integer(Int64(examples)),
            "failures": .array(
                failures.map { failure in
                    .object([
                        "rule": .string(failure.rule), "file": .string(failure.file),
                        "line": .integer(Int64(failure.line)), "column": .integer(Int64(failure.column)),
                        "example": .string(failure.example), "title": .string(failure.title),
                        "expected": .array(failure.expected.map { .string($0) }),
                        "found": .array(failure.found.map { .string($0) }),
                    ])
                }),
            "errors": .array(
                errors.map { error in
                    guard let error = error as? SourceError else { return .object(["message": .string("\(error)")]) }
                    return .object([
                        "file": .string(error.file), "line": .integer(Int64(error.line)),
                        "column": .integer(Int64(error.column)), "message": .string(error.message),
                    ])
                }),
        ]).indented
    }

    private static func list(_ paths: [String]) -> String {
        paths.isEmpty ? "nothing" : ByteText.printable(paths.joined(separator: ", "))
    }
}

/// The mutants that the examples of rules do not detect.
package struct MutantText {
    private let results: [MutantChecker.Result]
    private let least: Int

    /// - Parameters:
    ///   - results: The results of each rule's mutants.
    ///   - least: The required percentage of detected mutants.
    package init(_ results: [MutantChecker.Result], atLeast least: Int) {
        (self.results, self.least) = (results, least)
    }

    private var all: Int { results.reduce(0) { $0 + $1.mutants } }
    private var missed: Int { results.reduce(0) { $0 + $1.missed.count } }

    /// The percentage of detected mutants, rounded down.
    private var percentage: Int { all == 0 ? 100 : (all - missed) * 100 / all }
    /// True if the required percentage is reached.
    package var isEnough: Bool { percentage >= least }

    /// The text: the undetected mutants of each rule, and a summary line.
    package var text: String {
        let blocks = results.filter { !$0.missed.isEmpty }.map { result in
            "\(result.rule): \(result.missed.count) of \(result.mutants) not detected\n"
                + result.missed.map { "  without \(ByteText.printable($0))\n" }.joined()
        }
        return blocks.joined()
            + "\(all - missed) of \(Quantity.count(all, "mutant")) detected: \(percentage) % (minimum \(least) %).\n"
    }

    /// The JSON object.
    package var json: String {
        JSONValue.object([
            "mutants": .integer(Int64(all)), "missed": .integer(Int64(missed)), "atLeast": .integer(Int64(least)),
            "rules": .array(
                results.map { result in
                    .object([
                        "rule": .string(result.rule), "mutants": .integer(Int64(result.mutants)),
                        "missed": .array(result.missed.map { .string($0) }),
                    ])
                }),
        ]).indented
    }
}
