import Foundation

extension RecurrenceRule {
    /// The rule in the form of RFC 5545. A last date has no time zone; see `text(in:isAllDay:)`.
    var text: String {
        if case .until(let last) = end { return ([parts, "UNTIL=\(last.property)"]).joined(separator: ";") }
        return parts
    }

    /// Returns the rule in the form of RFC 5545, in which the last date is in UTC unless the start has no time zone.
    func text(in zone: TimeZone?, isAllDay: Bool) -> String {
        guard case .until(let last) = end else { return parts }
        if isAllDay { return "\(parts);UNTIL=\(last.date.property)" }
        return "\(parts);UNTIL=\(zone.map { $0.date(of: last).property } ?? last.property)"
    }

    /// All parts except a last date.
    private var parts: String {
        var parts = ["FREQ=\(frequency.rawValue.uppercased())"]
        if interval != 1 { parts.append("INTERVAL=\(interval)") }
        if case .count(let count) = end { parts.append("COUNT=\(count)") }
        func add(_ name: String, _ values: [String]) {
            if !values.isEmpty { parts.append("\(name)=\(values.joined(separator: ","))") }
        }
        add("BYMONTH", monthsOfTheYear.map(String.init))
        add("BYWEEKNO", weeksOfTheYear.map(String.init))
        add("BYYEARDAY", daysOfTheYear.map(String.init))
        add("BYMONTHDAY", daysOfTheMonth.map(String.init))
        add("BYDAY", daysOfTheWeek.map { ($0.week == 0 ? "" : String($0.week)) + $0.day.code })
        add("BYSETPOS", setPositions.map(String.init))
        // Monday is the default, but some readers use the week of the user.
        parts.append("WKST=\(firstDayOfTheWeek.code)")
        return parts.joined(separator: ";")
    }
}
