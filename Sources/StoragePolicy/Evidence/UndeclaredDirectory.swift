internal import AppContainer
internal import PolicyTexts
internal import TextOutput

/// A directory with files that nothing accounts for, and the verdict on them.
package struct UndeclaredDirectory: Sendable {
    /// Relative to the container; empty for the container itself.
    package let path: [UInt8]
    /// True if directories below it are included.
    package let isWhole: Bool
    package let items: Int
    package let bytes: UInt64
    /// The kinds of files, the largest first: `40 pictures, 5 JSON files`.
    package let kinds: String
    /// The share of the bytes that is re-downloadable by the weight of the evidence; nil where nothing was weighed.
    package let probability: Double?
    /// The strongest evidence on the largest group of files, in the direction of the verdict.
    package let reason: String?
    /// The strongest evidence against the verdict on the largest group of files.
    package let objection: String?
    /// True if all of it is proven to be re-downloadable.
    let isProven: Bool
    /// The word of the configuration that is true of all its files; nil if that is not certain.
    private let certainWord: Configuration.Word?
    /// True if the largest group looks generated rather than downloaded: a cache, thumbnails, a log.
    private let isGenerated: Bool

    init(_ path: [UInt8], isWhole: Bool, node: UndeclaredNode, vocabulary: Vocabulary) {
        self.path = path
        self.isWhole = isWhole
        (items, bytes) = (node.sum.items, node.sum.bytes)
        kinds = node.sum.kinds.sorted { ($1.bytes, $1.items, $0.number) < ($0.bytes, $0.items, $1.number) }
            .prefix(3).map { Self.count($0.items, kind: vocabulary.kinds[$0.number]) }.joined(separator: ", ")
        probability = node.probability
        isProven = node.sum.regenerable == node.sum.bytes && node.sum.bytes > 0
        let isFor = (node.probability ?? 0) >= 0.5
        let strongest = node.leading?.verdict.contributions.first { ($0.weight > 0) == isFor }
        reason = isProven ? nil : strongest?.text
        objection = isProven ? nil : node.leading?.verdict.contributions.first { ($0.weight > 0) != isFor }?.text
        certainWord = node.certainWord
        isGenerated =
            isFor && strongest.map { Self.transient.contains($0.kind) || Evidence.isOfComputedData($0.kind) } ?? false
    }

    /// The kinds of evidence for caches and temporary data.
    private static let transient: Set<String> = ["word-cache", "nearest-cache", "word-temp", "nearest-temp"]

    /// The direction of the verdict.
    var suggestion: Configuration.Word { (probability ?? 0) >= 0.5 ? .downloaded : .userData }

    /// The word of the configuration that is true of all its files, by proof or by evidence of at least 90 %; nil if the
    /// evidence does not decide, or differs between them.
    package var word: ConfigurationKey? {
        switch certainWord {
        case .downloaded: isGenerated ? .caches : .downloaded
        case .userData: .userData
        default: nil
        }
    }

    /// True if no word is certain.
    package var isUndecided: Bool { word == nil }

    /// The pattern of its files for a configuration; nil for a name that a pattern cannot express.
    package var glob: String? {
        let text = ByteText.escaped(path)
        guard Array(text.utf8) == path, !text.contains(where: { "*?{\"\\".contains($0) }) else { return nil }
        return (text.isEmpty ? "" : text + "/") + (isWhole ? "**" : "*")
    }

    /// The path as reports show it.
    package var displayPath: String { path.isEmpty ? "the container’s root" : ByteText.escaped(path) }

    /// The verdict in words.
    package var verdict: String {
        guard let probability else { return "not weighed" }
        if isProven { return "re-downloadable by proof" }
        let percent = min(99, Int(probability * 100))
        switch probability {
        case 0.9...: return "looks \(isGenerated ? "like caches or logs" : "re-downloadable") (\(percent) %)"
        case ...0.1: return "looks like user data (\(100 - percent) %)"
        default: return "undecided"
        }
    }

    /// The kind of evidence that lists a directory; reports show each on a line of its own.
    package static let evidenceKind = "directory"

    /// Returns a number of files of a kind of the vocabulary: `2 property lists`.
    static func count(_ files: Int, kind: String) -> String {
        if kind == "other" { return "\(Quantity.count(files, "file")) of unknown kind" }
        if kind == "none" { return "\(Quantity.count(files, "file")) without extension" }
        let noun =
            switch kind {
            case "json": "JSON file"
            case "text", "code", "data": "\(kind) file"
            case "derived": "preview"
            case "property-list": "property list"
            case "partial": "partial download"
            case "secret": "key"
            default: kind
            }
        return Quantity.count(files, noun)
    }
}

extension UndeclaredNode {
    /// The directories of a node, each file in one of them, in the order of their paths.
    ///
    /// More than `most` directories of one parent with the same suggestion are one, so that a list of a few names them.
    func directories(at path: [UInt8], isLocation: Bool, _ vocabulary: Vocabulary) -> [UndeclaredDirectory] {
        guard !children.isEmpty else {
            return [UndeclaredDirectory(path, isWhole: isFull || !isLocation, node: self, vocabulary: vocabulary)]
        }
        var directories: [UndeclaredDirectory] = []
        let own = own
        if own.sum.items > 0 {
            directories.append(UndeclaredDirectory(path, isWhole: false, node: own, vocabulary: vocabulary))
        }
        for (name, child) in children.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let below = path.isEmpty ? name : path + [UInt8(ascii: "/")] + name
            directories += child.directories(at: below, isLocation: false, vocabulary)
        }
        let isUniform = Set(directories.map(\.suggestion)).count == 1
        guard !isLocation, directories.count > Self.most, isUniform else { return directories }
        return [UndeclaredDirectory(path, isWhole: true, node: self, vocabulary: vocabulary)]
    }

    private static let most = 5
}
