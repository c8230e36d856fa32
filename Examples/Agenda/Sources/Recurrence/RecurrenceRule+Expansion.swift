/// The days of one period of a recurrence, by the table of RFC 5545, 3.3.10: each part of a rule expands the period to
/// more days, or limits the days found so far.
///
/// Days are numbered as in `CivilDate.days`, in order, without duplicates. A period is a calendar year, a calendar
/// month, a week or a day; a week of the year belongs to the calendar years of its days.
struct Expansion: Sendable {
    private let rule: RecurrenceRule
    private let start: (weekday: Weekday, month: Int, day: Int)

    /// Creates the expansion of a rule. The day on which the event starts replaces the parts that the rule lacks.
    init(_ rule: RecurrenceRule, start: CivilDate) {
        self.rule = rule
        self.start = (start.weekday, start.components.month, start.components.day)
    }

    /// Returns the days in a year.
    func days(inYear year: Int) -> [Int] {
        let first = CivilDate.firstDay(ofMonth: 1, year: year)
        let months = rule.monthsOfTheYear
        var days: [Int] = []
        if !rule.daysOfTheYear.isEmpty {
            let length = CivilDate.length(ofYear: year)
            days = rule.daysOfTheYear.compactMap { Self.index($0, of: length) }.map { first + $0 }
                .filter { isInMonths($0) && isInWeeks($0, year) && isDayOfMonth($0) && isDayOfWeek($0, in: year) }
        } else if !rule.daysOfTheMonth.isEmpty {
            for month in months.isEmpty ? Array(1...12) : months { days += daysOfTheMonth(month, year) }
            days = days.filter { isInWeeks($0, year) && isDayOfWeek($0, in: year) }
        } else if !rule.weeksOfTheYear.isEmpty {
            days = daysOfTheWeeks(year).filter { isInMonths($0) }
        } else if rule.daysOfTheWeek.isEmpty {
            for month in months.isEmpty ? [start.month] : months
            where start.day <= CivilDate.length(ofMonth: month, year: year) {
                days.append(CivilDate.firstDay(ofMonth: month, year: year) + start.day - 1)
            }
        } else if months.isEmpty {
            days = daysOfTheWeek(from: first, count: CivilDate.length(ofYear: year))
        } else {
            for month in months {
                days += daysOfTheWeek(
                    from: CivilDate.firstDay(ofMonth: month, year: year),
                    count: CivilDate.length(ofMonth: month, year: year))
            }
        }
        return selected(days)
    }

    /// Returns the days in a month.
    func days(inMonth month: Int, year: Int) -> [Int] {
        guard rule.monthsOfTheYear.isEmpty || rule.monthsOfTheYear.contains(month) else { return [] }
        let first = CivilDate.firstDay(ofMonth: month, year: year)
        let length = CivilDate.length(ofMonth: month, year: year)
        if !rule.daysOfTheMonth.isEmpty {
            return selected(daysOfTheMonth(month, year).filter { isDayOfWeek($0, in: year) })
        }
        if !rule.daysOfTheWeek.isEmpty { return selected(daysOfTheWeek(from: first, count: length)) }
        return selected(start.day <= length ? [first + start.day - 1] : [])
    }

    /// Returns the days in the week that starts with a day.
    func days(inWeekFrom first: Int) -> [Int] {
        let weekdays = rule.daysOfTheWeek.isEmpty ? [start.weekday] : rule.daysOfTheWeek.map(\.day)
        return selected(
            weekdays.map { first + $0.days(since: rule.firstDayOfTheWeek) }.filter { isInMonths($0) })
    }

    /// Returns the day, or nothing if the rule excludes it.
    func days(onDay day: Int) -> [Int] {
        let isIncluded =
            isInMonths(day) && isDayOfMonth(day)
            && (rule.daysOfTheWeek.isEmpty || rule.daysOfTheWeek.contains { $0.day == CivilDate.weekday(of: day) })
        return selected(isIncluded ? [day] : [])
    }

    // MARK: Expand

    private func daysOfTheMonth(_ month: Int, _ year: Int) -> [Int] {
        let first = CivilDate.firstDay(ofMonth: month, year: year)
        let length = CivilDate.length(ofMonth: month, year: year)
        return rule.daysOfTheMonth.compactMap { Self.index($0, of: length) }.map { first + $0 }
    }

    /// Returns the days of the week of the rule in a month or a year, with or without numbers.
    private func daysOfTheWeek(from first: Int, count: Int) -> [Int] {
        rule.daysOfTheWeek.flatMap { day in
            let all = Array(
                stride(from: first + day.day.days(since: CivilDate.weekday(of: first)), to: first + count, by: 7))
            if day.week == 0 { return all }
            return Self.index(day.week, of: all.count).map { [all[$0]] } ?? []
        }
    }

    /// Returns the days of the weeks of the year. The first and the last days of a year may be in a week of another year.
    private func daysOfTheWeeks(_ year: Int) -> [Int] {
        let weekdays = rule.daysOfTheWeek.isEmpty ? [start.weekday] : rule.daysOfTheWeek.map(\.day)
        let first = CivilDate.firstDay(ofMonth: 1, year: year)
        let range = first..<first + CivilDate.length(ofYear: year)
        return (year - 1...year + 1).flatMap { year in
            let (start, count) = weeks(of: year)
            return rule.weeksOfTheYear.compactMap { Self.index($0, of: count) }.flatMap { week in
                weekdays.map { start + week * 7 + $0.days(since: rule.firstDayOfTheWeek) }.filter(range.contains)
            }
        }
    }

    /// Returns the first day of week 1 of a year, which has at least four days in the year, and the number of weeks.
    private func weeks(of year: Int) -> (start: Int, count: Int) {
        func start(_ year: Int) -> Int {
            let first = CivilDate.firstDay(ofMonth: 1, year: year)
            let offset = CivilDate.weekday(of: first).days(since: rule.firstDayOfTheWeek)
            return offset <= 3 ? first - offset : first - offset + 7
        }
        return (start(year), (start(year + 1) - start(year)) / 7)
    }

    // MARK: Limit

    private func isInMonths(_ day: Int) -> Bool {
        rule.monthsOfTheYear.isEmpty
            || rule.monthsOfTheYear.contains(CivilDate(clamping: day).components.month)
    }

    private func isInWeeks(_ day: Int, _ year: Int) -> Bool {
        rule.weeksOfTheYear.isEmpty
            || (year - 1...year + 1).contains { year in
                let (start, count) = weeks(of: year)
                return rule.weeksOfTheYear.compactMap { Self.index($0, of: count) }
                    .contains { start + $0 * 7..<start + $0 * 7 + 7 ~= day }
            }
    }

    private func isDayOfMonth(_ day: Int) -> Bool {
        if rule.daysOfTheMonth.isEmpty { return true }
        let (year, month, dayOfMonth) = CivilDate(clamping: day).components
        let length = CivilDate.length(ofMonth: month, year: year)
        return rule.daysOfTheMonth.contains { Self.index($0, of: length) == dayOfMonth - 1 }
    }

    /// Returns true if a day is one of the days of the week. A number counts in the month for monthly rules and for
    /// yearly rules with months, and in the year otherwise.
    private func isDayOfWeek(_ day: Int, in year: Int) -> Bool {
        if rule.daysOfTheWeek.isEmpty { return true }
        let month = CivilDate(clamping: day).components.month
        let isMonthly = rule.frequency == .monthly || !rule.monthsOfTheYear.isEmpty
        let first = CivilDate.firstDay(ofMonth: isMonthly ? month : 1, year: year)
        let length = isMonthly ? CivilDate.length(ofMonth: month, year: year) : CivilDate.length(ofYear: year)
        return rule.daysOfTheWeek.contains { wanted in
            guard wanted.day == CivilDate.weekday(of: day) else { return false }
            if wanted.week == 0 { return true }
            return wanted.week > 0
                ? (day - first) / 7 + 1 == wanted.week : (first + length - 1 - day) / 7 + 1 == -wanted.week
        }
    }

    // MARK: Select

    /// Returns the index of a number that counts from 1, or from -1 at the end, or nil if there is no such element.
    private static func index(_ number: Int, of count: Int) -> Int? {
        let index = number > 0 ? number - 1 : count + number
        return 0..<count ~= index ? index : nil
    }

    /// Returns the days in order, at the set positions of the rule.
    private func selected(_ days: [Int]) -> [Int] {
        if days.count < 2 && rule.setPositions.isEmpty { return days }
        let sorted = unique(days)
        if rule.setPositions.isEmpty { return sorted }
        return unique(rule.setPositions.compactMap { Self.index($0, of: sorted.count) }.map { sorted[$0] })
    }

    private func unique(_ days: [Int]) -> [Int] {
        var result: [Int] = []
        for day in days.sorted() where day != result.last { result.append(day) }
        return result
    }
}
