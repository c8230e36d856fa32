public import AppContainer
internal import TextOutput

/// Something that decided a rule.
public struct Evidence: Sendable, Hashable {
    /// What it is: `registry`, `origin`, `name`, `age`, `target`, …
    public let kind: String
    /// What it says; no secret, no path of this machine.
    public let value: String
    /// The contribution in log-odds, where the finding rests on weighed evidence; positive speaks for re-downloadable.
    public let weight: Double?

    /// Evidence whose value may quote a rule or a file: what steers a terminal is replaced.
    init(kind: String, value: String, weight: Double? = nil) {
        (self.kind, self.value, self.weight) = (kind, ByteText.printable(value), weight)
    }
}

/// A rule's objection to an item, or to many items of one directory.
public struct Finding: Sendable {
    /// The rule that objects.
    public let rule: Rule
    /// As the rule has it; a note where the input cannot tell whether the item is flagged.
    public let severity: Severity
    /// The index of the input among those that were linted.
    public internal(set) var input = 0
    /// Bytes relative to the container: the item, or the directory whose items it stands for.
    public let path: [UInt8]
    /// The items it stands for.
    public let items: Int
    /// The bytes of their content.
    public let bytes: UInt64
    /// The largest of several items.
    public let largest: [UInt8]?
    /// What it says instead of the rule's message, where it stands for many items.
    let summary: String?
    /// What the level that it is of says instead of the rule's message.
    let template: String?
    /// What decided.
    public internal(set) var evidence: [Evidence]
    /// Whether the item is kept out of backups by a flag.
    public internal(set) var exclusion: BackupExclusion
    /// The location it lies in.
    public let location: Location
    /// Whether a backup takes it.
    public let isBackedUp: Bool
    /// The probability that the finding is right, where it rests on weighed evidence; nil where it rests on proof.
    public internal(set) var confidence: Double?
    /// What must turn out to be true of the whole container before it is reported.
    let questions: [ContainerQuestion]
    /// The line of the app's source that wrote the item, where saves record it.
    public private(set) var source: CodeLocation?
    /// What it stands for at its path.
    var part = Part.item
    /// Whose container it is in.
    var container = ""
    /// How many findings of the same rule, path and part come before it.
    var ordinal: UInt64 = 0
    /// What lets it be, while the run is on.
    var excuse: Suppressions.Source?
    /// What lets it be; nil for one that is reported.
    public internal(set) var suppression: Suppression?
    /// Where the configuration says what it is about.
    package internal(set) var declaredAt: SourcePlace?
    /// Whether the rule's fix is for it, where each finding is told by itself.
    private(set) var isFixable = false

    /// The path for people and formats: bytes outside UTF-8 and control characters percent-escaped.
    public var displayPath: String { ByteText.escaped(path) }

    /// What it says: the rule's message with `{name}` and each `{kind}` of evidence filled in.
    public var message: String {
        if let summary { return summary }
        let name = path.split(separator: UInt8(ascii: "/")).last.map { ByteText.escaped(Array($0)) } ?? ""
        return Self.filled(template ?? rule.message) { kind in
            kind == "name" ? name : evidence.first { $0.kind == kind }?.value
        }
    }

    /// A text with what stands for each word in braces; a word that nothing stands for is left as it is.
    private static func filled(_ template: String, _ value: (Substring) -> String?) -> String {
        var parts = template.split(separator: "{", omittingEmptySubsequences: false)[...]
        var text = String(parts.popFirst() ?? "")
        for part in parts {
            if let end = part.firstIndex(of: "}"), let value = value(part[..<end]) {
                text += value
                text += part[part.index(after: end)...]
            } else {
                text += "{"
                text += part
            }
        }
        return text
    }

    /// The order of a report: worst first, then by rule, then by path.
    static func precedes(_ left: Finding, _ right: Finding) -> Bool {
        if left.severity != right.severity { return left.severity > right.severity }
        if left.rule.number != right.rule.number { return left.rule.number < right.rule.number }
        if left.input != right.input { return left.input < right.input }
        if left.path != right.path { return left.path.lexicographicallyPrecedes(right.path) }
        return (left.part.word, left.items, left.bytes) < (right.part.word, right.items, right.bytes)
    }
}

/// Something that could not be looked at.
public struct Incident: Sendable, Hashable {
    /// The index of the input among those that were linted.
    public internal(set) var input = 0
    /// Bytes relative to the container.
    public let path: [UInt8]
    /// Why, in one word of several joined by `-`.
    public let reason: String

    /// The path for people and formats.
    public var displayPath: String { ByteText.escaped(path) }

    /// True if some evidence was left out, so that guesses may be missing. All rules that rest on proof were evaluated.
    public var isAboutGuesses: Bool { Self.aboutGuesses.contains(reason) }

    private static let aboutGuesses: Set<String> = [
        "too-much-to-weigh", "too-many-addresses", "too-many-databases", "too-much-to-compare",
    ]
}
