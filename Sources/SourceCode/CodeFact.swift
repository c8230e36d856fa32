internal import TextOutput

/// A fact of the code around the line that writes an item: what the app does with the item.
package enum CodeFact: String, CaseIterable, Sendable {
    /// The source file downloads: it starts or completes a download task.
    case downloads = "code-downloads"
    /// The temporary directory is named beside the line.
    case temporary = "code-temporary"

    /// A fact with the line that states it.
    package struct Found: Sendable, Hashable {
        package let fact: CodeFact
        /// The source file and the line as output shows them: `Sources/Store.swift:22`.
        package let place: String
    }
}

extension AppSource {
    /// The most items whose facts are searched for. The first ones count.
    package static let mostItemsWithFacts = 2_000

    /// Returns the facts about some items, by their paths relative to the container: those of the likeliest line that writes
    /// each. An item without such a line has none.
    package func facts(for paths: [[UInt8]]) -> [[UInt8]: [CodeFact.Found]] {
        let paths = Array(paths.prefix(Self.mostItemsWithFacts))
        guard !paths.isEmpty, !roots.roots.isEmpty, let index else { return [:] }
        var found: [[UInt8]: [CodeFact.Found]] = [:]
        let places = zip(paths, index.answers(for: paths, sdk: sdk)).compactMap { path, answer in
            answer.places.first.map { (path: path, place: $0) }
        }
        // One source file at a time, so that the memory does not grow with their number.
        for (file, items) in Dictionary(grouping: places, by: \.place.file).sorted(by: { $0.key < $1.key }) {
            guard let code = CodeExcerpt(of: file, in: index), let place = items.first?.place else { continue }
            let shown = ByteText.escaped(name(of: place.path, in: place.root))
            for item in items {
                found[item.path] = code.facts(at: item.place.line).map {
                    CodeFact.Found(fact: $0.fact, place: "\(shown):\($0.line)")
                }
            }
        }
        return found
    }
}

/// The identifiers of a source file, to find the facts beside a line.
struct CodeExcerpt {
    /// Lines before and after the line that writes an item.
    private static let nearby = 8
    /// A longer line is a generated one.
    private static let longestLine = 1_000

    private let lines: [ArraySlice<UInt8>]
    private let isDownload: Bool

    /// Nil if the file cannot be read any more.
    init?(of file: Int, in index: CodeIndex) {
        guard let bytes = index.contents(of: file) else { return nil }
        self.init(bytes, path: index.files[file].path)
    }

    init(_ bytes: [UInt8], path: [UInt8]) {
        lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
        let name = path.lastIndex(of: UInt8(ascii: "/")).map { path[($0 + 1)...] } ?? path[...]
        isDownload = CodeFile.words(of: name.prefix { $0 != UInt8(ascii: ".") }).contains(Array("download".utf8))
    }

    private static func identifiers(_ text: String) -> Set<[UInt8]> {
        Set(text.split(separator: " ").map { Array($0.utf8) })
    }
    private static let downloads = identifiers(
        """
        downloadTask downloadTaskWithURL downloadTaskWithRequest DownloadRequest downloadFile downloadAsync \
        URLSessionDownloadTask NSURLSessionDownloadTask URLSessionDownloadDelegate didFinishDownloadingTo \
        didFinishDownloadingToURL suggestedDownloadDestination dataTask dataTaskWithURL dataTaskWithRequest Dio
        """)
    private static let temporary = identifiers(
        "temporaryDirectory NSTemporaryDirectory getTemporaryDirectory GetTempPath TemporaryDirectoryPath")

    /// Returns the facts beside a line, each with the first line that states it.
    func facts(at line: Int) -> [(fact: CodeFact, line: Int)] {
        guard lines.indices.contains(line - 1) else { return [] }
        var found: [(fact: CodeFact, line: Int)] = []
        func add(_ fact: CodeFact, _ number: Int) {
            if !found.contains(where: { $0.fact == fact }) { found.append((fact, number)) }
        }
        if isDownload { add(.downloads, line) }
        for (index, text) in lines.enumerated() where text.count <= Self.longestLine {
            let number = index + 1
            let distance = abs(number - line)
            for word in text.split(whereSeparator: { !$0.isWord }) {
                let identifier = Array(word)
                if Self.downloads.contains(identifier) { add(.downloads, number) }
                if distance <= Self.nearby, Self.temporary.contains(identifier) { add(.temporary, number) }
            }
        }
        return found
    }
}
