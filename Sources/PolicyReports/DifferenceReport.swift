internal import AppContainer
package import StoragePolicy
package import TextOutput

/// The text and JSON of the changes between two containers or reports.
package struct DifferenceReport {
    let difference: ReportDifference
    let exclusion: ExclusionChanges?

    /// Creates a report. `exclusion` is nil if one side is a stored report, which does not contain exclusions.
    package init(_ difference: ReportDifference, exclusion: ExclusionChanges?) {
        (self.difference, self.exclusion) = (difference, exclusion)
    }

    /// True if both sides are complete.
    package var isComplete: Bool {
        difference.before.isComplete && difference.after.isComplete && exclusion?.isComplete ?? true
    }

    // MARK: - Text

    /// The new and removed findings, the sizes of locations, and the changes of backup exclusions.
    package func write(style: Style, to output: (String) -> Void) {
        for line in difference.new { output(Self.text(of: line, "+", style)) }
        for line in difference.gone { output(Self.text(of: line, "-", style)) }
        output("\(style.bold("Findings")): \(difference.new.count) new, \(difference.gone.count) fixed, ")
        output("\(difference.kept) unchanged.\n")
        let hidden = max(difference.before.hidden, difference.after.hidden)
        if hidden > 0 {
            output("\(Quantity.count(hidden, "finding")) accepted by a baseline or suppressed, not compared.\n")
        }
        output("\n\(style.bold("Content")): \(Self.change(difference.before.whole, difference.after.whole))\n")
        for location in difference.locations {
            let name = location.path.isEmpty ? "container root" : location.path
            output("  \(name): \(Self.change(location.before, location.after))\n")
        }
        output("\n\(style.bold("Backup exclusions")): ")
        guard let exclusion else { return output("not compared, because reports do not contain them.\n") }
        let count = exclusion.listed.count + exclusion.others
        output(count == 0 ? "unchanged.\n" : "\(Quantity.count(count, "change")).\n")
        for change in exclusion.listed {
            let size = "\(Quantity.count(change.items, "item")), \(Quantity.bytes(change.bytes))"
            let path = change.path.isEmpty ? "the container itself" : change.path
            output("  \(path): \(change.before.rawValue) → \(change.after.rawValue)  (\(size))\n")
        }
        if exclusion.others > 0 { output("  and \(Quantity.grouped(exclusion.others)) more\n") }
        if !isComplete { output("\nSome items could not be read.\n") }
    }

    private static func text(of line: ReportSnapshot.Line, _ sign: String, _ style: Style) -> String {
        let path = line.path.isEmpty ? "the container itself" : line.path
        return "\(sign) \(style.severity(line.severity, "\(line.severity.rawValue)[\(line.rule)]")) \(path)\n"
            + "    \(line.message)\n"
    }

    private static func change(_ before: LintReport.Content, _ after: LintReport.Content) -> String {
        "\(Quantity.grouped(before.items)) → \(Quantity.count(after.items, "item")), "
            + "\(growth(before.bytes, after.bytes)); backed up \(growth(before.backedUpBytes, after.backedUpBytes))"
    }

    private static func growth(_ before: UInt64, _ after: UInt64) -> String {
        if before == after { return "\(Quantity.bytes(after)) unchanged" }
        let sign = after > before ? "+" : "-"
        let amount = after > before ? after - before : before - after
        return "\(Quantity.bytes(before)) → \(Quantity.bytes(after)) (\(sign)\(Quantity.bytes(amount)))"
    }

    // MARK: - JSON

    /// The JSON object, `sandboxlint-diff/1`.
    package func json(version: String, to output: @escaping (String) -> Void) {
        var json = JSONWriter(to: output)
        json.object { json in
            json.field("schema", "sandboxlint-diff/1")
            json.object("tool") { json in
                json.field("name", "sandboxlint")
                json.field("version", version)
            }
            json.field("complete", isComplete)
            json.object("findings") { json in
                json.array("new") { json in difference.new.forEach { Self.write($0, &json) } }
                json.array("gone") { json in difference.gone.forEach { Self.write($0, &json) } }
                json.field("kept", difference.kept)
            }
            json.object("hidden") { json in
                json.field("before", difference.before.hidden)
                json.field("after", difference.after.hidden)
            }
            json.object("content") { json in
                Self.write("before", difference.before.whole, &json)
                Self.write("after", difference.after.whole, &json)
            }
            json.array("locations") { json in
                for location in difference.locations {
                    json.object { json in
                        json.field("location", location.path)
                        Self.write("before", location.before, &json)
                        Self.write("after", location.after, &json)
                    }
                }
            }
            write(exclusion, &json)
        }
        output("\n")
    }

    private func write(_ exclusion: ExclusionChanges?, _ json: inout JSONWriter) {
        guard let exclusion else { return json.field("exclusion", nil) }
        json.object("exclusion") { json in
            json.array("changes") { json in
                for change in exclusion.listed {
                    json.object { json in
                        json.field("path", change.path)
                        json.field("before", change.before.rawValue)
                        json.field("after", change.after.rawValue)
                        json.field("items", change.items)
                        json.field("bytes", change.bytes)
                    }
                }
            }
            json.field("others", exclusion.others)
        }
    }

    private static func write(_ line: ReportSnapshot.Line, _ json: inout JSONWriter) {
        json.object { json in
            json.field("rule", line.rule)
            json.field("severity", line.severity.rawValue)
            json.field("path", line.path)
            json.field("items", line.items)
            json.field("bytes", line.bytes)
            json.field("message", line.message)
            json.field("fingerprint", line.fingerprint)
        }
    }

    private static func write(_ key: String, _ content: LintReport.Content, _ json: inout JSONWriter) {
        json.object(key) { json in
            json.field("items", content.items)
            json.field("bytes", content.bytes)
            json.field("backedUpBytes", content.backedUpBytes)
        }
    }
}
