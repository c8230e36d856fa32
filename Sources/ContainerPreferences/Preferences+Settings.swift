public import Foundation
public import SystemPackage

extension Preferences {
    /// Registers the defaults of an app's settings bundle, which the system itself leaves to the app.
    ///
    /// `Root.plist` and every pane that it leads to are read, each once. Of a key that several settings have, the
    /// first counts. If anything in the bundle cannot be read, nothing is registered.
    ///
    /// - Parameters:
    ///   - bundle: The directory `Settings.bundle`. No pane, table or link in it leads out.
    ///   - localization: The language of the titles, as `pt-BR`; where the bundle does not have it, `pt` or `Base`
    ///     serves, and if there is none of them, or for nil, the titles are those of the panes.
    /// - Returns: The settings, in the order in which a person comes upon them.
    /// - Throws: `notFound`, `damaged`, `tooLarge` (more than 100 panes, panes 10 deep, a file of more than 1 MiB),
    ///   `invalidName`, `leavesContainer`, `notAFile`, `permissionDenied`, `failed`.
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

    /// The same for a bundle by its file URL, as `Bundle.main.url(forResource:withExtension:)` gives it.
    ///
    /// - Throws: As above; `notFound` for a URL that is not a file's.
    @discardableResult
    public func register(settingsBundle bundle: URL, localization: String? = nil) throws(PreferencesError) -> [Setting]
    {
        let path = bundle.withUnsafeFileSystemRepresentation { $0.map { FilePath(platformString: $0) } }
        guard bundle.isFileURL, let path else {
            throw PreferencesError(
                .notFound, FilePath(bundle.absoluteString),
                "“\(bundle.absoluteString)” names no directory on disk. Nothing is registered. Give a file URL.")
        }
        return try register(settingsBundle: path, localization: localization)
    }
}
