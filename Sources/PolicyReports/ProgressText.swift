internal import TextOutput

/// The line that tells how far a long run has come.
package struct ProgressText {
    private let items: Int
    private let total: Int?
    private let seconds: Double

    /// - Parameters:
    ///   - items: What has been seen.
    ///   - total: What there is to see, where that is known by now.
    ///   - seconds: How long it took.
    package init(items: Int, of total: Int?, after seconds: Double) {
        self.items = items
        // A container may grow meanwhile.
        self.total = total.flatMap { $0 >= items && $0 > 0 ? $0 : nil }
        self.seconds = max(seconds, 0.001)
    }

    private var rate: Double { Double(items) / seconds }

    /// What fits into so many columns, the time that is left before all else.
    package func line(width: Int) -> String {
        let count = Quantity.count(items, "item")
        let speed = "\(Quantity.grouped(Int(rate)))/s"
        guard let total else {
            return Self.first(of: [["sandboxlint", count, speed], [count, speed], [count]], width)
        }
        let percent = "\(items * 100 / total) %"
        let counts = "\(Quantity.grouped(items)) of \(Quantity.count(total, "item"))"
        let left = items > 0 ? "\(Self.duration(Double(total - items) / rate)) left" : "…"
        let most = width - ["sandboxlint", percent, counts, speed, left].reduce(0) { $0 + $1.count + 2 }
        let bar = Self.bar(items, of: total, columns: min(30, most))
        return Self.first(
            of: [
                ["sandboxlint"] + (most >= 10 ? [bar] : []) + [percent, counts, speed, left],
                [percent, counts, speed, left], [percent, count, left], [percent, left], [percent],
            ], width)
    }

    private static func first(of candidates: [[String]], _ width: Int) -> String {
        let lines = candidates.map { $0.joined(separator: "  ") }
        return lines.first { $0.count <= width } ?? ""
    }

    private static func bar(_ items: Int, of total: Int, columns: Int) -> String {
        let columns = max(0, columns - 2)
        let done = columns * items / total
        return "[" + String(repeating: "#", count: done) + String(repeating: "-", count: columns - done) + "]"
    }

    private static func duration(_ seconds: Double) -> String {
        let whole = Int(min(seconds, 1e9).rounded(.up))
        if whole < 60 { return "\(whole) s" }
        return whole < 3600 ? "\(whole / 60) min \(whole % 60) s" : "\(whole / 3600) h \(whole / 60 % 60) min"
    }
}
