internal import Foundation

/// The properties of source files as the writers of any item, each computed once.
final class FileProperties {
    /// The properties of one file.
    struct Properties {
        let features: [(CodeModel.Feature, Double)]
        /// The words of the file's name.
        let words: Set<[UInt8]>
        /// The constants of directories in the file.
        let directories: Set<CodeMeaning>
    }

    private let files: [CodeFile]
    /// The share of the literals of the index that are in files with an extension.
    private let languages: [String: Double]
    private var known: [Int: Properties] = [:]
    /// The number of files with a word in their name.
    private var frequencies: [[UInt8]: Int] = [:]

    init(_ index: CodeIndex) {
        files = index.files
        var counts: [String: Int] = [:]
        for file in files { counts[Self.language(of: file), default: 0] += file.literals.count }
        let total = Double(max(1, counts.values.reduce(0, +)))
        languages = counts.mapValues { Double($0) / total }
        for file in files { for word in Self.words(of: file) { frequencies[word, default: 0] += 1 } }
    }

    subscript(number: Int) -> Properties {
        if let known = known[number] { return known }
        let properties = properties(of: files[number])
        known[number] = properties
        return properties
    }

    /// Returns the rarity of a word among the names of files, from 0 to 1.
    func rarity(of word: [UInt8]) -> Double {
        1 - log(Double(max(1, frequencies[word] ?? 1))) / log(Double(max(2, files.count)) + 1)
    }

    private static func words(of file: CodeFile) -> Set<[UInt8]> {
        let name = file.path.lastIndex(of: UInt8(ascii: "/")).map { file.path[($0 + 1)...] } ?? file.path[...]
        return CodeFile.words(of: name.prefix { $0 != UInt8(ascii: ".") })
    }

    private static func language(of file: CodeFile) -> String {
        String(decoding: file.path.split(separator: UInt8(ascii: ".")).last ?? [], as: UTF8.self)
    }

    private static let words: KeyValuePairs<CodeModel.Feature, [String]> = [
        .isView: [
            "view", "screen", "page", "cell", "sheet", "row", "dialog", "widget", "coordinator", "settings", "preview",
        ],
        .isMigration: ["migrat", "legacy", "debug", "import", "constants", "deprecated"],
        .isStorage: [
            "stor", "cache", "file", "database", "persist", "repository", "manager", "logg", "download", "director",
            "path",
        ],
    ]
    private static let extensions = [
        "extension/", "extension service", "widget/", "widgets/", "intents/", "watch", "shareextension",
    ]

    private func properties(of file: CodeFile) -> Properties {
        let path = String(decoding: file.path, as: UTF8.self).lowercased()
        let name = path[(path.lastIndex(of: "/") ?? path.startIndex)...]
        let apis = file.mentions.count { $0.meaning == .writes || $0.meaning == .buildsPath }
        func flag(_ isTrue: Bool) -> Double { isTrue ? 1 : 0 }
        var features: [(CodeModel.Feature, Double)] = [
            (.test, flag(file.traits.contains(.test))), (.vendored, flag(file.traits.contains(.vendored))),
            (.generated, flag(file.traits.contains(.generated))),
            (.otherPlatform, flag(file.traits.contains(.otherPlatform))), (.apis, log(1 + Double(apis)) / 3),
            (.language, languages[Self.language(of: file)] ?? 0),
            (.isExtension, flag(Self.extensions.contains(where: path.contains))),
        ]
        for (feature, words) in Self.words { features.append((feature, flag(words.contains(where: name.contains)))) }
        return Properties(
            features: features, words: Self.words(of: file),
            directories: Set(file.mentions.lazy.map(\.meaning).filter(\.isDirectory)))
    }
}
