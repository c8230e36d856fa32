internal import ContainerArchives
public import AppContainer
internal import FileSystem
internal import Synchronization
internal import SystemPackage

extension Container {
    /// The preferences of the app, or of one of its suites or groups, in this container.
    ///
    /// As long as one is kept, the same is given to all who ask in this process for this name in this container, so
    /// that they share registered defaults and hear of each other's changes. Keep it as long as those are wanted.
    ///
    /// - Parameter suite: A suite's or group's name, as `group.com.example`; nil for the app's own. Any name that a file
    ///   can have, but for one that begins with “.”.
    /// - Returns: The preferences. The file need not be there, and is not made before the first change.
    /// - Throws: `noIdentifier` where the container does not say whose it is, `invalidName` for a name that no file can
    ///   have, that begins with “.”, or that holds a control character.
    public func preferences(suite: String? = nil) throws(PreferencesError) -> Preferences {
        guard let name = suite ?? bundleIdentifier else {
            throw PreferencesError(
                .noIdentifier, Preferences.directory,
                "This container does not say whose it is, and preferences are named by that. "
                    + "Open it with bundleIdentifier:, or name a suite.")
        }
        guard Self.isPreferencesName(name) else {
            throw PreferencesError(
                .invalidName, Preferences.directory,
                "“\(ArchiveFault.shown(name))” cannot name preferences: use a name of at most 249 bytes without “/” and "
                    + "control characters that does not begin with “.”, as group.com.example.")
        }
        let made = Preferences(name: name, container: self)
        // By place as well: a container that was moved and opened again gives URLs of its new place.
        let key = OpenPreferences.Key(file: queueKey(made.path), location: location)
        return OpenPreferences.shared.withLock { $0.keep(made, as: key) }
    }

    /// Returns true if a file beside the app's own preferences can be named `<name>.plist`; what begins with “.” may be
    /// the system's, or an unfinished save.
    private static func isPreferencesName(_ name: String) -> Bool {
        (1...249).contains(name.utf8.count) && name.utf8.first != UInt8(ascii: ".")
            && !name.utf8.contains(UInt8(ascii: "/"))
            && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}

/// The preferences that someone in this process holds.
private struct OpenPreferences {
    struct Key: Hashable {
        let file: PathQueue.Key
        let location: FilePath
    }
    private struct Reference { weak var preferences: Preferences? }

    static let shared = Mutex(OpenPreferences())
    private var known: [Key: Reference] = [:]

    mutating func keep(_ made: Preferences, as key: Key) -> Preferences {
        if let known = known[key]?.preferences { return known }
        known = known.filter { $0.value.preferences != nil }
        known[key] = Reference(preferences: made)
        return made
    }
}
