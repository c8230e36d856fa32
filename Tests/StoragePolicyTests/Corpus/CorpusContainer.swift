import Foundation
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import SystemPackage
import TextOutput

/// A container with the layout of a real app, and the expected findings for its items.
///
/// It is read from a file of Tests/Corpus, whose README describes the format.
struct CorpusContainer {
    let name: String
    let title: String
    let source: String
    let example: RuleExample
    /// The rules that must report an item, by its path as in reports.
    let labels: [String: Set<String>]

    init(file: URL) throws {
        name = file.deletingPathExtension().lastPathComponent
        let top = try YAMLValue(file: file.lastPathComponent, text: String(contentsOf: file, encoding: .utf8))
        let fields = try top.fields(["title", "source", "bundle-id", "config", "items"])
        title = try top.required("title", of: fields).string()
        source = try top.required("source", of: fields).string()
        var entries: [Recipe] = []
        var labels: [String: Set<String>] = [:]
        for (key, value) in try top.required("items", of: fields).pairs() {
            for path in Self.paths(try key.string()) {
                if path != "." { entries.append(try Recipe(path: path, value, besides: ["is"])) }
                guard
                    let label = try value.isMapping ? value.pairs().first(where: { try $0.key.string() == "is" }) : nil
                else { continue }
                let words = try label.value.strings()
                labels[Self.shown(path)] = words == ["clean"] ? [] : Set(words)
            }
        }
        self.labels = labels
        example = RuleExample(
            title: title, entries: entries, configuration: try fields["config"]?.string(),
            bundleIdentifier: try fields["bundle-id"]?.string() ?? "com.example.app")
    }

    /// Returns a path as in findings.
    static func shown(_ path: String) -> String {
        if path == "." { return "" }
        let bytes = Array((path.hasSuffix("/") ? String(path.dropLast()) : path).utf8)
        return ByteText.escaped(bytes)
    }

    /// Returns the paths for which a path with `{1..12}` stands.
    static func paths(_ text: String) -> [String] {
        guard let match = text.firstMatch(of: #/\{(\d+)\.\.(\d+)\}/#), let first = Int(match.1),
            let last = Int(match.2),
            first <= last
        else { return [text] }
        return (first...last).map { text.replacingCharacters(in: match.range, with: String($0)) }
    }

    init(named name: String) throws { try self.init(file: Self.folder.appending(path: "\(name).yml")) }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Corpus")

    /// All containers of Tests/Corpus, by name.
    static func all() throws -> [CorpusContainer] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "yml" }.sorted { $0.path < $1.path }.map { try CorpusContainer(file: $0) }
    }
}
