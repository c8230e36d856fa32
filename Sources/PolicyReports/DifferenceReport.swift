internal import AppContainer
package import PolicyRecords
internal import StoragePolicy
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
        for line in difference.new { output(Self.text(of: line, "+", style: style)) }
        for line in difference.gone { output(Self.text(of: line, "-", style: style)) }
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

    private static func text(of line: ReportSnapshot.Line, _ sign: String, style: Style) -> String {
        let path = line.path.isEmpty ? "the container itself" : line.path
        return "\(sign) \(style.severity(line.severity, text: "\(line.severity.rawValue)[\(line.rule)]")) \(path)\n"
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

    /// The JSON object, `DifferenceContent`.
    package func json(version: String, to output: @escaping (String) -> Void) {
        RecordEncoder.write(
            DifferenceContent(difference, exclusion: exclusion, isComplete: isComplete, version: version), to: output)
        output("\n")
    }
}
