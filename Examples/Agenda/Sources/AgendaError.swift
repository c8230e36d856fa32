/// An error of the agenda: what is wrong, the state of the store, and what to do.
struct AgendaError: Error, Hashable, CustomStringConvertible {
    /// The kind of an error.
    enum Code: String, Sendable, Hashable {
        case accessDenied, accessNotDetermined
        case invalidEvent, invalidRecurrence, neverOccurs, unknownTimeZone
        case unknownEvent, unknownCalendar, calendarInUse
        case rangeTooLong, changedByAnother, newerVersion, invalidArgument
    }

    /// The kind of the error.
    let code: Code
    /// The failure, and what to do.
    let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
