package import FileSystem
internal import Foundation

/// A time span of the calendar before a date, such as `36h`, `14d`, `8w`, `6m` or `1y2m3d`. `m` is a month.
package struct TimeSpan: Sendable, Hashable, CustomStringConvertible {
    private var years = 0
    private var months = 0
    private var days = 0
    private var hours = 0
    package let description: String

    /// Returns nil for any other text, for a span of zero, and for a number of a million or more.
    package init?(_ text: String) {
        description = text
        var digits = ""
        for character in text {
            if character.isASCII, character.isNumber {
                digits.append(character)
                continue
            }
            guard let count = Int(digits), count < 1_000_000 else { return nil }
            switch character {
            case "y": years += count
            case "m": months += count
            case "w": days += 7 * count
            case "d": days += count
            case "h": hours += count
            default: return nil
            }
            digits = ""
        }
        guard digits.isEmpty, years + months + days + hours > 0 else { return nil }
    }

    /// Returns the time that is this span before another one. A day that its month does not have is one of the next
    /// month: a month before 31 March is 3 March, or 2 March in a leap year.
    package func start(before end: Timestamp) -> Timestamp {
        let calendar = Calendar.utc
        var parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second],
            from: Date(timeIntervalSince1970: Double(end.seconds)))
        let month = (parts.year ?? 0) * 12 + (parts.month ?? 1) - 1 - years * 12 - months
        // No snapshot is older than 1970.
        guard month > 1_000 * 12 else { return Timestamp(seconds: .min) }
        (parts.year, parts.month) = (month / 12, month % 12 + 1)
        guard let date = calendar.date(from: parts) else { return Timestamp(seconds: .min) }
        let seconds = Int64(date.timeIntervalSince1970.rounded()) - Int64(days) * 86_400 - Int64(hours) * 3_600
        return Timestamp(seconds: seconds, nanoseconds: end.nanoseconds)
    }
}

extension Calendar {
    /// The Gregorian calendar in UTC.
    static let utc = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}
