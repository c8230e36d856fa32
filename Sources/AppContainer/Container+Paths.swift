internal import FileSystem
public import Foundation
public import SystemPackage

extension Container {
    /// Creates a container at a file URL. See `create(at:bundleIdentifier:)` with a path.
    ///
    /// - Throws: `invalidPath` if the URL is not a file URL, and the errors of creation at a path.
    public static func create(at url: URL, bundleIdentifier: String) throws(ContainerError) -> Container {
        try create(at: try path(of: url), bundleIdentifier: bundleIdentifier)
    }

    /// Opens a container at a file URL. See `open(_:bundleIdentifier:sweepingLeftoversOlderThan:)` with a path.
    ///
    /// - Throws: `invalidPath` if the URL is not a file URL, and the errors of opening a path.
    public static func open(
        _ url: URL, bundleIdentifier: String? = nil, sweepingLeftoversOlderThan age: Duration? = nil
    ) throws(ContainerError) -> Container {
        try open(try path(of: url), bundleIdentifier: bundleIdentifier, sweepingLeftoversOlderThan: age)
    }

    private static func path(of url: URL) throws(ContainerError) -> FilePath {
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
        location.appending(try relative(item).components)
    }

    /// Returns the file URL of an item.
    ///
    /// - Throws: `noIdentifier`.
    public func url(_ item: ContainerPath) throws(ContainerError) -> URL {
        URL(fileURLWithPath: try path(item).string)
    }

    /// Returns true if backups include an item, based on its location and the backup exclusion of the item and its
    /// parent directories. Nil if unknown.
    ///
    /// - Throws: The errors of `exclusion(of:)`.
    public func isBackedUp(_ item: ContainerPath) throws(ContainerError) -> Bool? {
        var path = try relative(item)
        let exclusion = try exclusion(of: item).state
        // The nearest known location, such as Library for an app's own directory in it.
        var location = Location.exactly(path.components.map(\.string), bundleIdentifier: bundleIdentifier)
        while location == nil, !path.isEmpty {
            path.removeLastComponent()
            location = Location.exactly(path.components.map(\.string), bundleIdentifier: bundleIdentifier)
        }
        switch location?.backup {
        case .notBackedUp? where location == .root && kind == .group: break
        case .notBackedUp?: return false
        case .unknown?, nil: return exclusion == .excluded ? false : nil
        case .backedUp?: break
        }
        return exclusion == .unknown ? nil : exclusion == .included
    }

    /// Returns the absolute path of a location's directory.
    ///
    /// - Throws: `noIdentifier` if the path contains the app's identifier and the container has none.
    public func path(_ location: Location) throws(ContainerError) -> FilePath { try path(ContainerPath(location)) }

    /// Returns the file URL of a location's directory.
    ///
    /// - Throws: `noIdentifier`.
    public func url(_ location: Location) throws(ContainerError) -> URL { try url(ContainerPath(location)) }

    /// Returns the container path of a path relative to the container, based on the nearest standard directory:
    /// `Documents/a` is `.documents("a")`.
    package func containerPath(_ path: FilePath) throws(ContainerError) -> ContainerPath {
        let namespaced: [(Location, isNamespaced: Bool)] =
            bundleIdentifier == nil ? [] : [(.applicationSupport, true), (.caches, true)]
        let plain = ContainerPath.plainLocations.map { ($0, isNamespaced: false) }
        for (location, isNamespaced) in namespaced + plain {
            let directory = try relative(ContainerPath(location, namespaced: isNamespaced))
            guard path.starts(with: directory) else { continue }
            let rest = path.components.dropFirst(directory.components.count)
            return try ContainerPath(location, FilePath(root: nil, rest), namespaced: isNamespaced)
        }
        return try ContainerPath(.root, path)
    }

    /// Returns the relative path of a file to save.
    ///
    /// - Throws: `invalidPath` for a path with a trailing slash; `noIdentifier`.
    func relativeFile(_ item: ContainerPath) throws(ContainerError) -> FilePath {
        let path = try relative(item)
        guard !item.namesDirectory else {
            throw ContainerError(
                .invalidPath, path,
                "“\(item)/” is the path of a directory, and a file cannot be saved there. Nothing on disk has changed. "
                    + "Remove the trailing slash.")
        }
        return path
    }

    /// Returns the path of an item relative to the container.
    package func relative(_ item: ContainerPath) throws(ContainerError) -> FilePath {
        var text = item.location.path
        if item.isNamespaced { text += "/{bundle-id}" }
        // The search for a byte is much faster than the search for a string.
        if text.utf8.contains(UInt8(ascii: "{")), text.contains("{bundle-id}") {
            guard let bundleIdentifier else {
                throw ContainerError(
                    .noIdentifier, FilePath(text),
                    "“\(item)” contains the app's identifier, which is unknown for this container. "
                        + "Pass bundleIdentifier: when you open it.")
            }
            text = text.replacingOccurrences(of: "{bundle-id}", with: bundleIdentifier)
        }
        return FilePath(text).pushing(item.relative)
    }
}
