import Foundation

extension Event {
    /// The longest event and the largest offset of an alarm: 366 days.
    static let longest = 366 * 86_400

    /// Checks an event before it is saved.
    ///
    /// - Throws: `invalidEvent`, `unknownTimeZone`, `neverOccurs`.
    func check() throws(AgendaError) {
        let name = "“\(title)”"
        guard start <= end else {
            throw AgendaError(
                .invalidEvent,
                "\(name) ends at \(end), before it starts at \(start). It was not saved. Correct one of them.")
        }
        guard end.seconds - start.seconds <= Self.longest else {
            throw AgendaError(
                .invalidEvent, "\(name) lasts more than 366 days. It was not saved. Use a recurrence or several events."
            )
        }
        if isAllDay && (start.secondOfDay != 0 || end.secondOfDay != 0 || timeZone != nil) {
            throw AgendaError(
                .invalidEvent, "\(name) is an all-day event with a time or a time zone. It was not saved. Remove them.")
        }
        if let timeZone, TimeZone(identifier: timeZone) == nil {
            throw AgendaError(
                .unknownTimeZone,
                "The time zone “\(timeZone)” of \(name) does not exist on this system. The event was not saved. "
                    + "Select another time zone.")
        }
        for case .relative(let offset) in alarms where abs(offset) > Self.longest {
            throw AgendaError(
                .invalidEvent, "An alarm of \(name) is more than 366 days from its start. The event was not saved.")
        }
        try checkRecurrence(name)
    }

    private func checkRecurrence(_ name: String) throws(AgendaError) {
        guard let recurrence else { return }
        if detachment != nil {
            throw AgendaError(
                .invalidEvent,
                "\(name) is a changed occurrence and cannot recur. It was not saved. Change the future events instead.")
        }
        if case .until(let last) = recurrence.end, last < start {
            throw AgendaError(
                .invalidRecurrence, "The recurrence of \(name) ends at \(last), before its start. It was not saved.")
        }
        guard RecurrenceDays.recurs(recurrence, start: start.date) else {
            throw AgendaError(
                .neverOccurs,
                "No day matches the recurrence of \(name): \(recurrence.text). It was not saved. Correct the rule, or "
                    + "save the event without it.")
        }
    }
}
