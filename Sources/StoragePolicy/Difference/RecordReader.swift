internal import AppContainer
internal import ContainerLifecycle
internal import TextOutput

/// Validates the values of a report and makes their texts safe to show.
struct RecordReader {
    let path: String
    let rules: [String: Rule]
    let inputs: [ReportContent.Input]

    private static let locations = Dictionary(Location.table.map { ($0.path, $0) }) { first, _ in first }

    private func damaged(_ value: String) -> UnreadableSource {
        UnreadableSource(
            path: path, reason: "the report is damaged: \(value) is missing or invalid",
            hint: "Create it again with `sandboxlint lint --format json`.")
    }

    private func required<Value>(_ value: Value?, _ name: @autoclosure () -> String) throws(UnreadableSource) -> Value {
        guard let value else { throw damaged(name()) }
        return value
    }

    private func rule(_ id: String) throws(UnreadableSource) -> Rule {
        guard let rule = rules[id] else {
            throw UnreadableSource(
                path: path,
                reason: "it has findings of the rule “\(ByteText.printable(id.prefix(100)))”, which is unknown",
                hint: "Specify the folder of the rule with --rules, or merge with the version that created the report.")
        }
        return rule
    }

    private func index(_ input: Int, _ name: @autoclosure () -> String) throws(UnreadableSource) -> Int {
        guard inputs.indices.contains(input) else { throw damaged(name()) }
        return input
    }

    private func location(_ path: String, _ name: @autoclosure () -> String) throws(UnreadableSource) -> Location {
        try required(Self.locations[path], name())
    }

    private func part(_ word: String?, _ name: @autoclosure () -> String) throws(UnreadableSource) -> Finding.Part {
        try required(Finding.Part(word: word ?? ""), name())
    }

    private func fingerprint(_ text: String, _ name: @autoclosure () -> String) throws(UnreadableSource) -> String {
        guard text.utf8.count == 16, UInt64(text, radix: 16) != nil else { throw damaged(name()) }
        return text
    }

    /// Reads an input.
    func input(_ input: ReportContent.Input, at index: Int) throws(UnreadableSource) -> LintReport.Input {
        guard ["xattr", "manifest", "none"].contains(input.exclusionEvidence) else {
            throw damaged("inputs.\(index).exclusionEvidence")
        }
        var read = LintReport.Input(
            path: ByteText.printable(input.path), label: input.label.map { ByteText.printable($0) },
            bundleIdentifier: input.bundleID.map { ByteText.printable($0) },
            app: input.app.map { ByteText.printable($0) },
            carriesAttributes: input.exclusionEvidence != "none")
        read.isFromDeviceBackup = input.exclusionEvidence == "manifest"
        read.content = LintReport.Content(
            items: Int(input.items), bytes: input.bytes, backedUpBytes: input.backedUpBytes)
        read.undecidedBytes = input.undecidedBackedUpBytes
        for content in input.locations {
            read.locations[try location(content.location, "inputs.\(index).locations")] = content.content
        }
        read.ignored = Int(input.ignored)
        read.baselined = Int(input.baselined)
        return read
    }

    /// The lists of findings in a report.
    enum List: String {
        case findings, suppressed, accepted
    }

    /// Reads a finding.
    func finding(
        _ record: ReportContent.Finding, at index: Int, in list: List = .findings
    ) throws(UnreadableSource) -> Finding {
        func name(_ key: String) -> String { "\(list.rawValue).\(index).\(key)" }
        let exclusion = try exclusion(record.exclusion, name("exclusion"))
        var event: LifecycleEvent?
        if let after = record.after { event = try required(LifecycleEvent(rawValue: after), name("after")) }
        if let confidence = record.confidence, !(0...1).contains(confidence) { throw damaged(name("confidence")) }
        let evidence = record.evidence.map {
            Evidence(kind: ByteText.printable($0.kind), value: $0.value, weight: $0.weight)
        }
        let candidate = FindingCandidate(
            rule: try rule(record.rule),
            severity: try required(Severity(rawValue: record.severity), name("severity")),
            input: try self.index(record.input, name("input")), path: ByteText.unescaped(record.path),
            items: Int(record.items), bytes: record.bytes, largest: record.largest.map(ByteText.unescaped),
            evidence: evidence, exclusion: exclusion, location: try location(record.location, name("location")),
            isBackedUp: record.backedUp, confidence: record.confidence,
            source: record.source.map {
                CodeLocation(
                    fileID: String(decoding: ByteText.unescaped($0.file), as: UTF8.self), line: UInt($0.line))
            }, after: event, part: try part(record.part, name("part")),
            declaredAt: try record.declared.map { text throws(UnreadableSource) in
                try required(SourcePosition(identity: text), name("declared"))
            },
            fixSafety: try record.fix.map { fix throws(UnreadableSource) in
                try required(RuleFix.Safety(rawValue: fix.safety), name("fix.safety"))
            })
        let anchor = record.anchor.map {
            Finding.Recorded.Anchor(
                kind: $0.kind, path: ByteText.unescaped($0.file), line: Int(max(1, min($0.line, UInt32(Int32.max)))))
        }
        return Finding(candidate).recorded(
            Finding.Recorded(
                message: ByteText.printable(record.message),
                fingerprint: try fingerprint(record.fingerprint, name("fingerprint")), anchor: anchor),
            ordinal: UInt64(record.ordinal ?? 0), suppression: list == .findings ? nil : try suppression(record, name))
    }

    /// Reads the suppression of a finding that is suppressed or accepted.
    private func suppression(
        _ record: ReportContent.Finding, _ name: (String) -> String
    ) throws(UnreadableSource) -> Finding.Suppression {
        Finding.Suppression(
            kind: try required(record.by.flatMap(Finding.Suppression.Kind.init), name("by")),
            reason: ByteText.printable(try required(record.reason, name("reason"))),
            owner: record.owner.map { ByteText.printable($0) }, until: record.until.map { ByteText.printable($0) },
            location: ByteText.printable(try required(record.place, name("place"))))
    }

    /// Reads an incident.
    func incident(_ record: ReportContent.Incident, at index: Int) throws(UnreadableSource) -> Incident {
        let name = "incidents.\(index)"
        return Incident(
            input: try self.index(record.input, name + ".input"), path: ByteText.unescaped(record.path),
            reason: try required(Incident.Reason(rawValue: record.reason), name + ".reason"))
    }

    private func exclusion(
        _ record: ReportContent.Exclusion, _ name: @autoclosure () -> String
    ) throws(UnreadableSource) -> BackupExclusion {
        guard let state = BackupExclusion.State(rawValue: record.state) else { throw damaged(name() + ".state") }
        let mark = ExclusionMark(rawValue: record.decidedBy)
        guard mark != nil || record.decidedBy == "none" else { throw damaged(name() + ".decidedBy") }
        return BackupExclusion(
            state: state, mark: mark,
            carrier: record.at.map { String(decoding: ByteText.unescaped($0), as: UTF8.self) })
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
        }

        /// The message; nil for a suppressed finding.
        let message: String?
        /// The fingerprint; nil if it is computed again.
        var fingerprint: String?
        package let anchor: Anchor?
    }
}

extension SourcePosition {
    /// Creates a position from its identifier, without the text of the file; nil for another text.
    fileprivate init?(identity: String) {
        let parts = identity.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 3, let column = Int(parts[parts.count - 1]), let line = Int(parts[parts.count - 2]),
            line >= 1, column >= 1
        else { return nil }
        self.init(
            file: parts.dropLast(2).joined(separator: ":"), text: "", line: line, column: column, width: 1)
    }
}
