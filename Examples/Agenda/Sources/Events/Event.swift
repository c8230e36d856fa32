import Foundation

/// A calendar of the store.
struct EventCalendar: Codable, Hashable, Sendable, Identifiable {
    let id: String
    var title: String

    init(id: String = UUID().uuidString, title: String) { (self.id, self.title) = (id, title) }
}

/// A reminder of an event.
enum Alarm: Codable, Hashable, Sendable {
    /// The seconds from the start of each occurrence: negative before it.
    case relative(Int)
    /// One instant, whatever the occurrences are.
    case absolute(Date)
}

/// An event, or a series of events with a recurrence rule.
///
/// The times are those of a clock in the time zone of the event, so that a meeting at 9:00 stays at 9:00 when daylight
/// saving time begins, and when the rules of a time zone change after the event was saved.
struct Event: Hashable, Sendable, Identifiable {
    /// The change of one occurrence of a series, which is an event of its own.
    struct Detachment: Codable, Hashable, Sendable {
        /// The identifier of the series.
        let series: String
        /// The start that the occurrence has in the series.
        var originalStart: CivilTime
    }

    var id = UUID().uuidString
    /// The identifier of the calendar. Empty stands for the default calendar when the event is saved.
    var calendar = ""
    var title: String
    var location = ""
    var notes = ""
    var start: CivilTime
    /// The end, which is not part of the event, or the last day of an all-day event.
    var end: CivilTime
    var isAllDay = false
    /// The identifier of the time zone, for instance `Europe/Berlin`. Nil for an event at the same time of the clock
    /// everywhere. All-day events have none.
    var timeZone: String?
    var recurrence: RecurrenceRule?
    /// The starts of the removed occurrences.
    var exceptions: [CivilTime] = []
    var alarms: [Alarm] = []
    /// The series from which the event was detached, or nil.
    private(set) var detachment: Detachment?
    /// The offset from UTC in seconds at the start when the event was saved. It replaces the time zone if the system
    /// does not know the time zone any more.
    var savedOffset: Int?
    /// The time of the last change.
    var modified = Date(timeIntervalSince1970: 0)

    /// Creates a timed event.
    init(_ title: String, from start: CivilTime, to end: CivilTime, timeZone: String?) {
        self.title = title
        (self.start, self.end) = (start, end)
        self.timeZone = timeZone
    }

    /// Creates an all-day event from the first to the last day.
    init(_ title: String, on first: CivilDate, through last: CivilDate? = nil) {
        self.title = title
        (start, end) = (CivilTime(first), CivilTime(last ?? first))
        isAllDay = true
    }

    /// Returns the event as a change of one occurrence of a series, or as a series of its own for nil.
    func detached(_ detachment: Detachment?) -> Event {
        var event = self
        event.id = UUID().uuidString
        event.detachment = detachment
        return event
    }

    /// Moves a detached occurrence to another series.
    func reattached(to series: String, shift: Int) -> Event {
        guard let detachment else { return self }
        var event = self
        event.detachment = Detachment(
            series: series, originalStart: CivilTime(clamping: detachment.originalStart.seconds + shift))
        return event
    }
}

extension Event: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, calendar, title, location, notes, start, end, isAllDay, timeZone, recurrence, exceptions, alarms
        case detachment, savedOffset, modified
    }

    /// Decodes an event. All keys except the title, the start and the end are optional.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        title = try values.decode(String.self, forKey: .title)
        start = try values.decode(CivilTime.self, forKey: .start)
        end = try values.decode(CivilTime.self, forKey: .end)
        id = try values.decodeIfPresent(String.self, forKey: .id) ?? id
        calendar = try values.decodeIfPresent(String.self, forKey: .calendar) ?? calendar
        location = try values.decodeIfPresent(String.self, forKey: .location) ?? location
        notes = try values.decodeIfPresent(String.self, forKey: .notes) ?? notes
        isAllDay = try values.decodeIfPresent(Bool.self, forKey: .isAllDay) ?? isAllDay
        timeZone = try values.decodeIfPresent(String.self, forKey: .timeZone)
        recurrence = try values.decodeIfPresent(RecurrenceRule.self, forKey: .recurrence)
        exceptions = try values.decodeIfPresent([CivilTime].self, forKey: .exceptions) ?? exceptions
        alarms = try values.decodeIfPresent([Alarm].self, forKey: .alarms) ?? alarms
        detachment = try values.decodeIfPresent(Detachment.self, forKey: .detachment)
        savedOffset = try values.decodeIfPresent(Int.self, forKey: .savedOffset)
        modified = try values.decodeIfPresent(Date.self, forKey: .modified) ?? modified
    }
}
