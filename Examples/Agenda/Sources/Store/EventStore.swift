import AppContainer
import ContainerPreferences
import Foundation

extension Preferences.Keys {
    /// The answer of the user to the question for access.
    static let calendarAccess = Preferences.Key<EventStore.Access>("calendarAccess", default: .notDetermined)
}

/// The calendars and events of the user, in `Agenda.plist` in Application Support.
///
/// Events are user data that only the app displays: they are backed up, never purged, and not visible in the Files app.
/// One property list holds all of them, so that a commit is one save: after a crash the file has all changes of a batch
/// or none. A keyed archive (`ContainerArchives`) suits graphs of objects with references; events are plain values, and
/// any property list tool can read this file.
///
/// Changes are made in memory and become durable with `commit()`, as in EventKit.
final class EventStore {
    /// The access of the app to the calendars.
    enum Access: String, Codable, Sendable { case notDetermined, granted, denied }

    /// The content of the file.
    struct Content: Codable, Hashable, Sendable {
        /// The version of the format.
        var version = 1
        /// The number of commits.
        var revision = 0
        var calendars: [EventCalendar]
        var defaultCalendar: String
        var events: [String: Event] = [:]
    }

    static let file = ContainerPath.applicationSupport / fileName
    private static let fileName = "Agenda.plist"

    let container: Container
    /// The time zone of events without one, and of days.
    let timeZone: TimeZone
    let now: () -> Date
    private let preferences: Preferences
    private var committed: Content
    /// The content with the changes that are not committed.
    var content: Content

    /// Opens the events in a container.
    ///
    /// - Parameters:
    ///   - container: The container.
    ///   - timeZone: The time zone of the user.
    ///   - now: The current time, which is recorded with changes.
    /// - Throws: `newerVersion`, and the errors of loading a value, such as `damaged`. The file is never changed by that.
    init(
        in container: Container, timeZone: TimeZone = .current, now: @escaping () -> Date = { Date() }
    ) throws {
        self.container = container
        self.timeZone = timeZone
        self.now = now
        preferences = try container.preferences()
        committed = try Self.load(container) ?? Self.empty
        content = committed
    }

    private static var empty: Content {
        let calendar = EventCalendar(title: "Calendar")
        return Content(calendars: [calendar], defaultCalendar: calendar.id)
    }

    private static func load(_ container: Container) throws -> Content? {
        let content: Content
        do { content = try container.load(from: file) } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
        guard content.version <= 1 else {
            throw AgendaError(
                .newerVersion,
                "“\(file)” has version \(content.version), which a newer version of this app has saved. "
                    + "The file is unchanged. Update the app.")
        }
        return content
    }

    // MARK: Access

    /// The access, which is remembered in the preferences.
    var access: Access { get throws { try preferences.value(for: .calendarAccess) } }

    /// Asks the user for access, once: the answer is remembered.
    ///
    /// - Parameter question: Shows the question, and returns true if the user agrees.
    /// - Throws: `accessDenied` if the user has declined, now or earlier.
    func requestAccess(_ question: () throws -> Bool) throws {
        if try access == .notDetermined { try setAccess(try question() ? .granted : .denied) }
        try requireAccess()
    }

    /// Changes the access, as the switch in the settings does.
    func setAccess(_ access: Access) throws { try preferences.set(access, for: .calendarAccess) }

    /// Throws an error unless the user has granted access.
    func requireAccess() throws {
        switch try access {
        case .granted: return
        case .denied:
            throw AgendaError(
                .accessDenied,
                "The user has denied access to the calendars. Nothing was read or changed. Ask the user to allow it in "
                    + "the settings: `Agenda CONTAINER access granted`.")
        case .notDetermined:
            throw AgendaError(
                .accessNotDetermined,
                "The user was not asked for access to the calendars. Nothing was read or changed. Call "
                    + "`requestAccess` first.")
        }
    }

    // MARK: Commit

    /// True if there are changes that are not committed.
    var hasChanges: Bool { content != committed }

    /// Saves all changes durably in one step.
    ///
    /// If it fails, the changes stay in memory: call it again, or discard them with `reset()`.
    ///
    /// - Throws: `changedByAnother` if another process has committed since the file was read; the errors of saving.
    func commit() throws {
        try requireAccess()
        guard hasChanges else { return }
        try container.withLock {
            let revision = try Self.load(container)?.revision ?? 0
            guard revision == committed.revision else {
                throw AgendaError(
                    .changedByAnother,
                    "Another process has changed “\(Self.file)”. Nothing was saved. Call `reset()`, which discards the "
                        + "changes made here, and repeat them.")
            }
            var next = content
            next.revision += 1
            do {
                try container.store(next, named: Self.fileName, as: .userData)
            } catch let error as ContainerError where error.code == .durabilityUnknown {
                // The file is the new one. Another commit must not take it for the file of another process.
                (committed, content) = (next, next)
                throw error
            }
            (committed, content) = (next, next)
        }
    }

    /// Discards the changes that are not committed, and reads the file again.
    func reset() throws {
        try requireAccess()
        committed = try Self.load(container) ?? committed
        content = committed
    }
}
