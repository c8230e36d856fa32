internal import FileSystem
public import SystemPackage

/// A place in a container. It cannot lead out of it: `..`, absolute paths and NUL do not construct.
///
///     let note = try ContainerPath.documents("letters/note.txt")
///     try container.save("Dear reader", to: note)
public struct ContainerPath: Sendable, Hashable, CustomStringConvertible {
    /// The directory it starts from.
    public let location: Location
    /// The way from there; empty for the directory itself.
    public let relative: FilePath
    /// Whether a directory named by the app's identifier lies between the two.
    public let isNamespaced: Bool

    /// A place below a location.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    public init(_ location: Location, _ relative: FilePath = "", namespaced: Bool = false) throws(ContainerError) {
        guard !relative.isAbsolute else {
            throw ContainerError(
                .leavesContainer, relative, "“\(relative)” is absolute. Give it relative to \(location).")
        }
        guard !relative.components.contains(where: { $0.kind == .parentDirectory }) else {
            throw ContainerError(.leavesContainer, relative, "“\(relative)” holds “..”. Name the place itself.")
        }
        self.location = location
        let isPlain = relative.components.allSatisfy { $0.kind == .regular }
        self.relative = isPlain ? relative : FilePath(root: nil, relative.components.filter { $0.kind == .regular })
        self.isNamespaced = namespaced
    }

    private init(_ location: Location, text: String, namespaced: Bool = false) throws(ContainerError) {
        guard !text.utf8.contains(0) else {
            throw ContainerError(.invalidPath, FilePath(location.path), "A name in \(location) holds a NUL character.")
        }
        try self.init(location, FilePath(text), namespaced: namespaced)
    }

    /// A place given from the container's root: `Library/Preferences/com.example.app.plist`.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    public init(_ text: String) throws(ContainerError) { try self.init(.root, text: text) }

    /// What a person made or manages.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    public static func documents(_ name: String = "") throws(ContainerError) -> ContainerPath {
        try ContainerPath(.documents, text: name)
    }
    /// The app's own files, in the directory of Application Support named by its identifier.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    public static func applicationSupport(_ name: String = "") throws(ContainerError) -> ContainerPath {
        try ContainerPath(.applicationSupport, text: name, namespaced: true)
    }
    /// What can be made again, in the directory of Caches named by the app's identifier.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    public static func caches(_ name: String = "") throws(ContainerError) -> ContainerPath {
        try ContainerPath(.caches, text: name, namespaced: true)
    }
    /// Files that are not for a person's eyes.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    public static func library(_ name: String = "") throws(ContainerError) -> ContainerPath {
        try ContainerPath(.library, text: name)
    }
    /// The property lists of user defaults.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    public static func preferences(_ name: String = "") throws(ContainerError) -> ContainerPath {
        try ContainerPath(.preferences, text: name)
    }
    /// What is not needed at the next launch.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    public static func temporary(_ name: String = "") throws(ContainerError) -> ContainerPath {
        try ContainerPath(.temporary, text: name)
    }

    /// The place one name further down.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    public func appending(_ name: String) throws(ContainerError) -> ContainerPath {
        // Judged before it meets what is there already, whose bytes need not be text.
        let further = try ContainerPath(location, text: name).relative
        return try ContainerPath(location, relative.appending(further.components), namespaced: isNamespaced)
    }

    /// The way from the container's root, with `{bundle-id}` for the app's identifier.
    public var description: String {
        [location.path, isNamespaced ? "{bundle-id}" : "", relative.string].filter { !$0.isEmpty }
            .joined(separator: "/")
    }
}
