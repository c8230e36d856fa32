import Foundation
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy

/// A container in which names mislead, with a label for each item that only one judgement is right about.
///
/// A file of `Tests/Judgement`; its README describes the format.
struct JudgementContainer {
    /// The directory below `Tests/Judgement` that holds the file.
    enum Folder: String, CaseIterable {
        case userData = "user-data"
        case redownloadable
    }

    /// The right answer about an item.
    enum Label: String, CaseIterable {
        /// User data or state: no finding above a note and no safe fix.
        case keep
        /// Re-downloadable, a log or temporary: a finding on the item or a directory above it.
        case find
    }

    let folder: Folder
    let name: String
    let example: RuleExample
    /// By path, as a report shows it.
    let labels: [String: Label]

    init(file: URL, in folder: Folder) throws {
        self.folder = folder
        name = file.deletingPathExtension().lastPathComponent
        let top = try YAMLValue(file: file.lastPathComponent, text: String(contentsOf: file, encoding: .utf8))
        let fields = try top.fields(["title", "why", "bundle-id", "items"])
        _ = try top.required("why", of: fields).string()
        var entries: [Recipe] = []
        var labels: [String: Label] = [:]
        for (key, value) in try top.required("items", of: fields).pairs() {
            for path in CorpusContainer.paths(try key.string()) {
                entries.append(try Recipe(path: path, value, besides: ["expect"]))
                guard
                    let label = try value.isMapping
                        ? value.pairs().first(where: { try $0.key.string() == "expect" }) : nil
                else { continue }
                labels[CorpusContainer.shown(path)] = try label.value.word("label", type: Label.self)
            }
        }
        self.labels = labels
        example = RuleExample(
            title: try top.required("title", of: fields).string(), entries: entries, configuration: nil,
            bundleIdentifier: try top.required("bundle-id", of: fields).string())
    }

    private static let root = CorpusContainer.folder.deletingLastPathComponent().appending(path: "Judgement")

    /// The containers of a folder, by name.
    static func all(in folder: Folder) throws -> [JudgementContainer] {
        try FileManager.default.contentsOfDirectory(
            at: root.appending(path: folder.rawValue), includingPropertiesForKeys: nil
        )
        .filter { $0.pathExtension == "yml" }.sorted { $0.path < $1.path }
        .map { try JudgementContainer(file: $0, in: folder) }
    }
}
