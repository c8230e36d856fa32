public import AppContainer
internal import TextOutput

/// Something that decided a rule.
public struct Evidence: Sendable, Hashable {
    /// The kind: `registry`, `origin`, `name`, `age`, `target`, …
    public let kind: String
    /// The text, without secrets and paths of this machine.
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
    /// The severity of the rule; a note if the exclusion state of the item is unknown.
    public let severity: Severity
    /// The index of the input in the report.
    public internal(set) var input = 0
    /// The path relative to the container: the item, or the directory of a combined finding.
    public let path: [UInt8]
    /// The number of items.
    public let items: Int
    /// The bytes of their content.
    public let bytes: UInt64
    /// The largest of several items.
    public let largest: [UInt8]?
    /// The message of a combined finding, instead of the rule's.
    let summary: String?
    /// The message of the rule level, instead of the rule's.
    let template: String?
    /// The evidence.
    public internal(set) var evidence: [Evidence]
    /// The backup exclusion of the item.
    public internal(set) var exclusion: BackupExclusion
    /// The location of the item.
    public let location: Location
    /// True if the item is included in backups.
    public let isBackedUp: Bool
    /// The probability that the finding is right, where it rests on weighed evidence; nil where it rests on proof.
    public internal(set) var confidence: Double?
    /// The questions about the whole container that must be true for the finding to be reported.
    let questions: [ContainerQuestion]
    /// The line of the app's source that wrote the item, where saves record it.
    public private(set) var source: CodeLocation?
    /// The subject of the finding at its path.
    var part = Part.item
    /// The bundle identifier of the container.
    var container = ""
    /// The number of earlier findings with the same rule, path and part.
    var ordinal: UInt64 = 0
    /// The source of the suppression, during the run.
    var suppressionSource: Suppressions.Source?
    /// The suppression; nil for a reported finding.
    public internal(set) var suppression: Suppression?
    /// The position in the configuration that the finding is about.
    package internal(set) var declaredAt: SourcePosition?
    /// True if the rule's fix applies, if each finding is reported separately.
    private(set) var isFixable = false

    /// The path for people and formats: bytes outside UTF-8 and control characters percent-escaped.
    public var displayPath: String { ByteText.escaped(path) }

    /// The message: the rule's message with `{name}` and each `{kind}` of evidence filled in.
    public var message: String {
        if let summary { return summary }
        let name = path.split(separator: UInt8(ascii: "/")).last.map { ByteText.escaped(Array($0)) } ?? ""
        return Self.filled(template ?? rule.message) { kind in
            kind == "name" ? name : evidence.first { $0.kind == kind }?.value
        }
    }

    /// Returns a text with the placeholders in braces filled in. Leaves unknown placeholders unchanged.
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
