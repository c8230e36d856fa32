import Foundation

/// The occurrences that a change of a series applies to.
enum Span: Sendable {
    /// Only the occurrence.
    case thisEvent
    /// The occurrence and all later ones.
    case futureEvents
}

extension EventStore {
    /// Returns the event with an identifier, or nil.
    func event(_ id: String) throws -> Event? {
        try requireAccess()
        return content.events[id]
    }

    /// Saves a new event, or replaces the event or the whole series with the same identifier.
    ///
    /// A time zone that the system does not know is kept if the event had it before.
    ///
    /// - Returns: The event as it was saved.
    /// - Throws: The errors of `Event.check()`, `unknownCalendar`, and those of `commit()`.
    @discardableResult
    func save(_ event: Event, commit: Bool = true) throws -> Event {
        try requireAccess()
        let event = try prepared(event)
        content.events[event.id] = event
        if commit { try self.commit() }
        return event
    }

    /// Saves changes of an occurrence.
    ///
    /// - Parameters:
    ///   - changed: The event with its changes. Its start and end are those of the occurrence.
    ///   - occurrence: The occurrence, as a search has returned it.
    ///   - span: `thisEvent` detaches the occurrence from the series. `futureEvents` ends the series before it, and
    ///     starts another one; later occurrences that were removed or changed remain so.
    ///   - commit: False to save later with `commit()`.
    /// - Returns: The event that now contains the occurrence.
    /// - Throws: `unknownEvent` if the event was removed, and the errors of saving an event.
    @discardableResult
    func save(
        _ changed: Event, for occurrence: Occurrence, span: Span, commit: Bool = true
    ) throws -> Event {
        try requireAccess()
        let series = try series(of: occurrence)
        guard let rule = series.recurrence else { return try save(changed, commit: commit) }
        let saved: Event
        switch span {
        case .thisEvent:
            var event = changed
            event.recurrence = nil
            event.exceptions = []
            saved = try prepared(
                event.detached(Event.Detachment(series: series.id, originalStart: occurrence.originalStart)))
        case .futureEvents:
            let isWhole = occurrence.originalStart == series.start
            let shift = changed.start.seconds - occurrence.originalStart.seconds
            var event = isWhole ? changed : changed.detached(nil)
            var (past, exceptions): (Event?, [CivilTime]) = (nil, series.exceptions)
            if !isWhole {
                let split = try split(series, rule, before: occurrence.originalStart)
                if changed.recurrence == rule { event.recurrence = try rule.ending(split.end) }
                (past, exceptions) = (split.past, split.exceptions)
            }
            event.exceptions = exceptions.map { CivilTime(clamping: $0.seconds + shift) }
            saved = try prepared(event)
            for case let (detached, detachment?) in content.events.values.map({ ($0, $0.detachment) })
            where detachment.series == series.id && detachment.originalStart >= occurrence.originalStart {
                content.events[detached.id] = detached.reattached(to: saved.id, shift: shift)
            }
            content.events[series.id] = past
        }
        content.events[saved.id] = saved
        if commit { try self.commit() }
        return saved
    }

    /// Removes an occurrence, or it and all later ones.
    func remove(_ occurrence: Occurrence, span: Span, commit: Bool = true) throws {
        try requireAccess()
        var event = try series(of: occurrence)
        let start = occurrence.originalStart
        if let detachment = event.detachment, var series = content.events[detachment.series] {
            // The series must not produce the original occurrence again.
            series.exceptions.append(detachment.originalStart)
            series.modified = now()
            content.events[series.id] = series
            content.events[event.id] = nil
        } else if event.recurrence == nil || (span == .futureEvents && start == event.start) {
            content.events = content.events.filter {
                $0.key != event.id && $0.value.detachment?.series != event.id
            }
        } else if span == .thisEvent {
            event.exceptions.append(start)
            event.modified = now()
            content.events[event.id] = event
        } else if let rule = event.recurrence {
            content.events[event.id] = try split(event, rule, before: start).past
            content.events = content.events.filter {
                $0.value.detachment.map { $0.series == event.id && $0.originalStart >= start } != true
            }
        }
        if commit { try self.commit() }
    }

    private func series(of occurrence: Occurrence) throws -> Event {
        guard let event = content.events[occurrence.event.id] else {
            throw AgendaError(
                .unknownEvent,
                "“\(occurrence.event.title)” was removed. Nothing was changed. Search again.")
        }
        return event
    }

    /// Returns the series that ends before a start, and what belongs to its continuation.
    private func split(
        _ series: Event, _ rule: RecurrenceRule, before start: CivilTime
    ) throws -> (past: Event, end: RecurrenceRule.End?, exceptions: [CivilTime]) {
        var past = series
        past.modified = now()
        past.exceptions = series.exceptions.filter { $0 < start }
        let rest = series.exceptions.filter { $0 >= start }
        guard case .count(let count) = rule.end else {
            let last = CivilTime(clamping: start.seconds - 1)
            past.recurrence = try rule.ending(.until(last))
            return (past, rule.end, rest)
        }
        let before = RecurrenceDays(rule, start: series.start.date, through: start.date)
            .reduce(0) { $1 < start.date ? $0 + 1 : $0 }
        past.recurrence = try rule.ending(.count(before))
        return (past, .count(max(1, count - before)), rest)
    }

    private func prepared(_ event: Event) throws -> Event {
        var event = event
        if event.calendar.isEmpty { event.calendar = content.defaultCalendar }
        _ = try calendar(event.calendar)
        let old = content.events[event.id]
        if let zone = event.timeZone, old?.timeZone == zone, TimeZone(identifier: zone) == nil {
            var known = event
            known.timeZone = nil
            try known.check()
        } else {
            try event.check()
            event.savedOffset = event.timeZone.flatMap(TimeZone.init(identifier:)).map { zone in
                zone.secondsFromGMT(for: zone.date(of: event.start))
            }
        }
        event.modified = now()
        return event
    }
}
