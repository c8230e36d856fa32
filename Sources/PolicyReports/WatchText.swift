package import PolicyRecords
internal import StoragePolicy
package import TextOutput

/// The changes that a watch prints: a line for each new, grown and fixed finding, and one with the totals.
package struct WatchText {
    /// The maximum number of lines for one batch of changes.
    private static let most = 40

    private let difference: ReportDifference
    private let style: Style
    private let time: String

    /// Creates the text of changes.
    ///
    /// - Parameters:
    ///   - difference: The changes since the last text.
    ///   - time: The time, which begins each line.
    ///   - style: The style of the text.
    package init(_ difference: ReportDifference, at time: String, style: Style) {
        (self.difference, self.time, self.style) = (difference, time, style)
    }

    /// The lines; empty if the findings did not change.
    package var text: String {
        let lines =
            difference.new.map { line("+", $0) + "\n\(indent)\($0.message)" }
            + difference.changed.map {
                line($0.isGrown ? "^" : "~", $0.after) + style.dim(", was \(Quantity.bytes($0.before.bytes))")
            } + difference.gone.map { line("-", $0) }
        guard !lines.isEmpty else { return "" }
        let listed = lines.prefix(lines.count > Self.most ? Self.most - 1 : Self.most)
        let others = lines.count - listed.count
        let after = difference.after
        return listed.map { "\($0)\n" }.joined()
            + (others > 0 ? "\(time) … \(Quantity.count(others, "more change"))\n" : "")
            + style.dim(
                "\(time) \(Quantity.grouped(difference.new.count)) new, \(Quantity.grouped(difference.gone.count)) fixed; "
                    + "\(Quantity.count(after.findings.count, "finding")), \(Quantity.bytes(after.whole.backedUpBytes)) "
                    + "of \(Quantity.bytes(after.whole.bytes)) in backups") + "\n"
    }

    private var indent: String { String(repeating: " ", count: time.count + 3) }

    private func line(_ sign: String, _ line: ReportSnapshot.Line) -> String {
        let name = style.severity(line.severity, text: "\(line.severity.rawValue)[\(line.rule)]")
        return "\(time) \(sign) \(name) \(line.path.isEmpty ? "the container itself" : line.path)  "
            + Quantity.bytes(line.bytes)
    }
}
