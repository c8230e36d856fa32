internal import AppContainer
package import BackupRepository
internal import FileSystem
internal import Foundation
internal import PropertyLists
package import SystemPackage

/// The directory of a container in a target that a user names.
package enum RestoreTarget {
    private static let (data, information): (FilePath.Component, FilePath) = ("AppData", "AppDataInfo.plist")

    /// Returns true if a path names a package `.xcappdata`, which Xcode downloads from a device and installs on one.
    package static func isPackage(_ path: FilePath) -> Bool { path.lastComponent?.extension == "xcappdata" }

    /// Returns the directory of the container: `AppData` in a package, otherwise the path itself.
    package static func directory(of path: FilePath) -> FilePath { isPackage(path) ? path.appending(data) : path }

    /// Creates a package that does not exist, with the identifier of the app. An existing one keeps its information.
    ///
    /// - Throws: `full`, `failed`.
    package static func makePackage(_ path: FilePath, for snapshot: Snapshot) throws(BackupError) {
        do {
            let folder = try Folder(makingIfAbsent: path)
            guard let identifier = snapshot.bundleIdentifier, try folder.statusIfPresent(information) == nil else {
                return
            }
            let values = ["CFBundleIdentifier": identifier]
            let bytes = try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
            let file = try folder.createFile(information, permissions: 0o644)
            try bytes.withUnsafeBytes { try file.write($0) }
            try file.sync()
        } catch { throw BackupError(error) }
    }
}
