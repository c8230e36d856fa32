import AppContainer
import Foundation
import StoragePolicy
import StoragePolicyTesting
import SystemPackage
import TestSupport
import Testing

@testable import Agenda

@Suite("Export", .timeLimit(.minutes(60))) struct CalendarExportTests {
    /// The agenda of this build, beside the test bundle.
    private var agenda: String { Bundle.main.bundleURL.resolvingSymlinksInPath().appending(path: "Agenda").path }

    private var script: String {
        URL(fileURLWithPath: #filePath).appending(path: "../../../../Tests/agenda-occurrences").standardized.path
    }

    @Test(
        "Occurrences of generated rules equal those that independent readers find in the exported calendar",
        .needs(.externalProgram))
    func occurrences() throws {
        let run = try Command(Command.python(), [script, agenda, "200"])
        // The seed is in the output: pass it as the last argument to repeat the run.
        print(run.text)
        #expect(run.code == 0, "\(run.text)\n\(run.errors)")
        #expect(run.text.hasPrefix("seed "))
        let compared = run.text.firstMatch(of: /(\d+) rules compared with readers/).flatMap { Int($0.1) }
        #expect(compared ?? 0 > 70)
    }

    @Test("The comparison reports an occurrence that the app does not list", .needs(.externalProgram))
    func missingOccurrence() throws {
        try withScratch { folder in
            let program = folder.appending(path: "agenda")
            try Data(
                """
                #!/bin/sh
                if [ "$2" = list ]; then "\(agenda)" "$@" | sed '$d'; else exec "\(agenda)" "$@"; fi

                """.utf8
            ).write(to: program)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
            let run = try Command(Command.python(), [script, program.path, "50", "1"])
            #expect(run.code == 1 && run.errors.contains("missing ['") && run.errors.contains("the test of each day"))
        }
    }

    @Test("Lines have at most 75 bytes and never split a character; text is escaped; the file is a user document")
    func lines() throws {
        try withContainer { container in
            let store = try openStore(container)
            var event = Event("Grüße, Ada; \\ 👩‍👩‍👧‍👦 " + String(repeating: "ü", count: 200), on: try time("2026-12-10").date)
            event.location = "Line one\nLine two\u{7}"
            event.notes = "Seen in “Notes”\r\nBEGIN:VEVENT"
            try store.save(event)
            let path = try store.export(named: "Mine.ics")
            #expect(path == .documents / "Mine.ics")
            let bytes = try container.loadBytes(path)
            let text = try container.loadText(path)
            let lines = text.components(separatedBy: "\r\n")
            #expect(lines.allSatisfy { $0.utf8.count <= 75 && !$0.utf8.contains(10) && !$0.utf8.contains(13) })
            #expect(lines.last == "" && bytes.count > 400)
            let unfolded = text.replacingOccurrences(of: "\r\n ", with: "")
            #expect(unfolded.contains("SUMMARY:Grüße\\, Ada\\; \\\\ 👩‍👩‍👧‍👦 üü"))
            #expect(unfolded.contains("LOCATION:Line one\\nLine two\r\n"))
            #expect(unfolded.contains("DESCRIPTION:Seen in “Notes”\\nBEGIN:VEVENT\r\n"))
            #expect(unfolded.components(separatedBy: "\r\nBEGIN:VEVENT\r\n").count == 2)
            #expect(unfolded.contains("DTSTART;VALUE=DATE:20261210\r\nDTEND;VALUE=DATE:20261211\r\n"))
            expectCompliant(container, failOn: .note)
        }
    }

    @Test(
        "A detached and a removed occurrence, alarms and the time zone are read back by icalendar",
        .needs(.externalProgram))
    func components() throws {
        try withContainer { container in
            let store = try openStore(container)
            var event = Event(
                "Planning", from: try time("2026-03-02T09:00"), to: try time("2026-03-02T10:00"),
                timeZone: "America/New_York")
            event.recurrence = try RecurrenceRule(
                .weekly, firstDayOfTheWeek: .sunday, end: .until(try time("2026-04-30T09:00")))
            event.alarms = [.relative(-900), .absolute(Date(timeIntervalSince1970: 1_772_000_000))]
            let saved = try store.save(event)
            let occurrences = Array(try store.occurrences(of: saved).prefix(3))
            var moved = occurrences[1].draft
            (moved.start, moved.end) = (try time("2026-03-10T11:00"), try time("2026-03-10T12:00"))
            try store.save(moved, for: occurrences[1], span: .thisEvent)
            try store.remove(occurrences[2], span: .thisEvent)
            let path = try container.path(try store.export()).string
            let code = """
                import sys, icalendar, recurring_ical_events, datetime
                calendar = icalendar.Calendar.from_ical(open(sys.argv[1], 'rb').read())
                first = calendar.walk('VEVENT')[0]
                print([str(alarm['TRIGGER'].dt) for alarm in first.walk('VALARM')])
                print(first['RRULE'].to_ical().decode())
                print(sorted(str(event['DTSTART'].dt) for event in
                    recurring_ical_events.of(calendar).between((2026, 3, 1), (2026, 3, 31))))
                """
            let run = try Command(Command.python(), ["-c", code, path])
            #expect(
                run.text == """
                    ['-1 day, 23:45:00', '2026-02-25 06:13:20+00:00']
                    FREQ=WEEKLY;UNTIL=20260430T130000Z;WKST=SU
                    ['2026-03-02 09:00:00-05:00', '2026-03-10 11:00:00-04:00', '2026-03-23 09:00:00-04:00', \
                    '2026-03-30 09:00:00-04:00']

                    """, "\(run.errors)")
        }
    }

    @Test(
        "The session at the terminal leaves a container without findings, and a denial ends later sessions",
        .needs(.process))
    func session() throws {
        try withScratch { folder in
            let container = folder.appending(path: "c")
            let first = try Command(agenda, [container.path])
            #expect(first.code == 0 && first.text.contains("Exported to Documents/Agenda.ics"), "\(first.errors)")
            expectCompliant(at: container, failOn: .note)
            let list = try Command(agenda, [container.path, "list", "2026-03-01", "3026-03-01"])
            #expect(list.code == 1 && list.errors.contains("at most four years"))
            #expect(try Command(agenda, [container.path, "access", "denied"]).code == 0)
            let denied = try Command(agenda, [container.path])
            #expect(denied.code == 1 && denied.errors.contains("access granted"))
            #expect(try Command(agenda, [container.path, "list"]).code == 2)
        }
    }
}
