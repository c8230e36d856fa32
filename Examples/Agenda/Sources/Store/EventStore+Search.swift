import Foundation

/// The conditions of a search. Created by `EventStore.predicate`.
struct EventPredicate: Sendable {
    /// The identifiers of the calendars, or nil for all.
    let calendars: Set<String>?
    let range: Range<Date>

    fileprivate init(_ calendars: Set<String>?, _ range: Range<Date>) {
        (self.calendars, self.range) = (calendars, range)
    }
}

/// An alarm that is due.
struct DueAlarm: Hashable, Sendable {
    let date: Date
    let occurrence: Occurrence
}

extension EventStore {
    /// The longest range of a search: four years, as in EventKit.
    ///
    /// EventKit shortens longer ranges without notice. Here they are an error, so that nothing is missed.
    static let longestRange: TimeInterval = 4 * 366 * 86_400

    /// Returns a predicate for the occurrences that overlap a range.
    ///
    /// - Throws: `rangeTooLong`, `invalidArgument` for a range that ends before it starts, `unknownCalendar`.
    func predicate(from start: Date, to end: Date, calendars: [EventCalendar]? = nil) throws -> EventPredicate {
        guard start <= end else {
            throw AgendaError(.invalidArgument, "The range of the search ends before it starts. Exchange the dates.")
        }
        guard end.timeIntervalSince(start) <= Self.longestRange else {
            throw AgendaError(
                .rangeTooLong,
                "A search covers at most four years, because a recurrence may have no end. Search for parts of the "
                    + "range, or read the first elements of `occurrences(of:)`.")
        }
        let ids = try calendars.map { calendars in Set(try calendars.map { try calendar($0.id).id }) }
        return EventPredicate(ids, start..<end)
    }

    /// Returns the occurrences of all events that match a predicate, ordered by start, computed one by one.
    func occurrences(matching predicate: EventPredicate) throws -> MergedOccurrences {
        try requireAccess()
        let detached = detachedStarts
        return MergedOccurrences(
            content.events.values.filter { predicate.calendars?.contains($0.calendar) != false }.map {
                Occurrences(of: $0, local: timeZone, in: predicate.range, detached: detached[$0.id] ?? [])
            })
    }

    /// Returns the occurrences of an event from its start, without a limit: read as many elements as needed.
    func occurrences(of event: Event) throws -> Occurrences {
        try requireAccess()
        return Occurrences(
            of: event, local: timeZone, in: .distantPast..<Date(timeIntervalSince1970: 1e12),
            detached: detachedStarts[event.id] ?? [])
    }

    /// Returns the alarms in a range, ordered by date. An absolute alarm of a series belongs to its first occurrence.
    func alarms(from start: Date, to end: Date) throws -> [DueAlarm] {
        let range = try predicate(from: start, to: end).range
        try requireAccess()
        let detached = detachedStarts
        var due: [DueAlarm] = []
        for event in content.events.values {
            for case .absolute(let date) in event.alarms where range.contains(date) {
                var occurrences = try occurrences(of: event)
                if let first = occurrences.next() { due.append(DueAlarm(date: date, occurrence: first)) }
            }
            for case .relative(let offset) in event.alarms {
                let offset = TimeInterval(offset)
                // The search includes occurrences that have started before, whose alarm is over.
                let shifted = start.addingTimeInterval(-offset)..<end.addingTimeInterval(-offset)
                for occurrence in Occurrences(
                    of: event, local: timeZone, in: shifted, detached: detached[event.id] ?? [])
                where shifted.contains(occurrence.start) {
                    due.append(DueAlarm(date: occurrence.start.addingTimeInterval(offset), occurrence: occurrence))
                }
            }
        }
        return due.sorted { ($0.date, $0.occurrence.event.id) < ($1.date, $1.occurrence.event.id) }
    }

    /// The events whose time zone the system does not know any more, with the consequences, one sentence for each.
    func problems() throws -> [String] {
        try requireAccess()
        return content.events.values.sorted { $0.id < $1.id }.compactMap { event in
            guard EventZone(event, local: timeZone).isFallback, let zone = event.timeZone else { return nil }
            let offset = event.savedOffset ?? 0
            return
                "The time zone “\(zone)” of “\(event.title)” does not exist on this system. Its occurrences use "
                + "\(UTCOffset(seconds: offset)), the offset at which it was saved. Select another time zone for it, or "
                + "update the system."
        }
    }

    /// The original starts of the changed occurrences of each series.
    private var detachedStarts: [String: Set<CivilTime>] {
        var starts: [String: Set<CivilTime>] = [:]
        for case let detachment? in content.events.values.map(\.detachment) {
            starts[detachment.series, default: []].insert(detachment.originalStart)
        }
        return starts
    }
}

/// The occurrences of several events, ordered by start, then by title and identifier. Only the next occurrence of each
/// event is in memory.
struct MergedOccurrences: Sequence, IteratorProtocol {
    private struct Source {
        var next: Occurrence
        var rest: Occurrences

        /// True if another source comes first.
        func follows(_ other: Source) -> Bool {
            (next.start, next.event.title, next.event.id)
                > (other.next.start, other.next.event.title, other.next.event.id)
        }
    }

    /// The sources in descending order.
    private var sources: [Source] = []

    init(_ events: [Occurrences]) {
        for var occurrences in events {
            if let next = occurrences.next() { sources.append(Source(next: next, rest: occurrences)) }
        }
        sources.sort { $0.follows($1) }
    }

    /// Returns the next occurrence.
    mutating func next() -> Occurrence? {
        guard var source = sources.popLast() else { return nil }
        let result = source.next
        if let next = source.rest.next() {
            source.next = next
            // Binary search for the first source that this one follows.
            var (low, high) = (0, sources.count)
            while low < high {
                let middle = (low + high) / 2
                if source.follows(sources[middle]) { high = middle } else { low = middle + 1 }
            }
            sources.insert(source, at: low)
        }
        return result
    }
}
