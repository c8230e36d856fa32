import Foundation

/// A day and a time of day without a time zone, to the second: the time that a clock on the wall shows.
struct CivilTime: Hashable, Comparable, Sendable {
    /// The day.
    var date: CivilDate
    /// The seconds since midnight, from 0 to 86,399.
    let secondOfDay: Int

    /// The seconds since 1970-01-01T00:00:00.
    var seconds: Int { date.days * 86_400 + secondOfDay }

    /// Creates a time from a day and the seconds since midnight, which are taken modulo one day.
    init(_ date: CivilDate, secondOfDay: Int = 0) {
        self.date = date
        let second = secondOfDay % 86_400
        self.secondOfDay = second < 0 ? second + 86_400 : second
    }

    /// Creates the time with a number of seconds since 1970-01-01T00:00:00, or nil if it is out of range.
    init?(seconds: Int) {
        guard let date = CivilDate(days: Self.day(of: seconds)) else { return nil }
        self.init(date, secondOfDay: seconds)
    }

    /// Creates the time with a number of seconds; a number out of range gives the first or the last day.
    init(clamping seconds: Int) {
        self.init(CivilDate(clamping: Self.day(of: seconds)), secondOfDay: seconds)
    }

    private static func day(of seconds: Int) -> Int {
        let (day, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        return rest < 0 ? day - 1 : day
    }

    static func < (left: CivilTime, right: CivilTime) -> Bool { left.seconds < right.seconds }
}

extension CivilTime: LosslessStringConvertible, Codable {
    /// The time in the form `2026-11-22T09:30:00`.
    var description: String {
        "\(date)T\(padded(secondOfDay / 3600, 2)):\(padded(secondOfDay / 60 % 60, 2)):\(padded(secondOfDay % 60, 2))"
    }

    /// Creates a time from `2026-11-22`, `2026-11-22T09:30` or `2026-11-22T09:30:00`, or nil for other text.
    init?(_ text: String) {
        let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        guard let date = CivilDate(String(parts[0])) else { return nil }
        guard parts.count == 2 else {
            self.init(date)
            return
        }
        let fields = parts[1].split(separator: ":", omittingEmptySubsequences: false)
        let numbers = fields.compactMap { field in
            field.utf8.count == 2 && field.utf8.allSatisfy({ 48...57 ~= $0 }) ? Int(field) : nil
        }
        guard numbers.count == fields.count, 2...3 ~= numbers.count, numbers[0] < 24,
            numbers.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        self.init(date, secondOfDay: numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0))
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let time = CivilTime(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "“\(text)” is not a time in the form 2026-11-22T09:30:00")
        }
        self = time
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension TimeZone {
    /// Returns the instant at which clocks show `time`.
    ///
    /// A time that clocks skip is read with the offset before the gap, and a time that they show twice is the first of
    /// the two. Source: RFC 5545, 3.3.5. For recurrences, 3.3.10 requires this, and in another sentence that skipped times
    /// are ignored. Here they are not, so that no occurrence is lost.
    func date(of time: CivilTime) -> Date {
        // No zone was ever more than 16 hours from UTC, so the instant is between these two.
        let before = secondsFromGMT(for: Self.date(time.seconds - 16 * 3600))
        let after = secondsFromGMT(for: Self.date(time.seconds + 16 * 3600))
        let early = Self.date(time.seconds - before)
        if before == after { return early }
        let late = Self.date(time.seconds - after)
        let isEarlyValid = secondsFromGMT(for: early) == before
        let isLateValid = secondsFromGMT(for: late) == after
        if isEarlyValid && isLateValid { return min(early, late) }
        return isLateValid ? late : early
    }

    /// Returns the time that clocks show at an instant; an instant out of range gives the first or the last day.
    func civilTime(at date: Date) -> CivilTime {
        let seconds = min(max(date.timeIntervalSince1970, -1e12), 1e12)
        return CivilTime(clamping: Int(seconds.rounded(.down)) + secondsFromGMT(for: date))
    }

    private static func date(_ seconds: Int) -> Date { Date(timeIntervalSince1970: Double(seconds)) }
}
