import AppContainer
import ContainerPreferences
import Foundation
import StoragePolicy
import StoragePolicyTesting
import SystemPackage
import TestSupport
import Testing

@testable import Agenda

/// Creates a container, passes it to the body, and removes it.
func withContainer(_ body: (Container) throws -> Void) throws {
    try withScratch { folder in
        try body(
            Container.create(at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.Agenda"))
    }
}

/// Opens the store of a container in a time zone, with access.
func openStore(_ container: Container, _ zone: String = "Europe/Berlin") throws -> EventStore {
    let store = try EventStore(
        in: container, timeZone: try #require(TimeZone(identifier: zone)),
        now: { Date(timeIntervalSince1970: 1_790_000_000) })
    try store.requestAccess { true }
    return store
}

/// Returns a time from its text.
func time(_ text: String) throws -> CivilTime { try #require(CivilTime(text)) }

extension EventStore {
    /// Returns the local starts and titles of the occurrences in a range of local times.
    func list(_ from: String, _ to: String) throws -> [String] {
        let range = (timeZone.date(of: try time(from)), timeZone.date(of: try time(to)))
        return try occurrences(matching: try predicate(from: range.0, to: range.1)).map {
            "\(timeZone.civilTime(at: $0.start)) \($0.event.title)"
        }
    }

    /// Returns the occurrence that starts at a local time.
    func occurrence(at start: String) throws -> Occurrence {
        let start = timeZone.date(of: try time(start))
        let found = try occurrences(matching: try predicate(from: start, to: start.addingTimeInterval(1)))
        return try #require(found.first { $0.start == start })
    }
}

@Suite("EventStore", .timeLimit(.minutes(60))) struct EventStoreTests {
    private func standup() throws -> Event {
        var event = Event(
            "Standup", from: try time("2026-03-02T09:00"), to: try time("2026-03-02T09:15"), timeZone: "Europe/Berlin")
        event.recurrence = try RecurrenceRule(.weekly, end: .count(6))
        return event
    }

    @Test("The user is asked once: a denial is remembered after a restart, and is an error that says what to do")
    func access() throws {
        try withContainer { container in
            let store = try EventStore(in: container)
            #expect(throws: AgendaError.self) { try store.calendars }
            var questions = 0
            for _ in 1...2 {
                let error = #expect(throws: AgendaError.self) {
                    try EventStore(in: container).requestAccess {
                        questions += 1
                        return false
                    }
                }
                #expect(error?.code == .accessDenied && error?.description.contains("access granted") == true)
            }
            #expect(questions == 1)
            #expect(throws: AgendaError.self) { try store.save(try standup()) }
            #expect(try !container.exists(EventStore.file))

            try store.setAccess(.granted)
            try EventStore(in: container).requestAccess {
                questions += 1
                return false
            }
            #expect(questions == 1)
        }
    }

    @Test("Calendars are created, renamed and removed with their events; the default calendar is protected")
    func calendars() throws {
        try withContainer { container in
            let store = try openStore(container)
            #expect(try store.calendars.map(\.title) == ["Calendar"])
            var work = EventCalendar(title: "Work")
            try store.save(work)
            var event = try standup()
            event.calendar = work.id
            try store.save(event)
            let home = try store.save(Event("Cinema", on: try time("2026-03-03").date))
            #expect(try home.calendar == store.defaultCalendar.id)
            work.title = "Office"
            try store.save(work)

            let again = try openStore(container)
            #expect(try again.calendars.map(\.title) == ["Calendar", "Office"])
            try again.setDefaultCalendar(work)
            #expect(throws: AgendaError.self) { try again.remove(work) }
            try again.setDefaultCalendar(try again.calendars[0])
            try again.remove(work)
            #expect(try again.list("2026-03-01", "2026-05-01") == ["2026-03-03T00:00:00 Cinema"])
            let day = again.timeZone.date(of: try time("2026-03-03"))
            let error = #expect(throws: AgendaError.self) {
                try again.predicate(from: day, to: day, calendars: [work])
            }
            #expect(error?.code == .unknownCalendar)
        }
    }

    @Test("A batch is in memory until its commit, which saves all of it at once")
    func batch() throws {
        try withContainer { container in
            let store = try openStore(container)
            try store.save(try standup(), commit: false)
            try store.save(Event("Cinema", on: try time("2026-03-03").date), commit: false)
            #expect(try store.list("2026-03-02", "2026-03-04").count == 2)
            #expect(try openStore(container).list("2026-03-02", "2026-03-04").isEmpty)
            try store.commit()
            #expect(!store.hasChanges)
            #expect(try openStore(container).list("2026-03-02", "2026-03-04").count == 2)

            try store.save(Event("Mistake", on: try time("2026-03-03").date), commit: false)
            try store.reset()
            #expect(try store.list("2026-03-03", "2026-03-04") == ["2026-03-03T00:00:00 Cinema"])
            expectCompliant(container, failOn: .note)
        }
    }

    @Test("A commit that cannot be saved leaves the old file and keeps the changes in memory")
    func failedCommit() throws {
        try withContainer { container in
            let store = try openStore(container)
            try store.save(try standup())
            let old = try container.load(EventStore.file)
            try store.save(Event("Cinema", on: try time("2026-03-03").date), commit: false)
            // A directory in place of the file.
            try container.move(EventStore.file, to: .documents / "saved.plist")
            try container.createDirectory(EventStore.file)
            #expect(throws: ContainerError.self) { try store.commit() }
            #expect(store.hasChanges)
            try container.remove(EventStore.file)
            try container.move(.documents / "saved.plist", to: EventStore.file)
            #expect(try container.load(EventStore.file) == old)
            try store.commit()
            #expect(try openStore(container).list("2026-03-02", "2026-03-04").count == 2)
        }
    }

    @Test("A commit over the changes of another process is refused, and nothing is lost")
    func twoProcesses() throws {
        try withContainer { container in
            let (first, second) = (try openStore(container), try openStore(container))
            try first.save(try standup())
            let error = #expect(throws: AgendaError.self) {
                try second.save(Event("Cinema", on: try time("2026-03-03").date))
            }
            #expect(error?.code == .changedByAnother)
            try second.reset()
            try second.save(Event("Cinema", on: try time("2026-03-03").date))
            #expect(try openStore(container).list("2026-03-02", "2026-03-04").count == 2)
        }
    }

    @Test("Changing one occurrence detaches it, and the others keep their times")
    func thisEvent() throws {
        try withContainer { container in
            let store = try openStore(container)
            try store.save(try standup())
            let second = try store.occurrence(at: "2026-03-09T09:00")
            var changed = second.draft
            (changed.title, changed.start, changed.end) = (
                "Late standup", try time("2026-03-10T11:00"), try time("2026-03-10T11:15")
            )
            try store.save(changed, for: second, span: .thisEvent)
            try store.remove(try store.occurrence(at: "2026-03-16T09:00"), span: .thisEvent)
            let expected = [
                "2026-03-02T09:00:00 Standup", "2026-03-10T11:00:00 Late standup", "2026-03-23T09:00:00 Standup",
                "2026-03-30T09:00:00 Standup", "2026-04-06T09:00:00 Standup",
            ]
            #expect(try store.list("2026-03-01", "2026-06-01") == expected)
            #expect(try openStore(container).list("2026-03-01", "2026-06-01") == expected)
            // Removing the detached occurrence does not bring the original one back.
            try store.remove(try store.occurrence(at: "2026-03-10T11:00"), span: .thisEvent)
            #expect(try store.list("2026-03-01", "2026-06-01") == expected.filter { !$0.contains("Late") })
        }
    }

    @Test("Changing future occurrences ends the series and starts another one with the rest of the count")
    func futureEvents() throws {
        try withContainer { container in
            let store = try openStore(container)
            try store.save(try standup())
            try store.remove(try store.occurrence(at: "2026-03-30T09:00"), span: .thisEvent)
            let late = try store.occurrence(at: "2026-04-06T09:00")
            var guest = late.draft
            guest.title = "Standup with guest"
            try store.save(guest, for: late, span: .thisEvent)

            let third = try store.occurrence(at: "2026-03-16T09:00")
            var changed = third.draft
            (changed.start, changed.end) = (try time("2026-03-16T10:00"), try time("2026-03-16T10:15"))
            try store.save(changed, for: third, span: .futureEvents)
            let expected = [
                "2026-03-02T09:00:00 Standup", "2026-03-09T09:00:00 Standup", "2026-03-16T10:00:00 Standup",
                "2026-03-23T10:00:00 Standup", "2026-04-06T09:00:00 Standup with guest",
            ]
            #expect(try store.list("2026-03-01", "2026-06-01") == expected)
            try store.remove(try store.occurrence(at: "2026-03-23T10:00"), span: .futureEvents)
            #expect(try openStore(container).list("2026-03-01", "2026-06-01") == Array(expected.prefix(3)))
            try store.remove(try store.occurrence(at: "2026-03-02T09:00"), span: .futureEvents)
            #expect(try openStore(container).list("2026-03-01", "2026-06-01") == Array(expected[2...2]))
        }
    }

    @Test(
        "Changing the future occurrences from the first one moves the series with its removed and changed occurrences")
    func allEvents() throws {
        try withContainer { container in
            let store = try openStore(container)
            try store.save(try standup())
            try store.remove(try store.occurrence(at: "2026-03-09T09:00"), span: .thisEvent)
            let third = try store.occurrence(at: "2026-03-16T09:00")
            var guest = third.draft
            guest.title = "Standup with guest"
            try store.save(guest, for: third, span: .thisEvent)
            let first = try store.occurrence(at: "2026-03-02T09:00")
            var changed = first.draft
            (changed.start, changed.end) = (try time("2026-03-03T09:00"), try time("2026-03-03T09:15"))
            try store.save(changed, for: first, span: .futureEvents)
            #expect(
                try openStore(container).list("2026-03-01", "2026-04-01") == [
                    "2026-03-03T09:00:00 Standup", "2026-03-16T09:00:00 Standup with guest",
                    "2026-03-24T09:00:00 Standup", "2026-03-31T09:00:00 Standup",
                ])
        }
    }

    @Test("An invalid event is not saved, and the error says what to correct")
    func invalid() throws {
        try withContainer { container in
            let store = try openStore(container)
            func code(_ event: Event) -> AgendaError.Code? {
                do { try store.save(event) } catch { return (error as? AgendaError)?.code }
                return nil
            }
            var event = try standup()
            event.end = try time("2026-03-02T08:59")
            #expect(code(event) == .invalidEvent)
            event = try standup()
            event.timeZone = "Europe/Atlantis"
            #expect(code(event) == .unknownTimeZone)
            event = try standup()
            event.recurrence = try RecurrenceRule(.yearly, daysOfTheMonth: [30], monthsOfTheYear: [2])
            #expect(code(event) == .neverOccurs)
            // February 29 every four years from an odd year.
            event.start = try time("2025-02-28T09:00")
            event.end = try time("2025-02-28T10:00")
            event.recurrence = try RecurrenceRule(.yearly, interval: 4, daysOfTheMonth: [29], monthsOfTheYear: [2])
            #expect(code(event) == .neverOccurs)
            event = try standup()
            event.recurrence = try RecurrenceRule(.daily, end: .until(try time("2026-03-01")))
            #expect(code(event) == .invalidRecurrence)
            event = try standup()
            event.calendar = "missing"
            #expect(code(event) == .unknownCalendar)
            #expect(try !container.exists(EventStore.file))
        }
    }

    @Test("An event whose time zone no longer exists is kept, reported, and occurs at the offset it was saved with")
    func lostTimeZone() throws {
        try withContainer { container in
            let store = try openStore(container)
            try store.save(try standup())
            // The file of a system that knew the zone.
            var content = try container.load(EventStore.Content.self, from: EventStore.file)
            var event = try #require(content.events.values.first)
            event.timeZone = "Europe/Atlantis"
            content.events[event.id] = event
            try container.save(content, to: EventStore.file)

            let later = try openStore(container)
            let problems = try later.problems()
            #expect(problems.count == 1 && problems[0].contains("Europe/Atlantis") && problems[0].contains("+01:00"))
            // The first four occurrences have the offset; afterwards Berlin has summer time, and the lost zone has not.
            #expect(try later.list("2026-03-01", "2026-03-10").first == "2026-03-02T09:00:00 Standup")
            #expect(try later.list("2026-04-01", "2026-05-01").first == "2026-04-06T10:00:00 Standup")
            event.title = "Renamed"
            #expect(try later.save(event).timeZone == "Europe/Atlantis")
            #expect(later.iCalendar(of: [event]).contains("DTSTART;TZID=Europe/Atlantis:20260302T090000"))
            event.timeZone = "Europe/Berlin"
            try later.save(event)
            #expect(try later.problems().isEmpty)
        }
    }

    @Test("A file of a newer version, or a damaged one, is an error, and is not overwritten")
    func unreadable() throws {
        try withContainer { container in
            let store = try openStore(container)
            try store.save(try standup())
            var content = try container.load(EventStore.Content.self, from: EventStore.file)
            content.version = 2
            try container.save(content, to: EventStore.file)
            let error = #expect(throws: AgendaError.self) { try EventStore(in: container) }
            #expect(error?.code == .newerVersion)
            #expect(throws: AgendaError.self) { try store.save(try standup()) }
            #expect(try container.load(EventStore.Content.self, from: EventStore.file) == content)

            try container.save("not a property list", to: EventStore.file)
            let damaged = #expect(throws: ContainerError.self) { try EventStore(in: container) }
            #expect(damaged?.code == .damaged)
        }
    }
}
