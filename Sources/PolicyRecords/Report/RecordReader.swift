internal import AppContainer
internal import ContainerLifecycle
internal import StoragePolicy
internal import TextOutput

/// Reads the records of a report, validates what depends on this version and on other records, and makes their texts safe
/// to show.
struct RecordReader {
    let path: String
    let rules: [String: Rule]
    let inputs: [ReportContent.Input]

    private static let locations = Dictionary(Location.table.map { ($0.path, $0) }) { first, _ in first }

    private func required<Value>(_ value: Value?, _ name: @autoclosure () -> String) throws(UnreadableSource) -> Value {
        guard let value else { throw .damaged(path, value: name()) }
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
        try required(inputs.indices.contains(input) ? input : nil, name())
    }

    private func location(_ path: String, _ name: @autoclosure () -> String) throws(UnreadableSource) -> Location {
        try required(Self.locations[path], name())
    }

    /// Reads an input.
    func input(_ input: ReportContent.Input, at index: Int) throws(UnreadableSource) -> LintReport.Input {
        var read = LintReport.Input(
            path: ByteText.printable(input.path), label: input.label.map { ByteText.printable($0) },
            bundleIdentifier: input.bundleID.map { ByteText.printable($0) },
            app: input.app.map { ByteText.printable($0) }, carriesAttributes: input.exclusionEvidence != .none)
        read.isFromDeviceBackup = input.exclusionEvidence == .manifest
        read.content = LintReport.Content(
            items: input.items, bytes: input.bytes, backedUpBytes: input.backedUpBytes)
        read.undecidedBytes = input.undecidedBackedUpBytes
        for content in input.locations {
            read.locations[try location(content.location, "inputs.\(index).locations")] = content.content
        }
        read.isFreshInstall = input.freshInstall ?? false
        (read.ignored, read.baselined) = (input.ignored, input.baselined)
        return read
    }

    /// Reads a finding.
    ///
    /// - Parameters:
    ///   - record: The finding.
    ///   - suppression: Its suppression; nil for a reported finding.
    ///   - position: The key of the list and the index in it, for errors.
    /// - Returns: The finding.
    /// - Throws: `UnreadableSource` for an unknown rule or an invalid value.
    func finding(
        _ record: ReportContent.Finding, suppression: ReportContent.Suppression?, at position: (String, Int)
    ) throws(UnreadableSource) -> Finding {
        func name(_ key: String) -> String { "\(position.0).\(position.1).\(key)" }
        let finding = Finding(
            rule: try rule(record.rule), severity: record.severity,
            input: try index(record.input, name("input")), path: ByteText.unescaped(record.path),
            items: record.items, bytes: record.bytes, largest: record.largest.map(ByteText.unescaped),
            evidence: record.evidence.map {
                Evidence(kind: ByteText.printable($0.kind), value: $0.value, weight: $0.weight)
            },
            exclusion: BackupExclusion(
                state: record.exclusion.state, mark: record.exclusion.decidedBy.mark,
                carrier: record.exclusion.at.map(text)),
            location: try location(record.location, name("location")), isBackedUp: record.backedUp,
            confidence: record.confidence?.rawValue,
            source: record.source.map { CodeLocation(fileID: text($0.file), line: $0.line) },
            after: record.after?.wrappedValue,
            part: try required(Finding.Part(word: record.part ?? ""), name("part")),
            declaredAt: try record.declared.map { text throws(UnreadableSource) in
                try required(SourcePosition(identity: text), name("declared"))
            }, fixSafety: record.fix?.safety)
        func anchor(_ kind: String, file: String, line: UInt) -> Finding.Recorded.Anchor {
            Finding.Recorded.Anchor(
                kind: kind, path: ByteText.unescaped(file), line: Int(max(1, min(line, UInt(Int32.max)))))
        }
        return finding.recorded(
            Finding.Recorded(
                message: ByteText.printable(record.message), fingerprint: record.fingerprint,
                anchor: record.anchor.map { anchor($0.kind, file: $0.file, line: $0.line) },
                writtenBy: (record.writtenBy ?? []).map {
                    Finding.Recorded.Writer(
                        anchor("source", file: $0.file, line: $0.line), confidence: $0.confidence.rawValue)
                }, writer: record.writer.map { ByteText.printable($0) }),
            ordinal: UInt64(record.ordinal ?? 0),
            suppression: suppression.map {
                Finding.Suppression(
                    kind: $0.by, reason: ByteText.printable($0.reason), owner: $0.owner.map { ByteText.printable($0) },
                    until: $0.until.map { ByteText.printable($0) }, location: ByteText.printable($0.place))
            })
    }

    private func text(_ escaped: String) -> String { String(decoding: ByteText.unescaped(escaped), as: UTF8.self) }

    /// Reads an incident.
    func incident(_ record: ReportContent.Incident, at index: Int) throws(UnreadableSource) -> Incident {
        let name = "incidents.\(index)"
        return Incident(
            input: try self.index(record.input, name + ".input"), path: ByteText.unescaped(record.path),
            reason: try required(Incident.Reason(rawValue: record.reason), name + ".reason"))
    }
}

extension ReportContent.Content {
    /// The number and size of items.
    var content: LintReport.Content { LintReport.Content(items: items, bytes: bytes, backedUpBytes: backedUpBytes) }
}

extension UnreadableSource {
    /// A report with a missing or invalid value.
    static func damaged(_ path: String, value: String) -> UnreadableSource {
        UnreadableSource(
            path: path, reason: "the report is damaged: \(value) is missing or invalid",
            hint: "Create it again with `sandboxlint lint --format json`.")
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
