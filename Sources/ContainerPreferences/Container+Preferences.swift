internal import ContainerArchives
public import AppContainer
internal import FileSystem
internal import SystemPackage

extension Container {
    /// Returns the preferences of the app, or of a suite or group, in this container.
    ///
    /// While a reference exists, all calls in this process for this name and container return the same object, so that
    /// registered defaults and change notifications are shared. Keep a reference for as long as you need them.
    ///
    /// - Parameter suite: The name of a suite or group, such as `group.com.example`. Nil for the app. Any valid file
    ///   name that does not begin with “.”.
    /// - Returns: The preferences. The file need not exist and is created by the first change.
    /// - Throws: `noIdentifier` if the container has no identifier, `invalidName` for a name that is not a valid file
    ///   name, begins with “.”, or contains a control character.
    public func preferences(suite: String? = nil) throws(PreferencesError) -> Preferences {
        guard let name = suite ?? bundleIdentifier else {
            throw PreferencesError(
                .noIdentifier, Preferences.directory,
                "The identifier of this container, which is the name of its preferences, is unknown. "
                    + "Pass bundleIdentifier: when you open it, or pass the name of a suite.")
        }
        guard Self.isPreferencesName(name) else {
            throw PreferencesError(
                .invalidName, Preferences.directory,
                "“\(ArchiveFault.shown(name))” is not a valid name for preferences: use at most 249 bytes without “/” and "
                    + "control characters, and do not begin with “.”, as in group.com.example.")
        }
        let made = Preferences(name: name, container: self)
        // The path is a part of the key: a container that was moved and opened again returns URLs with its new path.
        let key = OpenPreferences.Key(file: directoryLockKey(made.path), location: location)
        return OpenPreferences.shared.withLock { $0.store(made, as: key) }
    }

    /// Returns true if `<name>.plist` is a valid file name. Names that begin with “.” may belong to the system or to
    /// temporary files.
    private static func isPreferencesName(_ name: String) -> Bool {
        (1...249).contains(name.utf8.count) && name.utf8.first != UInt8(ascii: ".")
            && !name.utf8.contains(UInt8(ascii: "/"))
            && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}

/// The preferences objects that exist in this process.
private struct OpenPreferences {
    struct Key: Hashable {
        let file: PathLocks.Key
        let location: FilePath
    }
    private struct Reference { weak var preferences: Preferences? }

    static let shared = LockedValue(OpenPreferences())
    private var known: [Key: Reference] = [:]

    mutating func store(_ made: Preferences, as key: Key) -> Preferences {
        if let known = known[key]?.preferences { return known }
        known = known.filter { $0.value.preferences != nil }
        known[key] = Reference(preferences: made)
        return made
    }
}
