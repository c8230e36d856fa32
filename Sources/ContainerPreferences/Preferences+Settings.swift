public import Foundation
public import SystemPackage

extension Preferences {
    /// Registers the defaults of an app's settings bundle, which the system does not do for the app.
    ///
    /// Reads `Root.plist` and all child panes, each once. If several settings have the same key, the first one is used.
    /// If any part of the bundle cannot be read, nothing is registered.
    ///
    /// - Parameters:
    ///   - bundle: The directory `Settings.bundle`. No pane, table or link in it leads out of it.
    ///   - localization: The language of the titles, such as `pt-BR`. If the bundle does not have it, `pt` or `Base` is
    ///     used. Without a match, or for nil, the titles are those of the panes.
    /// - Returns: The settings, in the order of the panes.
    /// - Throws: `notFound`, `damaged`, `tooLarge` (more than 100 panes, panes 10 levels deep, a file of more than 1
    ///   MiB), `invalidName`, `leavesContainer`, `notAFile`, `permissionDenied`, `failed`.
    @discardableResult
    public func register(
        settingsBundle bundle: FilePath, localization: String? = nil
    ) throws(PreferencesError) -> [Setting] {
        var reader = try SettingsBundle(bundle, localization: localization)
        let settings = try reader.settings()
        var defaults: [String: PreferenceValue] = [:]
        for setting in settings where defaults[setting.key] == nil { defaults[setting.key] = setting.defaultValue }
        register(defaults: defaults)
        return settings
    }

    /// Registers the defaults of a settings bundle at a file URL, as `Bundle.main.url(forResource:withExtension:)`
    /// returns it.
    ///
    /// - Throws: The errors of registration at a path; `notFound` for a URL that is not a file URL.
    @discardableResult
    public func register(settingsBundle bundle: URL, localization: String? = nil) throws(PreferencesError) -> [Setting]
    {
        let path = bundle.withUnsafeFileSystemRepresentation { $0.map { FilePath(platformString: $0) } }
        guard bundle.isFileURL, let path else {
            throw PreferencesError(
                .notFound, FilePath(bundle.absoluteString),
                "“\(bundle.absoluteString)” is not a directory on disk. Nothing is registered. Use a file URL.")
        }
        return try register(settingsBundle: path, localization: localization)
    }
}
