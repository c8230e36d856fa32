import Foundation
@testable import StoragePolicy
import SystemPackage
import TextOutput

/// A container after a real app's layout, with what each rule should say of its items.
///
/// A file of Tests/Corpus: `title`, `source` (where the layout is told of), optional `bundle-id` and `config`, and
/// `items`: a path to a recipe, as in a rule's examples, with `is:` beside it. `is: clean` says that no rule has
/// anything to say of the item; a list names the rules that must. An item without `is` is only there. `{1..12}` in a
/// path stands for each number; a path that ends in `/` is a directory, and `.` is the container itself.
struct CorpusContainer {
    let name: String
    let title: String
    let source: String
    let example: RuleExample
    /// By path, as a report shows it: the rules that must find the item.
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

    /// A path as a finding shows it.
    static func shown(_ path: String) -> String {
        if path == "." { return "" }
        let bytes = Array((path.hasSuffix("/") ? String(path.dropLast()) : path).utf8)
        return ByteText.escaped(bytes)
    }

    /// The paths that one with `{1..12}` stands for.
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

    /// Every container of Tests/Corpus, by name.
    static func all() throws -> [CorpusContainer] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "yml" }.sorted { $0.path < $1.path }.map { try CorpusContainer(file: $0) }
    }
}
