internal import HTMLReports
package import PolicyRecords
internal import StoragePolicy
package import TextOutput

/// The totals of several reports, in the order in which they were given: as text, JSON and a page.
package struct TrendReport {
    private let points: [TrendContent.Point]
    private let version: String

    package init(_ points: [TrendContent.Point], version: String) { (self.points, self.version) = (points, version) }

    /// Writes a row for each report.
    package func write(style: Style, to output: (String) -> Void) {
        var table = TextTable(
            [.left] + Array(repeating: .right, count: 8),
            header: ["report", "errors", "warnings", "notes", "not needed", "undecided", "in backups", "all", "change"])
        for (index, point) in points.enumerated() {
            let counts = point.counts
            table.add(
                [
                    Self.title(of: point), Quantity.grouped(counts.errors), Quantity.grouped(counts.warnings),
                    Quantity.grouped(counts.notes), Quantity.bytes(point[.redownloadable]),
                    Quantity.bytes(point[.undecided]), Quantity.bytes(point.backedUpBytes), Quantity.bytes(point.bytes),
                    change(at: index),
                ])
        }
        output(table.text)
        if points.contains(where: { !$0.complete }) { output("\nSome reports are incomplete.\n") }
    }

    /// Writes the JSON object, `TrendContent`.
    package func json(to output: @escaping (String) -> Void) {
        RecordEncoder.write(TrendContent(points, version: version), to: output)
        output("\n")
    }

    /// Writes a page with the bytes of all reports as stacked columns, and a table.
    package func html(to output: @escaping (String) -> Void) {
        var page = HTMLPage(
            tool: "sandboxlint \(version)", title: "Trend of \(Quantity.count(points.count, "report"))",
            subtitle: "Bytes by their treatment in backups, and findings")
        if let first = points.first, let last = points.last {
            page.figures = [
                .init(
                    Quantity.grouped(last.counts.errors), label: "errors, first \(first.counts.errors)",
                    severity: .error),
                .init(
                    Quantity.grouped(last.counts.warnings), label: "warnings, first \(first.counts.warnings)",
                    severity: .warning),
                .init(Quantity.bytes(last.backedUpBytes), label: "in backups"),
                .init(RunComparison.change(first.backedUpBytes, last.backedUpBytes), label: "since the first report"),
            ]
        }
        if points.contains(where: { !$0.complete }) {
            page.notices = ["Some reports are incomplete: their runs did not read everything."]
        }
        let names = ClassSizes.Name.allCases
        page.charts = [
            .init(
                "Bytes by treatment",
                columns: points.map { point in
                    .init(
                        Self.title(of: point),
                        bytes: Dictionary(uniqueKeysWithValues: names.map { ($0.storage, point[$0]) }))
                })
        ]
        let shown = names.filter { name in points.contains { $0[name] > 0 } }
        page.tables = [
            .init(
                "Reports",
                columns: [.init("Report")]
                    + (["Errors", "Warnings", "Notes"] + shown.map(\.label) + ["All", "Change"]).map {
                        .init($0, isNumber: true)
                    },
                rows: points.enumerated().map { index, point in
                    let counts = [point.counts.errors, point.counts.warnings, point.counts.notes]
                    return [Self.title(of: point) + (point.complete ? "" : " (incomplete)")]
                        + counts.map(Quantity.grouped) + shown.map { Quantity.bytes(point[$0]) }
                        + [Quantity.bytes(point.bytes), change(at: index)]
                })
        ]
        page.write(to: output)
    }

    /// The file name of a report, and its time if it was given.
    private static func title(of point: TrendContent.Point) -> String {
        let name = point.name.split(separator: "/").last.map(String.init) ?? point.name
        return point.now.map { "\(name) (\($0.prefix(10)))" } ?? name
    }

    /// The change of all bytes since the report before; empty for the first one.
    private func change(at index: Int) -> String {
        index == 0 ? "" : RunComparison.change(points[index - 1].bytes, points[index].bytes)
    }
}

/// A badge with the result of a report, as SVG for a page such as README: the findings, and the bytes that no backup needs.
package struct Badge {
    private let value: String
    private let color: String
    private static let label = "sandboxlint"

    package init(_ point: TrendContent.Point) {
        let counts = point.counts
        let findings =
            counts.errors > 0
            ? Quantity.count(counts.errors, "error")
            : counts.warnings > 0 ? Quantity.count(counts.warnings, "warning") : "no errors"
        let needless = point[.redownloadable]
        let size = needless > 0 ? ", \(Quantity.bytes(needless)) not needed in backups" : ""
        value = point.complete ? findings + size : "incomplete run"
        color = !point.complete || counts.errors > 0 ? "#a4262c" : counts.warnings > 0 ? "#7a5200" : "#2a6b2f"
    }

    /// The file. White text has a contrast of at least 4.5 on each color.
    package var svg: String {
        let (left, right) = (Self.width(of: Self.label), Self.width(of: value))
        func text(_ text: String, at start: Int, _ width: Int) -> String {
            "<text x=\"\(start + width / 2)\" y=\"14\" textLength=\"\(width - 12)\">\(text)</text>"
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(left + right)" height="20" role="img" \
            aria-label="\(Self.label): \(value)">
            <title>\(Self.label): \(value)</title>
            <rect width="\(left + 4)" height="20" rx="3" fill="#444"/>
            <rect x="\(left)" width="\(right)" height="20" rx="3" fill="\(color)"/>
            <g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
            \(text(Self.label, at: 0, left))\(text(value, at: left, right))
            </g>
            </svg>

            """
    }

    /// The width of a text of 11 pixels with its margins. `textLength` fits the text to it.
    private static func width(of text: String) -> Int { text.count * 6 + 14 }
}
