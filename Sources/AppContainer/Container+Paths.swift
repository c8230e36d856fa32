internal import FileSystem
public import Foundation
public import SystemPackage

extension Container {
    /// Creates a container at a file URL. See `create(at:bundleIdentifier:)` with a path.
    ///
    /// - Throws: `invalidPath` if the URL is not a file URL, and the errors of creation at a path.
    public static func create(at url: URL, bundleIdentifier: String) throws(ContainerError) -> Container {
        try create(at: try filePath(of: url), bundleIdentifier: bundleIdentifier)
    }

    /// Opens a container at a file URL. See `open(_:bundleIdentifier:sweepingLeftoversOlderThan:)` with a path.
    ///
    /// - Throws: `invalidPath` if the URL is not a file URL, and the errors of opening a path.
    public static func open(
        _ url: URL, bundleIdentifier: String? = nil, sweepingLeftoversOlderThan age: Duration? = nil
    ) throws(ContainerError) -> Container {
        try open(try filePath(of: url), bundleIdentifier: bundleIdentifier, sweepingLeftoversOlderThan: age)
    }

    static func filePath(of url: URL) throws(ContainerError) -> FilePath {
        let path = url.isFileURL ? url.absoluteURL.path(percentEncoded: false) : ""
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw ContainerError(
                .invalidPath, FilePath(url.absoluteString), "“\(url)” is not a file URL. Use a file URL or a path.")
        }
        return FilePath(path)
    }

    /// Returns the absolute path of an item on disk.
    ///
    /// - Throws: `noIdentifier` if the path contains the app's identifier and the container has none.
    public func path(_ item: ContainerPath) throws(ContainerError) -> FilePath {
        location.joined(try relative(item))
    }

    /// Returns true if backups include an item, based on its location and the backup exclusion of the item and its
    /// parent directories. Nil if unknown.
    ///
    /// - Throws: The errors of `exclusion(of:)`.
    public func isBackedUp(_ item: ContainerPath) throws(ContainerError) -> Bool? {
        switch try backupDecision(of: item).state {
        case .included: true
        case .excluded: false
        case .unknown: nil
        }
    }

    /// Returns the location whose directory has exactly these components.
    package func location(_ components: [String]) -> Location? {
        Location.exactly(components, bundleIdentifier: bundleIdentifier, ignoringCase: ignoresCase)
    }

    /// Returns the location of the nearest directory at or above these components.
    package func nearestLocation(_ components: [String]) -> Location {
        for count in stride(from: components.count, to: 0, by: -1) {
            if let found = location(Array(components.prefix(count))) { return found }
        }
        return .root
    }

    /// Returns the container path of a path relative to the container. The app's own directories have the placeholder
    /// of the identifier: `Library/Caches/<bundle-id>/a` is `.caches / "a"`.
    package func containerPath(_ path: FilePath) -> ContainerPath {
        let components = path.components.prefix(3).map(\.string)
        let isOwn =
            components.count == 3 && components[0] == "Library" && components[2] == bundleIdentifier
            && (components[1] == "Caches" || components[1] == "Application Support")
        guard isOwn else { return ContainerPath(components: path) }
        let rest = FilePath(root: nil, path.components.dropFirst(3))
        return (components[1] == "Caches" ? ContainerPath.caches : .applicationSupport).appending(entry: rest)
    }

    /// Returns the relative path of a file to save.
    ///
    /// - Throws: `invalidPath` for a path with a trailing slash; `noIdentifier`.
    func relativeFile(_ item: ContainerPath) throws(ContainerError) -> FilePath {
        let path = try relativeItem(item)
        guard !item.namesDirectory else {
            throw ContainerError(
                .invalidPath, path,
                "“\(item)/” is the path of a directory, and a file cannot be saved there. Nothing on disk has changed. "
                    + "Remove the trailing slash.")
        }
        return path
    }

    /// Returns the path of an item in the container, which is not the container itself.
    func relativeItem(_ item: ContainerPath) throws(ContainerError) -> FilePath {
        let path = try relative(item)
        guard !path.isEmpty else {
            throw ContainerError(
                .invalidPath, path,
                "The container itself cannot be saved, copied, moved, replaced or removed. Nothing on disk has changed. Give the "
                    + "path of an item in it.")
        }
        return path
    }

    /// Returns the path of an item relative to the container.
    ///
    /// - Throws: `invalidPath` or `leavesContainer` for an invalid path; `noIdentifier`.
    package func relative(_ item: ContainerPath) throws(ContainerError) -> FilePath {
        if let error = item.error { throw error }
        guard let index = item.identifierIndex else { return item.storage }
        guard let bundleIdentifier, FilePath.Component(bundleIdentifier) != nil else {
            throw ContainerError(
                .noIdentifier, FilePath(item.description),
                "“\(item)” contains the app's identifier, which is unknown for this container. "
                    + "Pass bundleIdentifier: when you open it.")
        }
        var names = item.storage.names.map(\.bytes)
        names[index] = Array(bundleIdentifier.utf8)
        return FilePath(bytes: names.joined(separator: [UInt8(ascii: "/")]))
    }
}
