/// A recurrence rule with the parts of `EKRecurrenceRule`: one of RFC 5545 that repeats whole days.
///
/// A rule is checked when it is created or decoded. An invalid rule cannot be constructed.
struct RecurrenceRule: Hashable, Sendable {
    /// The unit of the interval.
    enum Frequency: String, Codable, Sendable { case daily, weekly, monthly, yearly }

    /// A day of the week, for instance each Monday, or the last Monday of a month or year.
    struct DayOfWeek: Hashable, Codable, Sendable {
        /// The day.
        let day: Weekday
        /// The number of the day in the month or year, negative from its end. 0 stands for every week.
        let week: Int

        init(_ day: Weekday, week: Int = 0) { (self.day, self.week) = (day, week) }
    }

    /// The end of a recurrence.
    enum End: Hashable, Sendable {
        /// The number of occurrences. The start of the event is the first one; occurrences removed later count too.
        case count(Int)
        /// The latest start of an occurrence, in the time zone of the event.
        case until(CivilTime)
    }

    let frequency: Frequency
    let interval: Int
    let daysOfTheWeek: [DayOfWeek]
    let daysOfTheMonth: [Int]
    let daysOfTheYear: [Int]
    let weeksOfTheYear: [Int]
    let monthsOfTheYear: [Int]
    let setPositions: [Int]
    /// The first day of the week, for weekly rules with an interval and for numbers of weeks.
    let firstDayOfTheWeek: Weekday
    let end: End?

    /// Creates a rule.
    ///
    /// - Throws: `invalidRecurrence` for numbers out of range and for combinations that RFC 5545 (3.3.10) excludes.
    init(
        _ frequency: Frequency, interval: Int = 1, daysOfTheWeek: [DayOfWeek] = [], daysOfTheMonth: [Int] = [],
        daysOfTheYear: [Int] = [], weeksOfTheYear: [Int] = [], monthsOfTheYear: [Int] = [], setPositions: [Int] = [],
        firstDayOfTheWeek: Weekday = .monday, end: End? = nil
    ) throws(AgendaError) {
        self.frequency = frequency
        self.interval = interval
        self.daysOfTheWeek = daysOfTheWeek
        self.daysOfTheMonth = daysOfTheMonth
        self.daysOfTheYear = daysOfTheYear
        self.weeksOfTheYear = weeksOfTheYear
        self.monthsOfTheYear = monthsOfTheYear
        self.setPositions = setPositions
        self.firstDayOfTheWeek = firstDayOfTheWeek
        self.end = end
        if let problem { throw AgendaError(.invalidRecurrence, "\(problem). Nothing was changed. Correct the rule.") }
    }

    /// Returns the rule with another end.
    func ending(_ end: End?) throws(AgendaError) -> RecurrenceRule {
        try RecurrenceRule(
            frequency, interval: interval, daysOfTheWeek: daysOfTheWeek, daysOfTheMonth: daysOfTheMonth,
            daysOfTheYear: daysOfTheYear, weeksOfTheYear: weeksOfTheYear, monthsOfTheYear: monthsOfTheYear,
            setPositions: setPositions, firstDayOfTheWeek: firstDayOfTheWeek, end: end)
    }

    /// The first problem of the rule, or nil.
    private var problem: String? {
        guard 1...100_000 ~= interval else {
            return "The interval of the recurrence is \(interval), but must be from 1 to 100,000"
        }
        if case .count(let count) = end, count < 1 { return "The recurrence ends after \(count) occurrences" }
        for (name, numbers, limit) in [
            ("day of the month", daysOfTheMonth, 31), ("day of the year", daysOfTheYear, 366),
            ("week of the year", weeksOfTheYear, 53), ("set position", setPositions, 366),
        ] {
            if let number = numbers.first(where: { $0 == 0 || $0 < -limit || $0 > limit }) {
                return
                    "The recurrence has \(name) \(number), but must have 1 to \(limit), or -\(limit) to -1 from the end"
            }
        }
        if let month = monthsOfTheYear.first(where: { !(1...12 ~= $0) }) {
            return "The recurrence has month \(month), but must have 1 to 12"
        }
        if let count = [daysOfTheWeek.count, daysOfTheMonth.count, daysOfTheYear.count, weeksOfTheYear.count].max(),
            max(count, setPositions.count, monthsOfTheYear.count) > 1000
        {
            return "A list of the recurrence has more than 1,000 numbers"
        }
        return combinationProblem
    }

    private var combinationProblem: String? {
        let numbered = daysOfTheWeek.filter { $0.week != 0 }
        let limit = frequency == .monthly ? 5 : 53
        if let day = numbered.first(where: { abs($0.week) > limit }) {
            return "The recurrence has week \(day.week) for \(day.day), but a \(frequency) one has at most \(limit)"
        }
        if !numbered.isEmpty && (frequency == .daily || frequency == .weekly) {
            return "A \(frequency) recurrence cannot have a day of the week with a number"
        }
        if !numbered.isEmpty && !weeksOfTheYear.isEmpty {
            return "A recurrence with weeks of the year cannot have a day of the week with a number"
        }
        if !weeksOfTheYear.isEmpty && frequency != .yearly { return "Only a yearly recurrence has weeks of the year" }
        if !daysOfTheYear.isEmpty && frequency != .yearly { return "Only a yearly recurrence has days of the year" }
        if !daysOfTheMonth.isEmpty && frequency == .weekly {
            return "A weekly recurrence cannot have days of the month"
        }
        if !setPositions.isEmpty && daysOfTheWeek.isEmpty && daysOfTheMonth.isEmpty && daysOfTheYear.isEmpty
            && weeksOfTheYear.isEmpty && monthsOfTheYear.isEmpty
        {
            return "A recurrence with set positions needs days, weeks or months to select from"
        }
        return nil
    }
}

extension RecurrenceRule: Codable {
    private enum CodingKeys: String, CodingKey {
        case frequency, interval, daysOfTheWeek, daysOfTheMonth, daysOfTheYear, weeksOfTheYear, monthsOfTheYear
        case setPositions, firstDayOfTheWeek, count, until
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func numbers(_ key: CodingKeys) throws -> [Int] { try values.decodeIfPresent([Int].self, forKey: key) ?? [] }
        let count = try values.decodeIfPresent(Int.self, forKey: .count).map { End.count($0) }
        let until = try values.decodeIfPresent(CivilTime.self, forKey: .until).map { End.until($0) }
        guard count == nil || until == nil else {
            throw AgendaError(.invalidRecurrence, "The recurrence has a count and a last date. Remove one of them.")
        }
        try self.init(
            try values.decode(Frequency.self, forKey: .frequency),
            interval: try values.decodeIfPresent(Int.self, forKey: .interval) ?? 1,
            daysOfTheWeek: try values.decodeIfPresent([DayOfWeek].self, forKey: .daysOfTheWeek) ?? [],
            daysOfTheMonth: try numbers(.daysOfTheMonth), daysOfTheYear: try numbers(.daysOfTheYear),
            weeksOfTheYear: try numbers(.weeksOfTheYear), monthsOfTheYear: try numbers(.monthsOfTheYear),
            setPositions: try numbers(.setPositions),
            firstDayOfTheWeek: try values.decodeIfPresent(Weekday.self, forKey: .firstDayOfTheWeek) ?? .monday,
            end: count ?? until)
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(frequency, forKey: .frequency)
        if interval != 1 { try values.encode(interval, forKey: .interval) }
        if !daysOfTheWeek.isEmpty { try values.encode(daysOfTheWeek, forKey: .daysOfTheWeek) }
        for (numbers, key) in [
            (daysOfTheMonth, CodingKeys.daysOfTheMonth), (daysOfTheYear, .daysOfTheYear),
            (weeksOfTheYear, .weeksOfTheYear), (monthsOfTheYear, .monthsOfTheYear), (setPositions, .setPositions),
        ] where !numbers.isEmpty { try values.encode(numbers, forKey: key) }
        if firstDayOfTheWeek != .monday { try values.encode(firstDayOfTheWeek, forKey: .firstDayOfTheWeek) }
        switch end {
        case .count(let count): try values.encode(count, forKey: .count)
        case .until(let time): try values.encode(time, forKey: .until)
        case nil: break
        }
    }
}
