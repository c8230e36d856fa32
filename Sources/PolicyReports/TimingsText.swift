package import StoragePolicy

/// The time of rules and facts as a table, the slowest first.
package struct TimingsText {
    private let timings: Timings

    package init(_ timings: Timings) { self.timings = timings }

    /// The text: one line per rule or fact with milliseconds, calls and name. The times of all threads are summed.
    package var text: String {
        let rows = timings.all.map { (Self.milliseconds($0.entry.nanoseconds), String($0.entry.calls), $0.name) }
        let lines =
            [
                (
                    "ms", "calls",
                    "sum of all threads; the time of a rule includes the analysis steps that it triggers first"
                )
            ] + rows
        let widths = (lines.map(\.0.count).max() ?? 0, lines.map(\.1.count).max() ?? 0)
        return lines.map { "\(Self.right($0.0, width: widths.0))  \(Self.right($0.1, width: widths.1))  \($0.2)" }
            .joined(separator: "\n")
    }

    private static func milliseconds(_ nanoseconds: UInt64) -> String {
        let micro = nanoseconds / 1000
        let rest = String(micro % 1000)
        return "\(micro / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }

    private static func right(_ text: String, width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
