#if !canImport(Darwin)
internal import AppContainer
internal import SystemPackage

extension Preferences {
    /// Returns the storage of preferences, which is the file.
    static func makeStorage(named name: String, in container: Container, path: FilePath) -> any PreferencesStorage {
        PreferencesFile(folder: container.folder, path: path)
    }
}
#endif
