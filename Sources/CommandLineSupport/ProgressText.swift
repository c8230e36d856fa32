internal import TextOutput

/// An amount of work in a run.
package struct ProgressAmount: Sendable, Hashable {
    package var items: Int
    /// The bytes, or 0 if only items are counted.
    package var bytes: UInt64

    package init(items: Int, bytes: UInt64 = 0) {
        self.items = items
        self.bytes = bytes
    }
}

/// The progress of a run as a line of text or JSON.
package struct ProgressText {
    private let done: ProgressAmount
    private let total: ProgressAmount?
    private let noun: String
    private let seconds: Double

    /// Creates a progress.
    ///
    /// - Parameters:
    ///   - done: The completed work.
    ///   - total: The total work, if known.
    ///   - noun: The noun for an item.
    ///   - seconds: The time since the start.
    package init(_ done: ProgressAmount, of total: ProgressAmount?, called noun: String, after seconds: Double) {
        self.done = done
        self.noun = noun
        // A container may grow during the run.
        self.total = total.flatMap { total in
            let isKnown = total.items > 0 && total.items >= done.items
            return isKnown && (total.bytes == 0 || total.bytes >= done.bytes) ? total : nil
        }
        self.seconds = max(seconds, 0.001)
    }

    /// Based on bytes if these are counted, because items differ in size.
    private var parts: (done: Double, all: Double)? {
        guard let total else { return nil }
        return total.bytes > 0 ? (Double(done.bytes), Double(total.bytes)) : (Double(done.items), Double(total.items))
    }

    /// Nil until an estimate is possible: the first small file would result in days.
    private var secondsLeft: Double? {
        guard let parts, parts.done > parts.all / 200 else { return nil }
        return (parts.all - parts.done) / parts.done * seconds
    }

    private var speed: String {
        guard done.bytes > 0 else { return "\(Quantity.grouped(Int(Double(done.items) / seconds)))/s" }
        return "\(Quantity.bytes(UInt64(Double(done.bytes) / seconds)))/s"
    }

    /// Returns the parts that fit in a number of columns. The remaining time has priority.
    package func line(of program: String, width: Int) -> String {
        let count = Quantity.count(done.items, noun)
        guard let total, let parts else {
            return Self.first(of: [[program, count, speed], [count, speed], [count]], width)
        }
        let share = parts.done / parts.all
        let percent = "\(Int(share * 100)) %"
        let counts = "\(Quantity.grouped(done.items)) of \(Quantity.count(total.items, noun))"
        let left = secondsLeft.map { "\(Self.duration($0)) left" } ?? "…"
        let most = width - [program, percent, counts, speed, left].reduce(0) { $0 + $1.count + 2 }
        let bar = Self.bar(share, columns: min(30, most))
        return Self.first(
            of: [
                [program] + (most >= 10 ? [bar] : []) + [percent, counts, speed, left],
                [percent, counts, speed, left], [percent, count, left], [percent, left], [percent],
            ], width)
    }

    /// Returns `{"status": {…}}` with the completed work, the total and the seconds.
    package func json(to output: @escaping (String) -> Void) {
        var json = JSONWriter(to: output)
        json.object { json in
            json.object("status") { json in
                json.field(noun + "s", done.items)
                if done.bytes > 0 || total?.bytes ?? 0 > 0 { json.field("bytes", done.bytes) }
                if let total {
                    json.field("\(noun)sInAll", total.items)
                    if total.bytes > 0 { json.field("bytesInAll", total.bytes) }
                }
                json.field("secondsElapsed", Int(seconds))
                if let secondsLeft { json.field("secondsLeft", Int(min(secondsLeft, 1e9).rounded(.up))) }
            }
        }
        output("\n")
    }

    private static func first(of candidates: [[String]], _ width: Int) -> String {
        let lines = candidates.map { $0.joined(separator: "  ") }
        return lines.first { $0.count <= width } ?? ""
    }

    private static func bar(_ share: Double, columns: Int) -> String {
        let columns = max(0, columns - 2)
        let done = Int(Double(columns) * share)
        return "[" + String(repeating: "#", count: done) + String(repeating: "-", count: columns - done) + "]"
    }

    private static func duration(_ seconds: Double) -> String {
        let whole = Int(min(seconds, 1e9).rounded(.up))
        if whole < 60 { return "\(whole) s" }
        return whole < 3600 ? "\(whole / 60) min \(whole % 60) s" : "\(whole / 3600) h \(whole / 60 % 60) min"
    }
}
