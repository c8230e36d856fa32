internal import AppContainer
internal import FileSystem
internal import Foundation
internal import SystemPackage

/// A path on disk, divided into the container and the path in it.
package struct ContainedPath {
    /// The container's path, as the beginning of the whole.
    package let container: String
    /// The path relative to the container; empty for the container itself.
    package let path: String

    /// Divides a path by its names alone; the item itself need not exist.
    ///
    /// The container is the nearest directory on the path that names its app; without one, the nearest that has at least
    /// two of the directories of a container. One alone does not suffice: `/` has `tmp`.
    ///
    /// - Returns: nil if no directory on the path is a container.
    package init?(_ whole: String) {
        var holder = FilePath(whole)
        var names: [String] = []
        var unnamed: (container: String, path: String)?
        while true {
            let path = holder.isEmpty ? "." : holder.string
            if let container = try? Container.open(FilePath(path)) {
                let inside = names.reversed().joined(separator: "/")
                if container.bundleIdentifier != nil {
                    (self.container, self.path) = (path, inside)
                    return
                }
                if unnamed == nil, Self.hasTwoDirectories(container) { unnamed = (path, inside) }
            }
            guard let name = holder.lastComponent else { break }
            names.append(name.string)
            holder.removeLastComponent()
        }
        guard let unnamed else { return nil }
        (container, path) = unnamed
    }

    private static func hasTwoDirectories(_ container: Container) -> Bool {
        Container.knownDirectories.count { directory in
            (try? container.folder.statusIfPresent(directory))??.kind == .directory
        } >= 2
    }

    /// Returns true if anything has a path, also a link that leads nowhere.
    package static func exists(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(
            atPath: Invocation.current.workingDirectory.resolved(path))) != nil
    }
}
