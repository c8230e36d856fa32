/// A day of the week, numbered from Sunday as 1, as `EKWeekday` does.
enum Weekday: Int, Sendable, Hashable, Codable, CaseIterable {
    case sunday = 1, monday, tuesday, wednesday, thursday, friday, saturday

    /// The two letters of RFC 5545: SU, MO, …
    var code: String { ["SU", "MO", "TU", "WE", "TH", "FR", "SA"][rawValue - 1] }

    /// Returns the number of days from `first` to this day, from 0 to 6.
    func days(since first: Weekday) -> Int { (rawValue - first.rawValue + 7) % 7 }
}

/// A day of the Gregorian calendar without a time zone, from 0001-01-01 to 9999-12-31.
///
/// Recurrences are computed with days, which have no gaps. Only the final result is converted to an instant. Years have
/// four digits in RFC 5545, which sets the range. Years before 1582 are counted as if the calendar had been in use.
struct CivilDate: Hashable, Comparable, Sendable {
    /// The number of days since 1970-01-01.
    let days: Int

    /// The first day: 0001-01-01.
    static let first = CivilDate(unchecked: -719_162)
    /// The last day: 9999-12-31.
    static let last = CivilDate(unchecked: 2_932_896)

    private init(unchecked days: Int) { self.days = days }

    /// Creates the day with a number, or nil if it is out of range.
    init?(days: Int) {
        guard days >= Self.first.days, days <= Self.last.days else { return nil }
        self.days = days
    }

    /// Creates the day with a number; a number out of range gives the first or the last day.
    init(clamping days: Int) { self.days = min(max(days, Self.first.days), Self.last.days) }

    /// Creates a day, or nil if there is no such day.
    init?(year: Int, month: Int, day: Int) {
        guard 1...9999 ~= year, 1...12 ~= month, day >= 1, day <= Self.length(ofMonth: month, year: year) else {
            return nil
        }
        days = Self.firstDay(ofMonth: month, year: year) + day - 1
    }

    /// The year, month and day of the month.
    ///
    /// The year is counted from March, so that the leap day is its last day, and in cycles of 400 years, which all have
    /// 146,097 days.
    var components: (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let cycle = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfCycle = shifted - cycle * 146_097
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        return (
            yearOfCycle + cycle * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9, day
        )
    }

    /// The year.
    var year: Int { components.year }

    /// The day of the week.
    var weekday: Weekday { Self.weekday(of: days) }

    /// Returns the day of the week of a day, whether it is in range or not.
    static func weekday(of days: Int) -> Weekday {
        let index = (days + 4) % 7
        return Weekday.allCases[index < 0 ? index + 7 : index]
    }

    /// Returns the number of the first day of a month.
    static func firstDay(ofMonth month: Int, year: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let cycle = (year >= 0 ? year : year - 399) / 400
        let yearOfCycle = year - cycle * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5
        return cycle * 146_097 + yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear - 719_468
    }

    /// Returns the number of days of a month.
    static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the number of days of a year.
    static func length(ofYear year: Int) -> Int { isLeap(year) ? 366 : 365 }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    static func < (left: CivilDate, right: CivilDate) -> Bool { left.days < right.days }
}

extension CivilDate: LosslessStringConvertible, Codable {
    /// The day in the form `2026-11-22`.
    var description: String {
        let (year, month, day) = components
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// Creates a day from the form `2026-11-22`, or nil for other text and for days that do not exist.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2, parts[2].utf8.count == 2,
            text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || 48...57 ~= $0 }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = CivilDate(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "“\(text)” is not a day in the form 2026-11-22")
        }
        self = date
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Returns a number with leading zeros.
func padded(_ number: Int, _ length: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, length - digits.utf8.count)) + digits
}
