import AppContainer
import FileSystem
import Foundation
import PolicyAuthoring
@testable import StoragePolicy
import SystemPackage
import TestSupport

/// A container of the corpus, a linter with all rules for it, and the path of a cache.
struct CacheScene {
    let folder: URL
    let linter: Linter
    let path: FilePath

    var cache: String { folder.appending(path: "cache").path }
    static let build = "test"

    private static let allRules = Result {
        var catalogue = try Catalogue.embedded()
        // Each by its id, so that optional rules are enabled as well.
        try catalogue.restrict(select: catalogue.rules.map(\.id), ignore: [])
        return catalogue
    }

    /// Creates the container if it is missing. `select` are the rules, empty for all; `configuration` is the text of a
    /// configuration, nil for that of the container.
    init(
        _ container: CorpusContainer, in folder: URL, select: [String] = [], configuration text: String? = nil
    ) throws {
        self.folder = folder
        var catalogue = try Self.allRules.get()
        if !select.isEmpty { try catalogue.restrict(select: select, ignore: []) }
        let text = text ?? container.example.configuration
        let configuration = try text.map { try Configuration(file: "config", text: $0) } ?? .none
        linter = try Linter(catalogue: catalogue, configuration: configuration, now: ExampleRun.now, threads: 2)
        path = FilePath(folder.appending(path: container.name).path)
        guard !FileManager.default.fileExists(atPath: path.string) else { return }
        let run = ExampleRun(scratch: FilePath(folder.path), catalogue: catalogue)
        _ = try run.container(container.example, at: path)
    }

    /// Lints without a cache.
    func lint() throws -> [String] { try Self.words(linter.lint(Container.open(path))) }

    /// Lints with the cache, and writes it.
    func lintCached() throws -> (words: [String], problem: String?) {
        // Files that changed in the same tick of the clock are not kept.
        Timestamp.now.waitUntilPast()
        let cache = try LintCache(path: cache, build: Self.build)
        let words = try Self.words(linter.caching(in: cache).lint(Container.open(path)))
        if let problem = cache.write() { throw SetUp(description: problem) }
        return (words, cache.problem)
    }

    /// A cache that could not be written.
    struct SetUp: Error, CustomStringConvertible { let description: String }

    /// Everything that a report says.
    private static func words(_ report: LintReport) -> [String] {
        (report.findings + report.suppressedFindings).map { finding in
            let evidence = finding.evidence.map { "\($0.kind)=\($0.value)=\($0.weight ?? 0)" }.joined(separator: ",")
            return [
                finding.fingerprint, finding.severity.rawValue, finding.rule.id, finding.displayPath, finding.message,
                "\(finding.items) \(finding.bytes) \(finding.confidence ?? 0)", evidence, "\(finding.exclusion)",
            ].joined(separator: " | ")
        } + report.incidents.map { "\($0.displayPath): \($0.reason.rawValue)" } + ["\(report.content)"]
    }
}
