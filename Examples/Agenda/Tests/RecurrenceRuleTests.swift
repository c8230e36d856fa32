import Foundation
import Testing

@testable import Agenda

/// A rule with its first days.
private struct Example: Sendable, CustomTestStringConvertible {
    let rule: RecurrenceRule
    let start: String
    let days: String

    var testDescription: String { "\(rule.text) from \(start)" }

    init(_ start: String, _ rule: RecurrenceRule, _ days: String) {
        (self.start, self.rule, self.days) = (start, rule, days)
    }
}

@Suite("RecurrenceRule", .timeLimit(.minutes(60))) struct RecurrenceRuleTests {
    private typealias Rule = RecurrenceRule

    private static func days(_ days: [Weekday], week: Int = 0) -> [Rule.DayOfWeek] {
        days.map { Rule.DayOfWeek($0, week: week) }
    }

    private static let workdays: [Weekday] = [.monday, .tuesday, .wednesday, .thursday, .friday]

    /// The rules and dates of RFC 5545, 3.8.5.3, that have whole days. A list without end is cut.
    private static func examples() throws -> [Example] {
        try daily() + weekly() + monthly() + yearly()
    }

    private static func daily() throws -> [Example] {
        [
            Example(
                "1997-09-02", try Rule(.daily, end: .count(10)),
                "1997-09-02 1997-09-03 1997-09-04 1997-09-05 1997-09-06 1997-09-07 1997-09-08 1997-09-09 1997-09-10 "
                    + "1997-09-11"),
            Example("1997-09-02", try Rule(.daily, interval: 2), "1997-09-02 1997-09-04 1997-09-06 1997-09-08"),
            Example(
                "1997-09-02", try Rule(.daily, interval: 10, end: .count(5)),
                "1997-09-02 1997-09-12 1997-09-22 1997-10-02 1997-10-12"),
        ]
    }

    private static func weekly() throws -> [Example] {
        [
            Example(
                "1997-09-02", try Rule(.weekly, end: .count(10)),
                "1997-09-02 1997-09-09 1997-09-16 1997-09-23 1997-09-30 1997-10-07 1997-10-14 1997-10-21 1997-10-28 "
                    + "1997-11-04"),
            Example(
                "1997-09-02", try Rule(.weekly, interval: 2, firstDayOfTheWeek: .sunday),
                "1997-09-02 1997-09-16 1997-09-30 1997-10-14 1997-10-28 1997-11-11 1997-11-25"),
            Example(
                "1997-09-02",
                try Rule(
                    .weekly, daysOfTheWeek: days([.tuesday, .thursday]), firstDayOfTheWeek: .sunday, end: .count(10)),
                "1997-09-02 1997-09-04 1997-09-09 1997-09-11 1997-09-16 1997-09-18 1997-09-23 1997-09-25 1997-09-30 "
                    + "1997-10-02"),
            Example(
                "1997-09-01",
                try Rule(
                    .weekly, interval: 2, daysOfTheWeek: days([.monday, .wednesday, .friday]),
                    firstDayOfTheWeek: .sunday),
                "1997-09-01 1997-09-03 1997-09-05 1997-09-15 1997-09-17 1997-09-19 1997-09-29 1997-10-01 1997-10-03 "
                    + "1997-10-13"),
            Example(
                "1997-09-02",
                try Rule(
                    .weekly, interval: 2, daysOfTheWeek: days([.tuesday, .thursday]), firstDayOfTheWeek: .sunday,
                    end: .count(8)),
                "1997-09-02 1997-09-04 1997-09-16 1997-09-18 1997-09-30 1997-10-02 1997-10-14 1997-10-16"),
            Example(
                "1997-08-05",
                try Rule(.weekly, interval: 2, daysOfTheWeek: days([.tuesday, .sunday]), end: .count(4)),
                "1997-08-05 1997-08-10 1997-08-19 1997-08-24"),
            Example(
                "1997-08-05",
                try Rule(
                    .weekly, interval: 2, daysOfTheWeek: days([.tuesday, .sunday]), firstDayOfTheWeek: .sunday,
                    end: .count(4)),
                "1997-08-05 1997-08-17 1997-08-19 1997-08-31"),
        ]
    }

    private static func monthly() throws -> [Example] {
        [
            Example(
                "1997-09-05", try Rule(.monthly, daysOfTheWeek: days([.friday], week: 1), end: .count(10)),
                "1997-09-05 1997-10-03 1997-11-07 1997-12-05 1998-01-02 1998-02-06 1998-03-06 1998-04-03 1998-05-01 "
                    + "1998-06-05"),
            Example(
                "1997-09-07",
                try Rule(
                    .monthly, interval: 2, daysOfTheWeek: days([.sunday], week: 1) + days([.sunday], week: -1),
                    end: .count(10)),
                "1997-09-07 1997-09-28 1997-11-02 1997-11-30 1998-01-04 1998-01-25 1998-03-01 1998-03-29 1998-05-03 "
                    + "1998-05-31"),
            Example(
                "1997-09-22", try Rule(.monthly, daysOfTheWeek: days([.monday], week: -2), end: .count(6)),
                "1997-09-22 1997-10-20 1997-11-17 1997-12-22 1998-01-19 1998-02-16"),
            Example(
                "1997-09-28", try Rule(.monthly, daysOfTheMonth: [-3]),
                "1997-09-28 1997-10-29 1997-11-28 1997-12-29 1998-01-29 1998-02-26"),
            Example(
                "1997-09-02", try Rule(.monthly, daysOfTheMonth: [2, 15], end: .count(10)),
                "1997-09-02 1997-09-15 1997-10-02 1997-10-15 1997-11-02 1997-11-15 1997-12-02 1997-12-15 1998-01-02 "
                    + "1998-01-15"),
            Example(
                "1997-09-30", try Rule(.monthly, daysOfTheMonth: [1, -1], end: .count(10)),
                "1997-09-30 1997-10-01 1997-10-31 1997-11-01 1997-11-30 1997-12-01 1997-12-31 1998-01-01 1998-01-31 "
                    + "1998-02-01"),
            Example(
                "1997-09-10",
                try Rule(.monthly, interval: 18, daysOfTheMonth: [10, 11, 12, 13, 14, 15], end: .count(10)),
                "1997-09-10 1997-09-11 1997-09-12 1997-09-13 1997-09-14 1997-09-15 1999-03-10 1999-03-11 1999-03-12 "
                    + "1999-03-13"),
            Example(
                "1997-09-02", try Rule(.monthly, interval: 2, daysOfTheWeek: days([.tuesday])),
                "1997-09-02 1997-09-09 1997-09-16 1997-09-23 1997-09-30 1997-11-04 1997-11-11"),
            Example(
                "1997-09-02", try Rule(.monthly, daysOfTheWeek: days([.friday]), daysOfTheMonth: [13]),
                "1997-09-02 1998-02-13 1998-03-13 1998-11-13 1999-08-13 2000-10-13"),
            Example(
                "1997-09-13",
                try Rule(.monthly, daysOfTheWeek: days([.saturday]), daysOfTheMonth: [7, 8, 9, 10, 11, 12, 13]),
                "1997-09-13 1997-10-11 1997-11-08 1997-12-13 1998-01-10 1998-02-07 1998-03-07 1998-04-11 1998-05-09"),
            Example(
                "1997-09-04",
                try Rule(
                    .monthly, daysOfTheWeek: days([.tuesday, .wednesday, .thursday]), setPositions: [3],
                    end: .count(3)),
                "1997-09-04 1997-10-07 1997-11-06"),
            Example(
                "1997-09-29", try Rule(.monthly, daysOfTheWeek: days(workdays), setPositions: [-2]),
                "1997-09-29 1997-10-30 1997-11-27 1997-12-30 1998-01-29 1998-02-26 1998-03-30"),
            Example(
                "2007-01-15", try Rule(.monthly, daysOfTheMonth: [15, 30], end: .count(5)),
                "2007-01-15 2007-01-30 2007-02-15 2007-03-15 2007-03-30"),
        ]
    }

    private static func yearly() throws -> [Example] {
        [
            Example(
                "1997-06-10", try Rule(.yearly, monthsOfTheYear: [6, 7], end: .count(10)),
                "1997-06-10 1997-07-10 1998-06-10 1998-07-10 1999-06-10 1999-07-10 2000-06-10 2000-07-10 2001-06-10 "
                    + "2001-07-10"),
            Example(
                "1997-03-10", try Rule(.yearly, interval: 2, monthsOfTheYear: [1, 2, 3], end: .count(10)),
                "1997-03-10 1999-01-10 1999-02-10 1999-03-10 2001-01-10 2001-02-10 2001-03-10 2003-01-10 2003-02-10 "
                    + "2003-03-10"),
            Example(
                "1997-01-01", try Rule(.yearly, interval: 3, daysOfTheYear: [1, 100, 200], end: .count(10)),
                "1997-01-01 1997-04-10 1997-07-19 2000-01-01 2000-04-09 2000-07-18 2003-01-01 2003-04-10 2003-07-19 "
                    + "2006-01-01"),
            Example(
                "1997-05-19", try Rule(.yearly, daysOfTheWeek: days([.monday], week: 20)),
                "1997-05-19 1998-05-18 1999-05-17"),
            Example(
                "1997-05-12", try Rule(.yearly, daysOfTheWeek: days([.monday]), weeksOfTheYear: [20]),
                "1997-05-12 1998-05-11 1999-05-17"),
            Example(
                "1997-03-13", try Rule(.yearly, daysOfTheWeek: days([.thursday]), monthsOfTheYear: [3]),
                "1997-03-13 1997-03-20 1997-03-27 1998-03-05 1998-03-12 1998-03-19 1998-03-26 1999-03-04"),
            Example(
                "1997-06-05", try Rule(.yearly, daysOfTheWeek: days([.thursday]), monthsOfTheYear: [6, 7, 8]),
                "1997-06-05 1997-06-12 1997-06-19 1997-06-26 1997-07-03 1997-07-10 1997-07-17 1997-07-24 1997-07-31 "
                    + "1997-08-07 1997-08-14 1997-08-21 1997-08-28 1998-06-04"),
            Example(
                "1996-11-05",
                try Rule(
                    .yearly, interval: 4, daysOfTheWeek: days([.tuesday]), daysOfTheMonth: [2, 3, 4, 5, 6, 7, 8],
                    monthsOfTheYear: [11]),
                "1996-11-05 2000-11-07 2004-11-02 2008-11-04"),
        ]
    }

    @Test("The days are those that RFC 5545 lists for its rules")
    func standard() throws {
        for example in try Self.examples() {
            let start = try #require(CivilDate(example.start))
            let expected = example.days.split(separator: " ").map(String.init)
            let hasCount = if case .count = example.rule.end { true } else { false }
            let found = RecurrenceDays(example.rule, start: start).prefix(hasCount ? 1000 : expected.count)
            #expect(found.map(\.description) == expected, "\(example.testDescription)")
        }
    }

    @Test("Each day in January is the same set of days as a daily and as a yearly rule")
    func january() throws {
        let start = try #require(CivilDate("1998-01-01")), end = try #require(CivilDate("2000-01-31"))
        let daily = try Rule(.daily, monthsOfTheYear: [1])
        let yearly = try Rule(.yearly, daysOfTheWeek: Self.days(Weekday.allCases), monthsOfTheYear: [1])
        let days = Array(RecurrenceDays(daily, start: start, through: end))
        #expect(days.count == 93 && days.last == end)
        #expect(Array(RecurrenceDays(yearly, start: start, through: end)) == days)
    }

    @Test("Days of the week with and without a number are alternatives")
    func mixedDays() throws {
        let start = try #require(CivilDate("2026-01-05"))
        let rule = try Rule(.monthly, daysOfTheWeek: [.init(.monday, week: 1), .init(.friday)])
        #expect(
            RecurrenceDays(rule, start: start).prefix(6).map(\.description) == [
                "2026-01-05", "2026-01-09", "2026-01-16", "2026-01-23", "2026-01-30", "2026-02-02",
            ])
    }

    @Test("A week of the year without days recurs on the day of the week of the start")
    func weekWithoutDays() throws {
        let start = try #require(CivilDate("2024-12-31"))
        let rule = try Rule(.yearly, weeksOfTheYear: [1])
        // Week 1 of 2026 begins on 2025-12-29.
        #expect(
            RecurrenceDays(rule, start: start).prefix(4).map(\.description) == [
                "2024-12-31", "2025-12-30", "2027-01-05", "2028-01-04",
            ])
    }

    @Test("A start that does not match the rule is the first occurrence, and counts")
    func otherStart() throws {
        let start = try #require(CivilDate("2026-01-01"))
        let rule = try Rule(.monthly, daysOfTheMonth: [15], end: .count(3))
        #expect(
            RecurrenceDays(rule, start: start).map(\.description) == ["2026-01-01", "2026-01-15", "2026-02-15"])
    }

    @Test("Entering a rule late finds the same days as counting from its start", arguments: [1, 2, 3, 5, 7])
    func late(interval: Int) throws {
        let start = try #require(CivilDate("2023-10-31"))
        for frequency in [Rule.Frequency.daily, .weekly, .monthly, .yearly] {
            for first in [Weekday.sunday, .monday, .thursday] {
                let rule = try Rule(
                    frequency, interval: interval, daysOfTheWeek: Self.days([.tuesday, .sunday]),
                    firstDayOfTheWeek: first)
                let all = Array(RecurrenceDays(rule, start: start, through: CivilDate(clamping: start.days + 6000)))
                for offset in [0, 1, 6, 7, 8, 30, 365, 366, 1461, 5000] {
                    let lower = CivilDate(clamping: start.days + offset)
                    let late = RecurrenceDays(
                        rule, start: start, from: lower, through: CivilDate(clamping: start.days + 6000))
                    #expect(Array(late) == all.filter { $0 >= lower }, "\(rule.text) from \(lower)")
                }
            }
        }
    }

    @Test("A rule out of range or with a combination that RFC 5545 excludes is an error that names the part")
    func invalid() throws {
        func problem(_ make: () throws -> RecurrenceRule) -> String {
            do { return "no error: \(try make().text)" } catch let error as AgendaError
                where error.code == .invalidRecurrence
            {
                return error.description
            } catch { return "another error: \(error)" }
        }
        #expect(problem { try Rule(.daily, interval: 0) }.hasPrefix("The interval of the recurrence is 0"))
        #expect(problem { try Rule(.daily, end: .count(0)) }.contains("after 0 occurrences"))
        #expect(problem { try Rule(.monthly, daysOfTheMonth: [1], setPositions: [0]) }.contains("set position 0"))
        #expect(problem { try Rule(.monthly, setPositions: [1]) }.contains("needs days"))
        #expect(problem { try Rule(.monthly, daysOfTheMonth: [32]) }.contains("day of the month 32"))
        #expect(problem { try Rule(.yearly, monthsOfTheYear: [13]) }.contains("month 13"))
        #expect(problem { try Rule(.yearly, weeksOfTheYear: [-54]) }.contains("week of the year -54"))
        #expect(problem { try Rule(.weekly, daysOfTheWeek: [.init(.monday, week: 1)]) }.contains("with a number"))
        #expect(problem { try Rule(.monthly, daysOfTheWeek: [.init(.monday, week: 6)]) }.contains("at most 5"))
        #expect(problem { try Rule(.monthly, weeksOfTheYear: [1]) }.contains("yearly"))
        #expect(problem { try Rule(.weekly, daysOfTheMonth: [1]) }.contains("days of the month"))
    }

    @Test("A rule survives its property list, and a file with an invalid rule is an error")
    func coding() throws {
        for example in try Self.examples() {
            let list = try PropertyListEncoder().encode([example.rule])
            #expect(try PropertyListDecoder().decode([RecurrenceRule].self, from: list) == [example.rule])
        }
        let damaged = Data(#"{"frequency": "daily", "interval": 0}"#.utf8)
        #expect(throws: AgendaError.self) { try JSONDecoder().decode(RecurrenceRule.self, from: damaged) }
    }

    @Test("The number of a day and its year, month and day agree for every day from 0001 to 9999")
    func civilDates() throws {
        var (year, month, day) = (1, 1, 1)
        var wrong = 0
        for number in CivilDate.first.days...CivilDate.last.days {
            let date = CivilDate(clamping: number)
            if date.components != (year, month, day) { wrong += 1 }
            day += 1
            if day > CivilDate.length(ofMonth: month, year: year) { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
        #expect(wrong == 0 && year == 10_000)
        #expect(CivilDate("2026-11-22")?.weekday == .sunday)
        #expect(CivilDate("2026-02-29") == nil && CivilDate("2024-02-29") != nil && CivilDate("10000-01-01") == nil)
    }
}
