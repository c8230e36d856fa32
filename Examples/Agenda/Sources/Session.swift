import AppContainer
import Foundation

/// A typical session of the app: the user allows access, enters events, moves one, and exports the calendar.
struct Session {
    private let store: EventStore

    init(_ store: EventStore) { self.store = store }

    /// Plays the session, and prints what the app would show.
    func play() throws {
        // The app asks at the first use. Later calls return the remembered answer.
        try store.requestAccess {
            AgendaApp.show("“Agenda” would like to access your calendars. The user taps Allow.")
            return true
        }
        let work = EventCalendar(title: "Work")
        try store.save(work)

        var meeting = Event(
            "Planning", from: try time("2026-03-02T09:00"), to: try time("2026-03-02T10:00"), timeZone: "Europe/Berlin")
        meeting.calendar = work.id
        meeting.recurrence = try RecurrenceRule(.weekly, daysOfTheWeek: [.init(.monday)])
        meeting.alarms = [.relative(-15 * 60)]

        var birthday = Event("Ada’s birthday", on: try time("2026-12-10").date)
        birthday.recurrence = try RecurrenceRule(.yearly)
        birthday.alarms = [.relative(-12 * 3600)]

        var payday = Event("Payday", on: try time("2026-01-30").date)
        // The last working day of the month.
        let workdays: [Weekday] = [.monday, .tuesday, .wednesday, .thursday, .friday]
        payday.recurrence = try RecurrenceRule(
            .monthly, daysOfTheWeek: workdays.map { .init($0) }, setPositions: [-1])

        // A batch: nothing is on disk before the commit, and everything after it.
        for event in [meeting, birthday, payday] { try store.save(event, commit: false) }
        try store.commit()

        // One occurrence moves to the afternoon. The series is unchanged.
        let march = try search("2026-03-01", "2026-04-01")
        if let second = march.filter({ $0.event.title == "Planning" }).dropFirst().first {
            var moved = second.draft
            (moved.start, moved.end) = (try time("2026-03-09T14:00"), try time("2026-03-09T15:00"))
            try store.save(moved, for: second, span: .thisEvent)
        }

        AgendaApp.show("March and April 2026:")
        for occurrence in try search("2026-03-01", "2026-05-01") {
            let start = store.timeZone.civilTime(at: occurrence.start)
            AgendaApp.show(
                "  \(occurrence.event.isAllDay ? start.date.description : start.description)  \(occurrence.event.title)"
            )
        }
        let alarms = try store.alarms(from: date("2026-03-01"), to: date("2026-03-08"))
        for alarm in alarms {
            AgendaApp.show("Alarm at \(store.timeZone.civilTime(at: alarm.date)): \(alarm.occurrence.event.title)")
        }
        AgendaApp.show("Exported to \(try store.export())")
    }

    private func search(_ from: String, _ to: String) throws -> MergedOccurrences {
        try store.occurrences(matching: try store.predicate(from: try date(from), to: try date(to)))
    }

    private func date(_ text: String) throws -> Date { store.timeZone.date(of: try time(text)) }

    private func time(_ text: String) throws -> CivilTime {
        guard let time = CivilTime(text) else { throw AgendaError(.invalidArgument, "“\(text)” is not a time.") }
        return time
    }
}
