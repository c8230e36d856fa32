import Foundation

/// The component of an iCalendar file that defines a time zone: the changes of its offset in a range of years.
///
/// A change that comes back each year is a rule without end, if the system's changes follow it to the end of the range.
/// All others are listed. Readers that know the identifier use their own data.
struct TimeZoneComponent {
    /// A change of the offset.
    private struct Change {
        /// The time on the clocks that are still set to the old offset.
        let time: CivilTime
        let from: Int
        let to: Int
        let isDaylight: Bool

        /// True if a later change is the same one in another year.
        func isRepeated(by other: Change) -> Bool {
            (time.secondOfDay, from, to, isDaylight, time.date.weekday, time.date.components.month)
                == (
                    other.time.secondOfDay, other.from, other.to, other.isDaylight, other.time.date.weekday,
                    other.time.date.components.month
                )
        }
    }

    let identifier: String
    private let first: CivilTime
    private let initial: (offset: Int, isDaylight: Bool)
    private var listed: [Change] = []
    private var recurring: [(change: Change, rule: String)] = []

    /// Creates the component.
    ///
    /// - Parameters:
    ///   - identifier: The identifier that the events use.
    ///   - zone: The time zone.
    ///   - start: The first instant that is needed.
    ///   - end: The last instant that is needed, or nil without end.
    init(_ identifier: String, _ zone: TimeZone, from start: Date, through end: Date?) {
        self.identifier = identifier
        let start = start.addingTimeInterval(-366 * 86_400)
        first = zone.civilTime(at: start)
        initial = (zone.secondsFromGMT(for: start), zone.isDaylightSavingTime(for: start))
        // Rules are recognized by the five years after those needed. Without an end, sixty years are listed if the
        // changes follow no rule.
        let last = (end ?? start.addingTimeInterval(60 * 365.25 * 86_400)).addingTimeInterval(5 * 365.25 * 86_400)
        var changes: [Change] = []
        var date = start
        var offset = initial.offset
        while let next = zone.nextDaylightSavingTimeTransition(after: date), next > date, next < last {
            let new = zone.secondsFromGMT(for: next)
            if new != offset {
                let seconds = Int(next.timeIntervalSince1970.rounded())
                changes.append(
                    Change(
                        time: CivilTime(clamping: seconds + offset), from: offset, to: new,
                        isDaylight: zone.isDaylightSavingTime(for: next)))
            }
            (date, offset) = (next, new)
        }
        split(changes, lastYear: zone.civilTime(at: last).date.year)
    }

    /// Separates the changes that come back each year until `lastYear` from the others.
    private mutating func split(_ changes: [Change], lastYear: Int) {
        listed = changes
        var isRecurring = Set<Int>()
        for index in changes.indices.reversed() where changes[index].time.date.year >= lastYear - 1 {
            if isRecurring.contains(index) { continue }
            var pattern = YearlyDay(changes[index].time.date)
            var run: [(Int, String)] = []
            var candidates = [index]
            for earlier in changes.indices[..<index].reversed() where changes[earlier].isRepeated(by: changes[index]) {
                guard pattern.add(changes[earlier].time.date) else { break }
                candidates.append(earlier)
                if candidates.count >= 4, let rule = pattern.rule { run = candidates.map { ($0, rule) } }
            }
            // Both changes of a year recur, or none: otherwise the offset would be wrong after the last listed change.
            guard let (first, rule) = run.last else {
                recurring = []
                return
            }
            recurring.append((changes[first], rule))
            isRecurring.formUnion(run.map(\.0))
        }
        listed = changes.indices.filter { !isRecurring.contains($0) }.map { changes[$0] }
    }

    /// Adds the component to a file.
    func write(to lines: inout ContentLines) {
        lines.add(component: "VTIMEZONE") { lines in
            lines.add("TZID", [], ContentLines.escaped(identifier))
            Self.write(
                Change(time: first, from: initial.offset, to: initial.offset, isDaylight: initial.isDaylight),
                [], nil, to: &lines)
            // Changes between the same offsets are one component with a list of dates.
            var groups: [[Change]] = []
            for change in listed {
                if let index = groups.firstIndex(where: {
                    ($0[0].from, $0[0].to, $0[0].isDaylight) == (change.from, change.to, change.isDaylight)
                }) {
                    groups[index].append(change)
                } else {
                    groups.append([change])
                }
            }
            for group in groups { Self.write(group[0], group.dropFirst().map(\.time), nil, to: &lines) }
            for (change, rule) in recurring { Self.write(change, [], rule, to: &lines) }
        }
    }

    private static func write(_ change: Change, _ dates: [CivilTime], _ rule: String?, to lines: inout ContentLines) {
        lines.add(component: change.isDaylight ? "DAYLIGHT" : "STANDARD") { lines in
            lines.add("DTSTART", [], change.time.property)
            lines.add("TZOFFSETFROM", [], UTCOffset(seconds: change.from).property)
            lines.add("TZOFFSETTO", [], UTCOffset(seconds: change.to).property)
            if let rule { lines.add("RRULE", [], rule) }
            for date in dates { lines.add("RDATE", [], date.property) }
        }
    }
}

/// The day of a change that comes back each year in the same month on the same day of the week.
private struct YearlyDay {
    private let month: Int
    private let weekday: Weekday
    private var year: Int
    private var numbers: ClosedRange<Int>
    private var isLast = true
    private var weeks = Set<Int>()

    /// Starts with the latest day.
    init(_ day: CivilDate) {
        let (year, month, number) = day.components
        (self.year, self.month, weekday) = (year, month, day.weekday)
        numbers = number...number
        include(number)
    }

    private mutating func include(_ number: Int) {
        isLast = isLast && number + 7 > CivilDate.length(ofMonth: month, year: year)
        weeks.insert((number - 1) / 7 + 1)
    }

    /// Adds the day of the year before. Returns false if it does not continue the pattern.
    mutating func add(_ day: CivilDate) -> Bool {
        let (year, _, number) = day.components
        let range = min(numbers.lowerBound, number)...max(numbers.upperBound, number)
        guard year == self.year - 1, range.count <= 7 else { return false }
        (self.year, numbers) = (year, range)
        include(number)
        return true
    }

    /// The rule, or nil if the days so far allow none.
    var rule: String? {
        let start = "FREQ=YEARLY;BYMONTH=\(month)"
        if isLast { return "\(start);BYDAY=-1\(weekday.code)" }
        if weeks.count == 1, let week = weeks.first { return "\(start);BYDAY=\(week)\(weekday.code)" }
        // The first such day of the week on or after a day of the month, known once all seven days have occurred.
        guard numbers.count == 7 else { return nil }
        return "\(start);BYMONTHDAY=\(numbers.map(String.init).joined(separator: ","));BYDAY=\(weekday.code)"
    }
}
