public import Foundation
public import SystemPackage

// Names of version 0.1, kept for one version.

/// The number and size of the files in a container.
@available(*, deprecated, renamed: "DiskUsage")
public typealias Usage = DiskUsage

extension DiskUsage.Item {
    /// The path of the file.
    @available(*, deprecated, renamed: "path")
    public var place: ContainerPath { path }
}

extension ContentKind {
    /// Returns the path of a file of this kind.
    @available(*, deprecated, renamed: "path(named:)")
    public func place(named name: String) -> ContainerPath { path(named: name) }
}

extension BatchError {
    /// The files that are saved durably.
    @available(*, deprecated, renamed: "saved")
    public var landed: [ContainerPath] { saved }
    /// The files that are visible and complete but may not survive a power loss.
    @available(*, deprecated, renamed: "uncertain")
    public var unsure: [ContainerPath] { uncertain }
    /// The files that are unchanged.
    @available(*, deprecated, renamed: "notSaved")
    public var notLanded: [ContainerPath] { notSaved }
}

extension ContainerPath {
    /// Creates a path relative to a location.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    @available(*, deprecated, message: "use .documents / name, or ContainerPath(text)")
    public init(
        _ location: Location, _ relative: FilePath = "", namespaced: Bool = false
    ) throws(ContainerError) {
        var directory = ContainerPath(directory: location)
        if namespaced, directory.identifierIndex == nil {
            directory = ContainerPath(
                directory.description.isEmpty ? Self.placeholder : "\(directory)/\(Self.placeholder)")
        }
        _ = try (directory / relative.string).validated()
        self = directory.appending(
            entry: FilePath(root: nil, relative.components.filter { $0.kind == .regular }))
    }

    /// The standard directory from which the path starts.
    @available(*, deprecated, message: "use parent, or compare paths")
    public var location: Location { split.location }

    /// The path relative to `location`.
    @available(*, deprecated, message: "use description, name or parent")
    public var relative: FilePath { split.rest }

    /// True if a directory named by the app's identifier is between `location` and `relative`.
    @available(*, deprecated, message: "use parent, or compare paths")
    public var isNamespaced: Bool { identifierIndex != nil }

    private var split: (location: Location, rest: FilePath) {
        let components = storage.components
        let locations: [Location] = [
            .applicationSupport, .caches, .documents, .preferences, .library, .temporary,
        ]
        for location in locations {
            let directory = FilePath(location.path)
            let count = directory.components.count
            guard storage.starts(with: directory) else { continue }
            if identifierIndex == count { return (location, FilePath(root: nil, components.dropFirst(count + 1))) }
            guard location != .applicationSupport, location != .caches else { continue }
            return (location, FilePath(root: nil, components.dropFirst(count)))
        }
        return (.root, storage)
    }

    /// Returns a path for user data, in Documents.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    @available(*, deprecated, message: "use .documents / name")
    public static func documents(_ name: String = "") throws(ContainerError) -> ContainerPath {
        try (ContainerPath.documents / name).validated()
    }

    /// Returns a path for the app's own files.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    @available(*, deprecated, message: "use .applicationSupport / name")
    public static func applicationSupport(_ name: String = "") throws(ContainerError) -> ContainerPath {
        try (ContainerPath.applicationSupport / name).validated()
    }

    /// Returns a path for regenerable files.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    @available(*, deprecated, message: "use .caches / name")
    public static func caches(_ name: String = "") throws(ContainerError) -> ContainerPath {
        try (ContainerPath.caches / name).validated()
    }

    /// Returns a path for files that the user does not see, in Library.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    @available(*, deprecated, message: "use .library / name")
    public static func library(_ name: String = "") throws(ContainerError) -> ContainerPath {
        try (ContainerPath.library / name).validated()
    }

    /// Returns a path for the property lists of user defaults.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    @available(*, deprecated, message: "use .preferences / name")
    public static func preferences(_ name: String = "") throws(ContainerError) -> ContainerPath {
        try (ContainerPath.preferences / name).validated()
    }

    /// Returns a path for files that the next launch does not need, in tmp.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    @available(*, deprecated, message: "use .temporary / name")
    public static func temporary(_ name: String = "") throws(ContainerError) -> ContainerPath {
        try (ContainerPath.temporary / name).validated()
    }
}

extension Container {
    /// Returns the file URL of an item.
    ///
    /// - Throws: `noIdentifier`.
    @available(*, deprecated, renamed: "url(for:)")
    public func url(_ item: ContainerPath) throws(ContainerError) -> URL { try url(for: item) }
}
