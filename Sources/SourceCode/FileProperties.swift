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
        /// The words of the file's name without what is between them, and without a word of a role such as `Manager`.
        let names: [[UInt8]]
        /// The words of the file's name that say that it keeps up what others write.
        let upkeep: Set<[UInt8]>
        /// The words of the file's folder.
        let folder: Set<[UInt8]>
    }

    private let files: [CodeFile]
    private var known: [Int: Properties] = [:]
    /// The number of files below the first three folders of a path, by the name of each.
    private var folderSizes: [ArraySlice<UInt8>: Int] = [:]
    /// The number of files with a word in the names of their folders.
    private var folderFrequencies: [[UInt8]: Int] = [:]
    /// The number of files with a word in their name.
    private var frequencies: [[UInt8]: Int] = [:]

    init(_ index: CodeIndex) {
        files = index.files
        for file in files {
            for folder in file.path.split(separator: UInt8(ascii: "/")).dropLast().prefix(3) {
                folderSizes[folder, default: 0] += 1
            }
        }
        for file in files {
            let folders = file.path.split(separator: UInt8(ascii: "/")).dropLast()
            for word in Set(folders.flatMap { CodeFile.wordList(of: $0) }) { folderFrequencies[word, default: 0] += 1 }
        }
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
            "view", "screen", "page", "cell", "sheet", "row", "dialog", "widget", "coordinator", "preview",
        ],
        .isMigration: ["migrat", "legacy", "debug", "import", "constants", "deprecated"],
        .isUpkeep: ["backup", "restor", "export", "repair", "shar", "transfer", "clean", "delet", "queue"],
        .isSettings: ["setting", "preference", "default", "configuration"],
        .isStorage: [
            "stor", "cache", "file", "database", "persist", "repository", "manager", "logg", "download", "director",
            "path",
        ],
    ]
    private static let upkeepWords = words.filter { $0.key == .isUpkeep || $0.key == .isMigration }.flatMap(\.value)
    /// Words at the end of a file's name that say nothing of its subject, without the `s` of the plural.
    private static let roles: Set<String> = [
        "manager", "store", "storage", "helper", "cache", "service", "repository", "controller", "provider", "file",
        "handler", "list", "data", "database", "model", "util", "utilitie", "log", "logger", "writer", "client",
    ]
    /// Words of the folders of app extensions.
    private static let extensions: Set<String> = [
        "extension", "widget", "intent", "watch", "share", "notification", "keyboard", "shareextension", "complication",
    ]

    /// Returns true if a file is in the folder of an app extension, which has a few of the app's files.
    private func isExtension(_ file: CodeFile) -> Bool {
        let folders = file.path.split(separator: UInt8(ascii: "/")).dropLast().prefix(3)
        // Folders of screens have such names in other languages.
        guard ["swift", "m", "mm", "h"].contains(Self.language(of: file)) else { return false }
        return folders.contains { folder in
            let words = CodeFile.wordList(of: folder)
            // `Extensions` are those of types.
            guard let last = words.last, words.count > 1 || !folder.elementsEqual("Extensions".utf8) else {
                return false
            }
            return Self.extensions.contains(String(decoding: last, as: UTF8.self))
                && (folderSizes[folder] ?? 0) * 4 < files.count
        }
    }

    private func properties(of file: CodeFile) -> Properties {
        let apis = file.mentions.count { $0.meaning == .writes || $0.meaning == .buildsPath }
        func flag(_ isTrue: Bool) -> Double { isTrue ? 1 : 0 }
        var features: [(CodeModel.Feature, Double)] = [
            (.test, flag(file.traits.contains(.test))), (.vendored, flag(file.traits.contains(.vendored))),
            (.generated, flag(file.traits.contains(.generated))),
            (.otherPlatform, flag(file.traits.contains(.otherPlatform))), (.apis, log(1 + Double(apis)) / 3),
            (.isExtension, flag(isExtension(file))),
        ]
        let name = file.path[(file.path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
        // `SharedURLs` shares nothing with the user.
        let nameWords = CodeFile.wordList(of: name).map { String(decoding: $0, as: UTF8.self) }
            .filter { $0 != "shared" }
        for (feature, words) in Self.words {
            features.append((feature, flag(words.contains { word in nameWords.contains { $0.hasPrefix(word) } })))
        }
        let parts = file.path.split(separator: UInt8(ascii: "/"))
        var words = CodeFile.wordList(of: parts.last.map { $0.prefix { $0 != UInt8(ascii: ".") } } ?? [])
        var names = [Array(words.joined())]
        while words.count > 1, let last = words.last, Self.roles.contains(String(decoding: last, as: UTF8.self)) {
            words.removeLast()
            names.append(Array(words.joined()))
        }
        return Properties(
            features: features, words: Self.words(of: file),
            directories: Set(file.mentions.lazy.map(\.meaning).filter { $0.isDirectory || $0 == .preferences }),
            names: names,
            upkeep: Set(
                nameWords.filter { word in Self.upkeepWords.contains { word.hasPrefix($0) } }.map { Array($0.utf8) }),
            // Words in most folders, such as the app's name, say nothing.
            folder: CodeFile.words(of: parts.dropLast().last ?? []).filter {
                (folderFrequencies[$0] ?? 0) * 4 < files.count
            })
    }
}
