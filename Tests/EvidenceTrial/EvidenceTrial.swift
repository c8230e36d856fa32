internal import AppContainer
internal import ArgumentParser
internal import Foundation
internal import SourceCode
internal import StoragePolicy
internal import SystemPackage

/// Prints the evidence that the linter weighs, and lints without a part of the vocabulary and the registry. It is used to
/// fit the weights and to measure verdicts and lines on unseen apps. See `scripts/learn-evidence` and `scripts/learn-places`.
@main
struct EvidenceTrial: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evidence-trial", subcommands: [Features.self, Lint.self, Places.self])
}

/// The parts of the vocabulary and the registry that a trial omits.
struct TrialOptions: ParsableArguments {
    @Option(help: "A folder of rule files that replace built-in ones of the same name.") var rules: String?
    @Option(help: "A file of words that are left out of the vocabulary, one a line.") var omitWords: String?
    @Option(name: .customLong("omit-sdks"), help: "A file of SDKs that are left out of the registry, one a line.")
    var omitSDKs: String?

    func linter() throws -> Linter {
        var catalogue = try Catalogue.embedded()
        if let rules { try catalogue.add(folder: rules) }
        if let omitWords { catalogue.omitted.words = try lines(omitWords) }
        if let omitSDKs { catalogue.omitted.sdks = try lines(omitSDKs) }
        return try Linter(catalogue: catalogue)
    }

    private func lines(_ path: String) throws -> Set<String> {
        Set(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init))
    }
}

struct Features: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the evidence on each group of files as a line of JSON.")
    @OptionGroup var options: TrialOptions
    @Argument(help: "Containers.") var containers: [String]

    func run() throws {
        let linter = try options.linter()
        for path in containers {
            for record in try linter.evidence(in: Container.open(FilePath(path))) {
                let line: [String: Any] = [
                    "container": path, "directory": String(decoding: record.directory, as: UTF8.self),
                    "names": record.names.map { String(decoding: $0, as: UTF8.self) }, "items": record.items,
                    "probability": record.probability, "words": record.words,
                    "pieces": Dictionary(record.pieces.map { ($0.id, $0.strength) }, uniquingKeysWith: max),
                ]
                print(String(decoding: try JSONSerialization.data(withJSONObject: line), as: UTF8.self))
            }
        }
    }
}

struct Lint: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the findings on a container as JSON, in the form of the linter's own report.")
    @OptionGroup var options: TrialOptions
    @Option(help: "Ignored: always JSON.") var format = "json"
    @Option(help: "Ignored: findings never fail a trial.") var failOn = "never"
    @Argument(help: "A container.") var container: String

    func run() throws {
        let report = try options.linter().lint(Container.open(FilePath(container)))
        let findings = report.findings.map {
            [
                "rule": $0.rule.id, "group": $0.rule.group.rawValue, "severity": $0.severity.rawValue,
                "path": $0.displayPath,
            ]
        }
        print(String(decoding: try JSONSerialization.data(withJSONObject: ["findings": findings]), as: UTF8.self))
    }
}

struct Places: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the evidence on the source files that may write items as lines of JSON.",
        discussion: """
            Each line of the standard input is an object: `root`, the folder of the source code; `paths`, those of the items; \
            and, optionally, `weights` that choose the line of a file, in the order of the features. The first line that is \
            printed has the names of the features, and each other one the files of one item, without the features that are 0.
            """)

    struct Task: Decodable {
        let root: String
        let paths: [String]
        let weights: [Double]?
    }

    func run() throws {
        try write(CodeTrial.features)
        while let line = readLine() {
            let task = try JSONDecoder().decode(Task.self, from: Data(line.utf8))
            let index = try CodeIndex(of: [FilePath(task.root)])
            for files in index.trials(of: task.paths.map { Array($0.utf8) }, weights: task.weights) {
                try write(
                    files.map { file -> [Any] in
                        let evidence = zip(CodeTrial.features, file.evidence).filter { $1 != 0 }
                        return [
                            String(decoding: file.file, as: UTF8.self), file.line,
                            Dictionary(uniqueKeysWithValues: evidence.map { ($0, $1) }),
                        ]
                    })
            }
        }
    }

    private func write(_ value: [Any]) throws {
        FileHandle.standardOutput.write(try JSONSerialization.data(withJSONObject: value) + Data("\n".utf8))
    }
}
