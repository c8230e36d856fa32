import Foundation

/// One occurrence of an event.
struct Occurrence: Hashable, Sendable {
    /// The event, or the series.
    let event: Event
    /// The start in the time zone of the event, which identifies the occurrence in a series.
    let originalStart: CivilTime
    /// The instant of the start. All-day events start at midnight in the time zone of the search.
    let start: Date
    /// The instant of the end, which is not part of the occurrence.
    let end: Date

    /// A copy of the event with the start and the end of the occurrence, to change and to save with a span.
    var draft: Event {
        var draft = event
        draft.end = CivilTime(clamping: event.end.seconds + originalStart.seconds - event.start.seconds)
        draft.start = originalStart
        return draft
    }
}

/// The time zone in which the times of an event are read.
struct EventZone: Sendable {
    let zone: TimeZone
    /// True if the system does not know the time zone of the event, and the offset that was saved with it is used.
    let isFallback: Bool

    /// Creates the zone of an event. `local` is that of events without one.
    init(_ event: Event, local: TimeZone) {
        if event.isAllDay {
            (zone, isFallback) = (local, false)
        } else if let identifier = event.timeZone {
            if let known = TimeZone(identifier: identifier) {
                (zone, isFallback) = (known, false)
            } else {
                (zone, isFallback) = (TimeZone(secondsFromGMT: event.savedOffset ?? 0) ?? .gmt, true)
            }
        } else {
            (zone, isFallback) = (local, false)
        }
    }
}

/// The occurrences of one event that overlap a range, in order, computed one by one.
///
/// An occurrence lasts as many seconds as the first one, also when clocks change in between. Source: RFC 5545, 3.8.5.3.
struct Occurrences: Sequence, IteratorProtocol {
    private let event: Event
    private let zone: TimeZone
    private let range: Range<Date>
    private let omitted: Set<CivilTime>
    private let duration: TimeInterval
    private let until: Date?
    private var days: RecurrenceDays?
    private var single: CivilDate?

    /// Creates the occurrences of an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - local: The time zone of events without a time zone.
    ///   - range: The range that an occurrence overlaps; one without duration starts in it.
    ///   - detached: The starts of the changed occurrences, which are events of their own.
    init(of event: Event, local: TimeZone, in range: Range<Date>, detached: Set<CivilTime> = []) {
        self.event = event
        self.range = range
        zone = EventZone(event, local: local).zone
        omitted = detached.union(event.exceptions)
        duration =
            event.isAllDay ? 0 : Swift.max(0, zone.date(of: event.end).timeIntervalSince(zone.date(of: event.start)))
        guard let rule = event.recurrence else {
            single = event.start.date
            until = nil
            return
        }
        // One day more on both sides, because clocks may have changed.
        let margin = event.end.date.days - event.start.date.days + 1
        let lower = CivilDate(clamping: zone.civilTime(at: range.lowerBound).date.days - margin)
        var upper = CivilDate(clamping: zone.civilTime(at: range.upperBound).date.days + 1)
        if case .until(let last) = rule.end {
            until = zone.date(of: last)
            upper = Swift.min(upper, last.date)
        } else {
            until = nil
        }
        days = RecurrenceDays(rule, start: event.start.date, from: lower, through: upper)
    }

    /// Returns the next occurrence.
    mutating func next() -> Occurrence? {
        while let day = nextDay() {
            let original = CivilTime(day, secondOfDay: event.start.secondOfDay)
            let start = zone.date(of: original)
            guard start < range.upperBound else { return nil }
            if let until, start > until { return nil }
            if omitted.contains(original) { continue }
            let end = end(day, start)
            guard end > range.lowerBound || (end == start && start == range.lowerBound) else { continue }
            return Occurrence(event: event, originalStart: original, start: start, end: end)
        }
        return nil
    }

    private mutating func nextDay() -> CivilDate? {
        defer { single = nil }
        return single ?? days?.next()
    }

    private func end(_ day: CivilDate, _ start: Date) -> Date {
        guard event.isAllDay else { return start.addingTimeInterval(duration) }
        let length = event.end.date.days - event.start.date.days + 1
        return zone.date(of: CivilTime(CivilDate(clamping: day.days + length)))
    }
}
