extension EventStore {
    /// The calendars, in the order in which they were created.
    var calendars: [EventCalendar] {
        get throws {
            try requireAccess()
            return content.calendars
        }
    }

    /// The calendar for new events.
    var defaultCalendar: EventCalendar {
        get throws {
            try requireAccess()
            return try calendar(content.defaultCalendar)
        }
    }

    /// Returns a calendar.
    ///
    /// - Throws: `unknownCalendar`.
    func calendar(_ id: String) throws -> EventCalendar {
        guard let calendar = content.calendars.first(where: { $0.id == id }) else {
            throw AgendaError(
                .unknownCalendar, "There is no calendar “\(id)”. Nothing was changed. Select one of `calendars`.")
        }
        return calendar
    }

    /// Makes a calendar the one for new events.
    func setDefaultCalendar(_ calendar: EventCalendar, commit: Bool = true) throws {
        try requireAccess()
        content.defaultCalendar = try self.calendar(calendar.id).id
        if commit { try self.commit() }
    }

    /// Creates a calendar, or changes the title of the calendar with the same identifier.
    func save(_ calendar: EventCalendar, commit: Bool = true) throws {
        try requireAccess()
        if let index = content.calendars.firstIndex(where: { $0.id == calendar.id }) {
            content.calendars[index] = calendar
        } else {
            content.calendars.append(calendar)
        }
        if commit { try self.commit() }
    }

    /// Removes a calendar with its events.
    ///
    /// - Throws: `calendarInUse` for the default calendar, `unknownCalendar`.
    func remove(_ calendar: EventCalendar, commit: Bool = true) throws {
        try requireAccess()
        let calendar = try self.calendar(calendar.id)
        guard calendar.id != content.defaultCalendar else {
            throw AgendaError(
                .calendarInUse,
                "“\(calendar.title)” is the default calendar. Nothing was removed. Set another default calendar first.")
        }
        content.calendars.removeAll { $0.id == calendar.id }
        content.events = content.events.filter { $0.value.calendar != calendar.id }
        if commit { try self.commit() }
    }
}
