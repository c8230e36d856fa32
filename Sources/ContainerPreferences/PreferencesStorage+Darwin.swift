#if canImport(Darwin)
internal import AppContainer
internal import FileSystem
internal import Foundation
internal import SystemPackage

extension Preferences {
    /// Returns the storage of preferences: `UserDefaults` in the container of this process or of one of its groups, the
    /// file in any other container.
    static func makeStorage(named name: String, in container: Container, path: FilePath) -> any PreferencesStorage {
        if isSame(container, NSHomeDirectory()) {
            return DefaultsStorage(
                domain: name, isStandard: name == Bundle.main.bundleIdentifier, isShared: false, path: path)
        }
        let group = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: name)
        if let group, isSame(container, group.path(percentEncoded: false)) {
            return DefaultsStorage(domain: name, isStandard: false, isShared: true, path: path)
        }
        return PreferencesFile(folder: container.folder, path: path)
    }

    /// Compares directories by their inodes: a container has the paths `/var/…` and `/private/var/…`.
    private static func isSame(_ container: Container, _ path: String) -> Bool {
        guard let own = try? container.folder.status("").identity,
            let other = try? Folder(opening: FilePath(path)).status("").identity
        else { return false }
        return own == other
    }
}
#endif
