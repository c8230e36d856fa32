/// The days on which an event recurs, in order, computed one period at a time.
///
/// The start of the event is always the first day, even if it does not match the rule, and it counts. Source: RFC 5545,
/// 3.3.10. A rule without a count is entered at the period of `lower`, so a search far in the future costs as much as
/// one today. A count has to be counted from the start.
struct RecurrenceDays: Sequence, IteratorProtocol {
    private let rule: RecurrenceRule
    private let expansion: Expansion
    private let start: CivilDate
    private let lower: CivilDate
    private let upper: CivilDate
    /// The number of the next period: 0 is that of the start.
    private var period = 0
    private var pending: ArraySlice<Int>
    private var remaining: Int?
    private var last = Int.min

    /// Creates the days from `lower` to `upper`, both included. `rule.end` with a date is not considered, because it is
    /// an instant.
    init(
        _ rule: RecurrenceRule, start: CivilDate, from lower: CivilDate = .first, through upper: CivilDate = .last
    ) {
        self.rule = rule
        expansion = Expansion(rule, start: start)
        self.start = start
        self.lower = Swift.max(lower, start)
        self.upper = upper
        pending = [start.days]
        if case .count(let count) = rule.end {
            remaining = count
        } else if lower > start {
            pending = []
            // The period before, because a week may have started in it.
            period = Swift.max(0, distance(to: lower) / rule.interval - 1)
        }
    }

    /// Returns the next day.
    mutating func next() -> CivilDate? {
        while remaining != 0 {
            guard let day = pending.popFirst() else {
                guard let days = daysOfNextPeriod() else { break }
                pending = days[...]
                continue
            }
            guard day > last, day >= start.days else { continue }
            guard day <= upper.days else { break }
            last = day
            remaining? -= 1
            if day >= lower.days { return CivilDate(clamping: day) }
        }
        remaining = 0
        return nil
    }

    /// Returns true if the rule matches a day after the start, in some year.
    ///
    /// The calendar repeats after 400 years, which are 146,097 days and 20,871 weeks. A rule that matches no day in so
    /// many periods never does.
    static func recurs(_ rule: RecurrenceRule, start: CivilDate) -> Bool {
        let (periods, daysPerPeriod) =
            switch rule.frequency {
            case .daily: (146_097, 1)
            case .weekly: (20_871, 7)
            case .monthly: (4800, 31)
            case .yearly: (400, 366)
            }
        // Most impossible rules are found without a search.
        let months = rule.monthsOfTheYear.isEmpty ? Array(1...12) : rule.monthsOfTheYear
        let longest = months.map { CivilDate.length(ofMonth: $0, year: 2000) }.max() ?? 31
        guard rule.daysOfTheMonth.isEmpty || rule.daysOfTheMonth.contains(where: { abs($0) <= longest }),
            rule.setPositions.isEmpty || rule.setPositions.contains(where: { abs($0) <= daysPerPeriod })
        else { return false }
        var days = RecurrenceDays(rule, start: start)
        for _ in 0...periods {
            guard let found = days.daysOfNextPeriod() else { return false }
            if found.contains(where: { $0 >= start.days }) { return true }
        }
        return false
    }

    /// Returns the number of days, weeks, months or years from the start to a day.
    private func distance(to day: CivilDate) -> Int {
        let (year, month, _) = start.components
        return switch rule.frequency {
        case .daily: day.days - start.days
        case .weekly: (day.days - firstDayOfWeek) / 7
        case .monthly: (day.year - year) * 12 + day.components.month - month
        case .yearly: day.year - year
        }
    }

    private var firstDayOfWeek: Int { start.days - start.weekday.days(since: rule.firstDayOfTheWeek) }

    /// Returns the days of the next period, or nil if it is after the upper bound.
    private mutating func daysOfNextPeriod() -> [Int]? {
        let offset = period * rule.interval
        period += 1
        let (year, month, _) = start.components
        switch rule.frequency {
        case .daily:
            let day = start.days + offset
            return day > upper.days ? nil : expansion.days(onDay: day)
        case .weekly:
            let first = firstDayOfWeek + offset * 7
            return first > upper.days ? nil : expansion.days(inWeekFrom: first)
        case .monthly:
            let months = year * 12 + month - 1 + offset
            guard CivilDate.firstDay(ofMonth: months % 12 + 1, year: months / 12) <= upper.days else { return nil }
            return expansion.days(inMonth: months % 12 + 1, year: months / 12)
        case .yearly:
            guard year + offset <= upper.year else { return nil }
            return expansion.days(inYear: year + offset)
        }
    }
}
