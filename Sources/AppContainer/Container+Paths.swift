internal import FileSystem
public import Foundation
public import SystemPackage

extension Container {
    /// Makes a container at a file URL: see the call that takes a path.
    ///
    /// - Throws: `invalidPath` for a URL of no file, and what making one at a path throws.
    public static func create(at url: URL, bundleIdentifier: String) throws(ContainerError) -> Container {
        try create(at: try path(of: url), bundleIdentifier: bundleIdentifier)
    }

    /// Opens a container at a file URL: see the call that takes a path.
    ///
    /// - Throws: `invalidPath` for a URL of no file, and what opening one at a path throws.
    public static func open(
        _ url: URL, bundleIdentifier: String? = nil, sweepingLeftoversOlderThan age: Duration? = nil
    ) throws(ContainerError) -> Container {
        try open(try path(of: url), bundleIdentifier: bundleIdentifier, sweepingLeftoversOlderThan: age)
    }

    private static func path(of url: URL) throws(ContainerError) -> FilePath {
        let path = url.isFileURL ? url.absoluteURL.path(percentEncoded: false) : ""
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw ContainerError(
                .invalidPath, FilePath(url.absoluteString), "“\(url)” is no file URL. Give one, or a path.")
        }
        return FilePath(path)
    }

    /// Where a place of the container lies on this machine's disk.
    ///
    /// - Throws: `noIdentifier` for a place named by the app's identifier, where the container does not say it.
    public func path(_ place: ContainerPath) throws(ContainerError) -> FilePath {
        location.appending(try relative(place).components)
    }

    /// The same as a file URL.
    ///
    /// - Throws: `noIdentifier`.
    public func url(_ place: ContainerPath) throws(ContainerError) -> URL {
        URL(fileURLWithPath: try path(place).string)
    }

    /// Whether a backup takes an item, by where it lies and by the flags on it and above it; nil where that is not
    /// known.
    ///
    /// - Throws: As `exclusion(of:)` does.
    public func isBackedUp(_ place: ContainerPath) throws(ContainerError) -> Bool? {
        var path = try relative(place)
        let exclusion = try exclusion(of: place).state
        // The nearest location that says: Library for a directory of the app's own in it.
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

    /// Where a location's own directory lies.
    ///
    /// - Throws: `noIdentifier` for a location named by the app's identifier.
    public func path(_ location: Location) throws(ContainerError) -> FilePath { try path(ContainerPath(location)) }

    /// The same as a file URL.
    ///
    /// - Throws: `noIdentifier`.
    public func url(_ location: Location) throws(ContainerError) -> URL { try url(ContainerPath(location)) }

    /// The place of what lies at a path relative to the container, from the nearest directory that has a resolver:
    /// `Documents/a` is `.documents("a")`.
    package func place(_ path: FilePath) throws(ContainerError) -> ContainerPath {
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

    /// The path, relative to the container, of a place at which a file is to be saved.
    ///
    /// - Throws: `invalidPath` for a place whose text ended in a slash; `noIdentifier`.
    func relativeFile(_ place: ContainerPath) throws(ContainerError) -> FilePath {
        let path = try relative(place)
        guard !place.namesDirectory else {
            throw ContainerError(
                .invalidPath, path,
                "“\(place)/” names a directory, and no file can be saved there. Nothing on disk has changed. "
                    + "Leave the slash at the end out.")
        }
        return path
    }

    /// The place's path relative to the container.
    package func relative(_ place: ContainerPath) throws(ContainerError) -> FilePath {
        var text = place.location.path
        if place.isNamespaced { text += "/{bundle-id}" }
        // A byte is found in far less time than Foundation takes to find a text.
        if text.utf8.contains(UInt8(ascii: "{")), text.contains("{bundle-id}") {
            guard let bundleIdentifier else {
                throw ContainerError(
                    .noIdentifier, FilePath(text),
                    "“\(place)” is named by the app's identifier, which this container does not say. "
                        + "Open it with bundleIdentifier:.")
            }
            text = text.replacingOccurrences(of: "{bundle-id}", with: bundleIdentifier)
        }
        return FilePath(text).pushing(place.relative)
    }
}
