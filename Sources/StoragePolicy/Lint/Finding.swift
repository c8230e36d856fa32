public import AppContainer
public import ContainerLifecycle
internal import FileSystem
internal import PolicyTexts
internal import TextOutput

/// A problem that a rule reports about an item, or about several items of one directory. Does not change once created.
public struct Finding: Sendable {
    /// The content, in memory that copies share.
    private var held: FindingCandidate.Held

    /// The rule that reports it.
    public var rule: Rule { held.candidate.rule }
    /// The severity of the rule; a note if the exclusion state of the item is unknown.
    public var severity: Severity { held.candidate.severity }
    /// The index of the input in the report.
    public private(set) var input: Int
    /// The path relative to the container: the item, or the directory of a combined finding.
    public var path: [UInt8] { held.candidate.path }
    /// The number of items.
    public var items: Int { held.candidate.items }
    /// The bytes of their content; of a directory, of all files below it.
    public var bytes: UInt64 { held.candidate.bytes.addingSaturated(held.candidate.size?.bytes ?? 0) }
    /// The largest of several files.
    public var largest: [UInt8]? { held.candidate.largest }
    /// The message of a combined finding, instead of the rule's.
    var summary: String? { held.candidate.summary }
    /// The evidence.
    public var evidence: [Evidence] { held.candidate.evidence }
    /// The backup exclusion of the item.
    public var exclusion: BackupExclusion { held.candidate.exclusion }
    /// The location of the item.
    public var location: Location { held.candidate.location }
    /// True if the item is included in backups.
    public var isBackedUp: Bool { held.candidate.isBackedUp }
    /// The probability that the finding is right, where it rests on weighed evidence; nil where it rests on proof.
    public var confidence: Double? {
        // With the precision of reports, so that a report that is read again is the same.
        held.candidate.confidence.map { ($0 * 10_000).rounded() / 10_000 }
    }
    /// True if the item is re-downloadable or regenerable, and that is no guess of less than 90 %.
    package var isSurelyRegenerable: Bool { rule.measuresRegenerable && (confidence ?? 1) >= ItemVerdict.certain }
    /// True if no backup needs the item, by proof or by evidence of at least 90 %. Maps show such an item in this class.
    package var isNeedlessInBackup: Bool {
        guard isBackedUp, !isSurelyRegenerable else { return isBackedUp }
        guard rule.group == .backup, exclusion.state == .included, case .setFlag? = rule.fix?.action else {
            return false
        }
        return fixSafety == .safe
    }
    /// True if it rests on proof, or on a source that both the file and the app's own data state, and not on a guess.
    package var isCertain: Bool {
        confidence == nil || evidence.contains { $0.kind == FileEvidence.Kind.addressInTags.rawValue }
    }
    /// The data of an earlier report that replaces what a lint computes; nil for a finding of this run.
    @Seldom package private(set) var recorded: Recorded? = nil
    /// The line of the app's source that wrote the item, where saves record it.
    public var source: CodeLocation? { held.candidate.source }
    /// The event of a device that causes the problem; nil for a problem that the container has already. See
    /// `Linter.init(catalogue:configuration:now:threads:honorsItemSuppressions:isFreshInstall:after:)`.
    public var after: LifecycleEvent? { held.candidate.after }
    /// The part of the path that the finding is about.
    package var part: Part { held.candidate.part }
    /// The bundle identifier of the container.
    package private(set) var container: String
    /// The number of earlier findings with the same rule, path and part.
    package private(set) var ordinal: UInt64
    /// The suppression; nil for a reported finding.
    public var suppression: Suppression? { held.candidate.suppression }
    /// The position in the configuration that the finding is about.
    package var declaredAt: SourcePosition? { held.candidate.declaredAt }
    /// True if `sandboxlint fix` can change the item.
    package var isFixable: Bool { held.candidate.isFixable && rule.fix?.isMechanical ?? false }
    /// The safety of the rule's fix for the item, or for the least safe of several; nil for a rule without a fix. A fix is
    /// safe only if a proof says that the user loses nothing by it.
    public var fixSafety: RuleFix.Safety? { held.candidate.fixSafety ?? rule.fix?.safety }

    /// Creates a finding of what was held, in a container with this bundle identifier.
    init(_ held: FindingCandidate.Held, container: String) {
        self.held = held
        input = held.candidate.input
        self.container = container
        ordinal = 0
    }

    /// Creates a finding from a candidate, which belongs to a container with this bundle identifier if it has no own.
    init(_ candidate: FindingCandidate, container: String? = nil) {
        self.init(FindingCandidate.Held(candidate), container: container ?? candidate.container)
    }

    /// Returns the finding as one of a report in which its input comes later.
    package func moved(byInputs offset: Int) -> Finding {
        var finding = self
        finding.input += offset
        return finding
    }

    /// Returns the finding with another piece of evidence.
    package func adding(_ piece: Evidence) -> Finding { changed { $0.evidence.append(piece) } }

    /// Returns the finding with a fix that needs consent, because a store names the item, or may do so.
    func asking(because piece: Evidence) -> Finding {
        changed { found in
            found.fixSafety = .asks
            found.evidence.append(piece)
        }
    }

    /// Returns a finding for a budget as one of several containers.
    func comprising(_ sum: ItemSum) -> Finding {
        changed { found in
            (found.items, found.bytes, found.size) = (sum.items, sum.bytes, nil)
            found.evidence = [
                Evidence(kind: "items", value: "\(sum.items)"),
                Evidence(kind: "bytes", value: Quantity.bytes(sum.bytes)),
            ]
        }
    }

    /// Returns the finding with its number among otherwise equal findings.
    func numbered(_ ordinal: UInt64) -> Finding {
        var finding = self
        finding.ordinal = ordinal
        return finding
    }

    /// Returns the finding as one that an event causes.
    func caused(by event: LifecycleEvent) -> Finding { changed { $0.after = event } }

    /// Returns the finding as a suppressed one.
    package func suppressed(by suppression: Suppression) -> Finding { changed { $0.suppression = suppression } }

    /// Returns the finding as one that an earlier report records.
    package func recorded(_ recorded: Recorded, ordinal: UInt64, suppression: Suppression?) -> Finding {
        var finding = changed { $0.suppression = suppression }
        (finding.recorded, finding.ordinal) = (recorded, ordinal)
        return finding
    }

    /// Returns the finding with a fingerprint of a container with another owner.
    package func owned(by owner: String) -> Finding {
        var finding = self
        finding.container = owner
        finding.recorded?.fingerprint = nil
        return finding
    }

    /// Returns the finding with other content.
    private func changed(_ change: (inout FindingCandidate) -> Void) -> Finding {
        var (finding, found) = (self, held.candidate)
        change(&found)
        finding.held = FindingCandidate.Held(found)
        return finding
    }

    /// The path for people and formats: bytes outside UTF-8 and control characters percent-escaped.
    public var displayPath: String { ByteText.escaped(path) }

    /// The message: the rule's message with `{name}`, `{files}` and each `{kind}` of evidence filled in, after the event that causes
    /// the problem: “after an update: …”.
    public var message: String { recorded?.message ?? newMessage }

    private var newMessage: String { after.map { "\($0.phrase): \(ownMessage)" } ?? ownMessage }

    /// The key in the file that a finding after an event is about: `/recent/0` in a property list.
    public var pointer: String? { after == nil ? nil : evidence.first { $0.kind == "key" }?.value }

    /// The title of the rule, with the word for the item.
    package var title: String { Self.worded(rule.title, regain) }
    /// The help of the rule, with the word for the item.
    package var help: String { Self.worded(rule.help, regain) }

    /// The word for the item: “re-downloadable” if the app can fetch it, “regenerable” if the app can compute it; nil if the evidence
    /// does not distinguish them.
    private var regain: String? {
        guard rule.measuresRegenerable else { return nil }
        if confidence != nil {
            let isComputed = evidence.first { $0.weight ?? 0 > 0 }.map { Evidence.isOfComputedData($0.kind) } ?? false
            return isComputed ? "regenerable" : "re-downloadable"
        }
        if let origin = evidence.first(where: { $0.kind == "origin" }) {
            return origin.value.hasPrefix(Provenance.Maker.derived.rawValue) ? "regenerable" : "re-downloadable"
        }
        return evidence.contains { $0.kind == "declared" && $0.value == Configuration.Word.downloaded.rawValue }
            ? "re-downloadable" : nil
    }

    /// Returns a text of a rule with the word for the item in place of the general ones.
    ///
    /// Compares bytes, because a report words every finding, and `replacing` of a text takes ten times as long.
    private static func worded(_ text: String, _ word: String?) -> String {
        guard let word else { return text }
        var (text, worded, position) = (text, [UInt8](), 0)
        text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            while let start = bytes.position(of: general, from: position) {
                worded += bytes[position..<start]
                worded += word.utf8
                position = start + general.count
                if bytes[position...].starts(with: alternative) { position += alternative.count }
            }
            worded += bytes[position...]
        }
        return String(decoding: worded, as: UTF8.self)
    }
    private static let general = Array("re-downloadable".utf8)
    private static let alternative = Array(" or regenerable".utf8)

    private var ownMessage: String {
        if let summary { return summary }
        let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        let name = ByteText.escaped(Array(path[start...]))
        return Self.filled(Self.worded(held.candidate.template ?? rule.message, regain)) { kind in
            switch kind {
            case "name": name
            case "files": Quantity.count(items, "file")
            default: evidence.first { $0.kind == kind }?.value
            }
        }
    }

    /// Returns a text with the placeholders in braces filled in. Leaves unknown placeholders unchanged.
    private static func filled(_ template: String, _ value: (Substring) -> String?) -> String {
        var text = ""
        var rest = template[...]
        while let start = rest.utf8.firstIndex(of: UInt8(ascii: "{")) {
            text += rest[..<start]
            rest = rest[rest.utf8.index(after: start)...]
            if let end = rest.utf8.firstIndex(of: UInt8(ascii: "}")), let value = value(rest[..<end]) {
                text += value
                rest = rest[rest.utf8.index(after: end)...]
            } else {
                text += "{"
            }
        }
        return text + rest
    }

    /// The safety of the fix as shown to users; nil for a rule without a fix.
    package var fixLabel: String? { rule.fix.map { isFixable ? $0.label(fixSafety) : "by hand" } }

    /// Sorts findings in the order of a report: worst first, then by rule, then by path.
    package static func sort(_ findings: inout [Finding]) {
        // A finding is large, so its index is sorted instead, and each finding is moved to its place at the end.
        var keys: [SortKey] = []
        keys.reserveCapacity(findings.count)
        for index in findings.indices { keys.append(SortKey(findings[index], at: index)) }
        keys.sort { left, right in
            left.precedes(right) ?? Finding.precedesByContent(findings[left.index], findings[right.index])
        }
        var order = keys.map(\.index)
        for first in order.indices {
            var place = first
            while order[place] != first {
                let source = order[place]
                findings.swapAt(place, source)
                order[place] = place
                place = source
            }
            order[place] = place
        }
    }

    /// The properties of a finding that its place in a report depends on.
    private struct SortKey {
        private let severity: Severity
        private let rule: Int
        private let input: Int
        private let path: [UInt8]
        let index: Int

        init(_ finding: Finding, at index: Int) {
            (severity, rule, input) = (finding.severity, finding.rule.number, finding.input)
            (path, self.index) = (finding.path, index)
        }

        /// Returns nil for findings about the same item by the same rule.
        func precedes(_ other: SortKey) -> Bool? {
            if severity != other.severity { return severity > other.severity }
            if rule != other.rule { return rule < other.rule }
            if input != other.input { return input < other.input }
            return path == other.path ? nil : path.lexicographicallyPrecedes(other.path)
        }
    }

    private static func precedesByContent(_ left: Finding, _ right: Finding) -> Bool {
        (left.part.word, left.items, left.bytes) < (right.part.word, right.items, right.bytes)
    }
}

extension Collection<Finding> {
    /// The safety of the fixes of several findings of one rule: `safe`, or `safe for 3 of 5, else needs --unsafe`.
    package var fixLabel: String? {
        let labels = compactMap(\.fixLabel)
        guard let first = labels.first else { return nil }
        let others = labels.filter { $0 != "safe" }
        guard let other = others.first, others.count < labels.count else { return first }
        return "safe for \(labels.count - others.count) of \(labels.count), else \(other)"
    }
}

extension Finding {
    /// The data of a finding that an earlier report records and a lint computes.
    package struct Recorded: Sendable {
        /// The line that a finding points at, outside of the container.
        package struct Anchor: Sendable {
            package let kind: String
            /// As bytes, relative to the repository.
            package let path: [UInt8]
            /// From 1.
            package let line: Int

            package init(kind: String, path: [UInt8], line: Int) {
                (self.kind, self.path, self.line) = (kind, path, line)
            }
        }

        /// A line of source code that probably writes the item.
        package struct Writer: Sendable {
            package let anchor: Anchor
            package let confidence: Double

            package init(_ anchor: Anchor, confidence: Double) { (self.anchor, self.confidence) = (anchor, confidence) }
        }

        /// The message; nil for a suppressed finding.
        let message: String?
        /// The fingerprint; nil if it is computed again.
        var fingerprint: String?
        package let anchor: Anchor?

        /// The lines that probably write the item, and the system or the SDK that does.
        package let writtenBy: [Writer]
        package let writer: String?

        package init(
            message: String?, fingerprint: String?, anchor: Anchor?, writtenBy: [Writer] = [], writer: String? = nil
        ) {
            (self.message, self.fingerprint, self.anchor) = (message, fingerprint, anchor)
            (self.writtenBy, self.writer) = (writtenBy, writer)
        }
    }

    /// Creates a finding of an earlier report.
    package init(
        rule: Rule, severity: Severity, input: Int, path: [UInt8], items: Int, bytes: UInt64, largest: [UInt8]?,
        evidence: [Evidence], exclusion: BackupExclusion, location: Location, isBackedUp: Bool, confidence: Double?,
        source: CodeLocation?, after: LifecycleEvent?, part: Part, declaredAt: SourcePosition?,
        fixSafety: RuleFix.Safety?
    ) {
        self.init(
            FindingCandidate(
                rule: rule, severity: severity, input: input, path: path, items: items, bytes: bytes,
                largest: largest, evidence: evidence, exclusion: exclusion, location: location,
                isBackedUp: isBackedUp, confidence: confidence, source: source, after: after, part: part,
                declaredAt: declaredAt, fixSafety: fixSafety))
    }
}
