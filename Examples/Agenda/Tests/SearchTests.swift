import Foundation
import Testing

@testable import Agenda

@Suite("Search", .timeLimit(.minutes(60))) struct SearchTests {
    private func event(
        _ title: String, _ start: String, minutes: Int = 60, zone: String? = "Europe/Berlin",
        _ rule: RecurrenceRule? = nil
    ) throws -> Event {
        let start = try time(start)
        var event = Event(title, from: start, to: CivilTime(clamping: start.seconds + minutes * 60), timeZone: zone)
        event.recurrence = rule
        return event
    }

    private func starts(_ event: Event, _ count: Int, local: String = "UTC") throws -> [String] {
        let zone = try #require(TimeZone(identifier: local))
        let far = Date(timeIntervalSince1970: 1e12)
        return Occurrences(of: event, local: zone, in: .distantPast..<far).prefix(count).map(\.start.property)
    }

    @Test("An event at 9:00 stays at 9:00 when clocks change")
    func clockTime() throws {
        let event = try event("A", "2026-03-28T09:00", try RecurrenceRule(.daily))
        #expect(try starts(event, 2) == ["20260328T080000Z", "20260329T070000Z"])
    }

    @Test("A time that clocks skip moves forward on that day only, and a time shown twice is the first one")
    func gapAndOverlap() throws {
        let gap = try event("A", "2026-03-28T02:30", try RecurrenceRule(.daily))
        #expect(try starts(gap, 3) == ["20260328T013000Z", "20260329T013000Z", "20260330T003000Z"])
        let overlap = try event("A", "2026-10-24T02:30", try RecurrenceRule(.daily))
        #expect(try starts(overlap, 3) == ["20261024T003000Z", "20261025T003000Z", "20261026T013000Z"])
        // Clocks change at midnight.
        let midnight = try event("A", "2026-09-05T00:00", zone: "America/Santiago", try RecurrenceRule(.daily))
        #expect(try starts(midnight, 3) == ["20260905T040000Z", "20260906T040000Z", "20260907T030000Z"])
    }

    @Test("An occurrence lasts as long as the first one, also when clocks change during it")
    func duration() throws {
        let event = try event("Night", "2026-03-27T22:00", minutes: 480, try RecurrenceRule(.daily))
        let zone = try #require(TimeZone(identifier: "UTC"))
        let found = Array(
            Occurrences(of: event, local: zone, in: .distantPast..<Date(timeIntervalSince1970: 1e12)).prefix(3))
        #expect(found.map { $0.end.timeIntervalSince($0.start) } == [28_800, 28_800, 28_800])
    }

    @Test("All-day events and events without a time zone follow the clock of the user")
    func local() throws {
        var day = Event("Day", on: try time("2026-07-01").date, through: try time("2026-07-02").date)
        day.recurrence = try RecurrenceRule(.yearly)
        #expect(try starts(day, 2, local: "Europe/Berlin") == ["20260630T220000Z", "20270630T220000Z"])
        #expect(try starts(day, 1, local: "Asia/Tokyo") == ["20260630T150000Z"])
        #expect(
            try starts(try event("A", "2026-07-01T08:00", zone: nil), 1, local: "Asia/Tokyo") == ["20260630T230000Z"])
    }

    @Test("A search finds occurrences that overlap the range, in order, in the selected calendars")
    func overlap() throws {
        try withContainer { container in
            let store = try openStore(container)
            let work = EventCalendar(title: "Work")
            try store.save(work)
            var weekly = try event("Weekly", "2026-03-02T23:30", try RecurrenceRule(.weekly))
            weekly.calendar = work.id
            try store.save(weekly, commit: false)
            try store.save(try event("Late", "2026-03-09T12:00"), commit: false)
            try store.save(try event("Early", "2026-03-09T12:00", minutes: 0), commit: false)
            try store.commit()
            #expect(
                try store.list("2026-03-03T00:00", "2026-03-10T00:00") == [
                    "2026-03-02T23:30:00 Weekly", "2026-03-09T12:00:00 Early", "2026-03-09T12:00:00 Late",
                    "2026-03-09T23:30:00 Weekly",
                ])
            #expect(try store.list("2026-03-03T00:30", "2026-03-09T12:00").isEmpty)
            let range = (
                store.timeZone.date(of: try time("2026-03-01")), store.timeZone.date(of: try time("2026-04-01"))
            )
            let found = try store.occurrences(
                matching: try store.predicate(from: range.0, to: range.1, calendars: [work]))
            #expect(found.map(\.event.title) == Array(repeating: "Weekly", count: 5))
        }
    }

    @Test("A search over a thousand years is an error that names the alternatives; the first occurrences need no range")
    func thousandYears() throws {
        try withContainer { container in
            let store = try openStore(container)
            let saved = try store.save(try event("Endless", "2026-01-01T09:00", try RecurrenceRule(.daily)))
            let error = #expect(throws: AgendaError.self) { try store.list("2026-01-01", "3026-01-01") }
            #expect(error?.code == .rangeTooLong && error?.description.contains("occurrences(of:)") == true)
            #expect(try store.list("2026-01-01", "2030-01-01").count == 1461)
            let firsts = try store.occurrences(of: saved).prefix(3)
            #expect(Array(firsts).count == 3)
            let back = #expect(throws: AgendaError.self) { try store.list("2026-01-02", "2026-01-01") }
            #expect(back?.code == .invalidArgument)
        }
    }

    @Test("Rules without end are searched in the year 2200 as fast as in 2000")
    func farFuture() throws {
        try withContainer { container in
            let store = try openStore(container)
            let workdays: [Weekday] = [.monday, .tuesday, .wednesday, .thursday, .friday]
            let rules = [
                try RecurrenceRule(.daily), try RecurrenceRule(.weekly, interval: 2),
                try RecurrenceRule(.monthly, daysOfTheWeek: workdays.map { .init($0) }, setPositions: [-1]),
                try RecurrenceRule(.yearly, daysOfTheMonth: [29], monthsOfTheYear: [2]),
                try RecurrenceRule(.daily, end: .count(100_000)),
            ]
            // A count has to be counted from the start.
            let counted = EventCalendar(title: "Counted")
            try store.save(counted)
            for (number, rule) in rules.enumerated() {
                var event = try event("\(number)", "2000-02-29T09:00", rule)
                if rule.end != nil { event.calendar = counted.id }
                try store.save(event, commit: false)
            }
            let found = try store.list("2204-01-01", "2205-01-01")
            // 2204 is a leap year. It has 366 days, every second Tuesday, 12 last workdays and a February 29.
            let counts = (0..<rules.count).map { number in found.filter { $0.hasSuffix(" \(number)") }.count }
            #expect(counts == [366, 26, 12, 1, 366])

            // The shortest of several times, because other tests run at the same time.
            try store.remove(try store.calendars[1])
            var (early, late) = (Duration.seconds(100), Duration.seconds(100))
            for _ in 1...5 {
                early = min(early, try ContinuousClock().measure { _ = try store.list("2004-01-01", "2005-01-01") })
                late = min(late, try ContinuousClock().measure { _ = try store.list("2204-01-01", "2205-01-01") })
            }
            #expect(late < early * 5, "\(late) in 2204, \(early) in 2004")
        }
    }

    @Test("The years 1 and 9999 are the limits: nothing overflows")
    func limits() throws {
        let last = try event("Last", "9999-12-30T23:30", zone: "Pacific/Kiritimati", try RecurrenceRule(.daily))
        #expect(try starts(last, 10) == ["99991230T093000Z", "99991231T093000Z"])
        let first = try event("First", "0001-01-01T00:00", zone: "America/New_York", try RecurrenceRule(.yearly))
        #expect(try starts(first, 10).count == 10)
        let sparse = try event("Sparse", "9990-01-01T00:00", try RecurrenceRule(.yearly, interval: 100_000))
        #expect(try starts(sparse, 10) == ["99891231T230000Z"])
    }

    @Test("Alarms are due before each occurrence, and once at a date, in order")
    func alarms() throws {
        try withContainer { container in
            let store = try openStore(container)
            var weekly = try event("Weekly", "2026-03-02T09:00", try RecurrenceRule(.weekly))
            let date = store.timeZone.date(of: try time("2026-03-10T18:00"))
            weekly.alarms = [.relative(-900), .relative(3600), .absolute(date)]
            weekly.exceptions = [try time("2026-03-16T09:00")]
            try store.save(weekly, commit: false)
            var birthday = Event("Birthday", on: try time("2026-03-12").date)
            birthday.alarms = [.relative(-12 * 3600)]
            try store.save(birthday)
            let zone = store.timeZone
            let due = try store.alarms(
                from: zone.date(of: try time("2026-03-09")), to: zone.date(of: try time("2026-03-24")))
            #expect(
                due.map { "\(zone.civilTime(at: $0.date)) \($0.occurrence.event.title)" } == [
                    "2026-03-09T08:45:00 Weekly", "2026-03-09T10:00:00 Weekly", "2026-03-10T18:00:00 Weekly",
                    "2026-03-11T12:00:00 Birthday", "2026-03-23T08:45:00 Weekly", "2026-03-23T10:00:00 Weekly",
                ])
        }
    }
}
