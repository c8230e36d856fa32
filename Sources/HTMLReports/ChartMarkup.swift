package import ContainerTree
internal import TextOutput

extension HTMLPage {
    /// The bytes of several runs by class, as stacked columns.
    package struct Chart: Sendable {
        /// A run.
        package struct Column: Sendable {
            let name: String
            let bytes: [StorageClass: UInt64]

            package init(_ name: String, bytes: [StorageClass: UInt64]) { (self.name, self.bytes) = (name, bytes) }

            var total: UInt64 {
                bytes.values.reduce(0) { $0.addingReportingOverflow($1).overflow ? .max : $0 + $1 }
            }
        }

        let title: String
        let columns: [Column]

        package init(_ title: String, columns: [Column]) { (self.title, self.columns) = (title, columns) }
    }
}

/// The markup of a chart. The numbers are text beside the picture, so that they keep their size on a narrow screen.
struct ChartMarkup {
    /// The size of the picture in its own units, which are stretched to the width of the page.
    private static let (columnWidth, height) = (10.0, 200.0)

    let chart: HTMLPage.Chart
    let number: Int

    func write(to output: (String) -> Void) {
        let most = chart.columns.map(\.total).max() ?? 0
        let classes = StorageClass.allCases.filter { storage in chart.columns.contains { $0.bytes[storage] ?? 0 > 0 } }
        output("<section class=\"chart\" aria-labelledby=\"chart-\(number)\">\n")
        output("<h2 id=\"chart-\(number)\">\(HTMLText.escaped(chart.title))</h2>\n")
        output("<div class=\"plot\"><div class=\"scale\" aria-hidden=\"true\"><span>\(Quantity.bytes(most))</span>")
        output("<span>\(Quantity.bytes(most / 2))</span><span>0</span></div>\n")
        let width = Double(max(1, chart.columns.count)) * Self.columnWidth
        output("<svg viewBox=\"0 0 \(Self.decimal(width)) \(Self.decimal(Self.height))\" ")
        output("preserveAspectRatio=\"none\" role=\"img\" aria-label=\"\(HTMLText.escaped(summary))\">\n")
        for (index, column) in chart.columns.enumerated() { write(column, at: index, of: most, classes, to: output) }
        output("</svg></div>\n<p class=\"axis\">")
        let ends = [chart.columns.first, chart.columns.count > 1 ? chart.columns.last : nil].compactMap(\.self)
        for column in ends { output("<span>\(HTMLText.isolated(HTMLText.shortened(column.name, to: 80)))</span>") }
        output("</p>\n<ul class=\"legend\">\n")
        for storage in classes {
            output("<li><span class=\"swatch class-\(storage.style)\" aria-hidden=\"true\"></span>")
            output("<span class=\"label\" title=\"\(HTMLText.escaped(storage.meaning))\">\(storage.label)</span>")
            let (first, last) = (chart.columns.first?.bytes[storage] ?? 0, chart.columns.last?.bytes[storage] ?? 0)
            output(
                "<strong>\(Quantity.bytes(last))</strong> <span class=\"detail\">first \(Quantity.bytes(first))</span></li>\n"
            )
        }
        output("</ul>\n</section>\n")
    }

    private func write(
        _ column: HTMLPage.Chart.Column, at index: Int, of most: UInt64, _ classes: [StorageClass],
        to output: (String) -> Void
    ) {
        output("<g><title>\(HTMLText.escaped(column.name)): \(Quantity.bytes(column.total))</title>")
        var top = Self.height
        for storage in classes {
            guard let bytes = column.bytes[storage], bytes > 0, most > 0 else { continue }
            let height = Double(bytes) / Double(most) * Self.height
            top -= height
            output("<rect class=\"fill-\(storage.style)\" x=\"\(Self.decimal(Double(index) * Self.columnWidth + 1))\" ")
            output("y=\"\(Self.decimal(max(0, top)))\" width=\"8\" height=\"\(Self.decimal(height))\"/>")
        }
        output("</g>\n")
    }

    /// The chart in one sentence, for a reader who does not see it.
    private var summary: String {
        guard let first = chart.columns.first, let last = chart.columns.last else { return "No reports" }
        return "\(Quantity.count(chart.columns.count, "report")), from \(Quantity.bytes(first.total)) to "
            + "\(Quantity.bytes(last.total)); the table below has the numbers"
    }

    private static func decimal(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
