import AppContainer
import Foundation

extension EventStore {
    /// Saves calendars as an iCalendar file in Documents, where the user finds it.
    ///
    /// The file is a document of the user: it is backed up and shown in the Files app. Source: RFC 5545.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - calendars: The calendars, or nil for all.
    /// - Returns: The path of the file.
    /// - Throws: `unknownCalendar`, and the errors of saving a file.
    @discardableResult
    func export(named name: String = "Agenda.ics", calendars: [EventCalendar]? = nil) throws -> ContainerPath {
        try requireAccess()
        let ids = try calendars.map { calendars in Set(try calendars.map { try calendar($0.id).id }) }
        let events = content.events.values.filter { ids?.contains($0.calendar) != false }
            .sorted { ($0.start, $0.id) < ($1.start, $1.id) }
        return try container.store(iCalendar(of: events), named: name, as: .userDocument)
    }

    /// Returns events as the text of an iCalendar file.
    func iCalendar(of events: [Event]) -> String {
        var lines = ContentLines()
        lines.add(component: "VCALENDAR") { lines in
            lines.add("VERSION", [], "2.0")
            lines.add("PRODID", [], "-//example.com//Agenda//EN")
            lines.add("CALSCALE", [], "GREGORIAN")
            for component in timeZones(of: events) { component.write(to: &lines) }
            for event in events { event.write(to: &lines, detachedFrom: series(of: event)) }
        }
        return lines.text
    }

    private func series(of event: Event) -> Event? { event.detachment.flatMap { content.events[$0.series] } }

    /// Returns the definitions of the time zones that the events use.
    private func timeZones(of events: [Event]) -> [TimeZoneComponent] {
        // A detached occurrence also states its original start in the time zone of its series.
        let zoned = (events + events.compactMap(series)).filter {
            !$0.isAllDay && $0.timeZone != nil && !$0.isInUTC
        }
        let groups: [String: [Event]] = Dictionary(grouping: zoned) { $0.timeZone ?? "" }
        return groups.sorted { $0.key < $1.key }.map { (identifier: String, events: [Event]) -> TimeZoneComponent in
            let zone = EventZone(events[0], local: timeZone).zone
            let starts = events.map { zone.date(of: $0.start) }
            var end: Date? = events.map { zone.date(of: $0.end) }.max()
            for rule in events.compactMap(\.recurrence) {
                if case .until(let last) = rule.end {
                    end = end.map { max($0, zone.date(of: last)) }
                } else {
                    end = nil
                }
            }
            return TimeZoneComponent(
                identifier, zone, from: starts.min() ?? Date(timeIntervalSince1970: 0), through: end)
        }
    }
}

extension Event {
    /// True if the times are in UTC, which needs no definition of a time zone.
    var isInUTC: Bool { timeZone.map { ["UTC", "Etc/UTC", "GMT", "Etc/GMT"].contains($0) } ?? false }

    /// Adds the event to a file. A detached occurrence has the identifier of its series.
    fileprivate func write(to lines: inout ContentLines, detachedFrom series: Event?) {
        let zone = EventZone(self, local: .gmt).zone
        lines.add(component: "VEVENT") { lines in
            lines.add("UID", [], series?.id ?? id)
            lines.add("DTSTAMP", [], modified.property)
            lines.add("SUMMARY", [], ContentLines.escaped(title))
            if !location.isEmpty { lines.add("LOCATION", [], ContentLines.escaped(location)) }
            if !notes.isEmpty { lines.add("DESCRIPTION", [], ContentLines.escaped(notes)) }
            lines.add("DTSTART", parameters, text(of: start))
            let end = isAllDay ? CivilTime(CivilDate(clamping: self.end.date.days + 1)) : self.end
            if end > start { lines.add("DTEND", parameters, text(of: end)) }
            if let recurrence {
                lines.add("RRULE", [], recurrence.text(in: timeZone == nil ? nil : zone, isAllDay: isAllDay))
            }
            if let series, let original = detachment?.originalStart {
                lines.add("RECURRENCE-ID", series.parameters, series.text(of: original))
            }
            for exception in exceptions { lines.add("EXDATE", parameters, text(of: exception)) }
            for alarm in alarms { alarm.write(to: &lines, title) }
        }
    }

    private var parameters: [(String, String)] {
        if isAllDay { return [("VALUE", "DATE")] }
        return timeZone.flatMap { isInUTC ? nil : [("TZID", $0)] } ?? []
    }

    private func text(of time: CivilTime) -> String {
        isAllDay ? time.date.property : time.property + (isInUTC ? "Z" : "")
    }
}

extension Alarm {
    fileprivate func write(to lines: inout ContentLines, _ title: String) {
        lines.add(component: "VALARM") { lines in
            lines.add("ACTION", [], "DISPLAY")
            lines.add("DESCRIPTION", [], ContentLines.escaped(title.isEmpty ? "Reminder" : title))
            switch self {
            case .relative(let offset):
                let size = abs(offset)
                let fields = [(size / 3600, "H"), (size / 60 % 60, "M"), (size % 60, "S")].filter { $0.0 > 0 }
                let text = fields.isEmpty ? "0S" : fields.map { "\($0)\($1)" }.joined()
                lines.add("TRIGGER", [], "\(offset < 0 ? "-" : "")PT\(text)")
            case .absolute(let date):
                lines.add("TRIGGER", [("VALUE", "DATE-TIME")], date.property)
            }
        }
    }
}
