internal import FileSystem
public import SystemPackage

/// A path in a container. It cannot lead out of the container: `..`, absolute paths and NUL are errors.
///
///     let note = try ContainerPath.documents("letters/note.txt")
///     try container.save("Dear reader", to: note)
public struct ContainerPath: Sendable, CustomStringConvertible {
    /// The directory from which the path starts.
    public let location: Location
    /// The path relative to the directory. Empty for the directory itself.
    public let relative: FilePath
    /// True if a directory named by the app's identifier is between `location` and `relative`.
    public let isNamespaced: Bool
    /// True for a text with a trailing slash, which is only valid for a directory.
    let namesDirectory: Bool

    /// Creates a path relative to a location.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    public init(_ location: Location, _ relative: FilePath = "", namespaced: Bool = false) throws(ContainerError) {
        try self.init(location, relative, namespaced: namespaced, namesDirectory: false)
    }

    private init(
        _ location: Location, _ relative: FilePath, namespaced: Bool, namesDirectory: Bool
    ) throws(ContainerError) {
        guard !relative.isAbsolute else {
            throw ContainerError(
                .leavesContainer, relative, "“\(relative)” is absolute. Use a path relative to \(location).")
        }
        guard !relative.components.contains(where: { $0.kind == .parentDirectory }) else {
            throw ContainerError(
                .leavesContainer, relative, "“\(relative)” contains “..”. Use the path of the item itself.")
        }
        self.location = location
        let isPlain = relative.components.allSatisfy { $0.kind == .regular }
        self.relative = isPlain ? relative : FilePath(root: nil, relative.components.filter { $0.kind == .regular })
        self.isNamespaced = namespaced
        self.namesDirectory = namesDirectory
    }

    private init(_ location: Location, text: String, namespaced: Bool = false) throws(ContainerError) {
        guard !text.utf8.contains(0) else {
            throw ContainerError(
                .invalidPath, FilePath(location.path), "A name in \(location) contains a NUL character.")
        }
        try self.init(
            location, FilePath(text), namespaced: namespaced, namesDirectory: text.utf8.last == UInt8(ascii: "/"))
    }

    /// Creates a path relative to the container: `Library/Preferences/com.example.app.plist`. Accepts `{bundle-id}` for
    /// the app's identifier, so that the text of `description` results in an equal path.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    public init(_ text: String) throws(ContainerError) {
        let (location, isNamespaced, rest) = Self.start(of: text)
        try self.init(location, text: rest, namespaced: isNamespaced)
    }

    private static let placeholder = "{bundle-id}"
    /// The locations of the static functions, nested ones first.
    static let plainLocations: [Location] = [.documents, .preferences, .library, .temporary]

    /// Splits a text into the location at its start and the rest.
    private static func start(of text: String) -> (Location, isNamespaced: Bool, rest: String) {
        let names = text.split(separator: "/", omittingEmptySubsequences: false)
        func rest(after count: Int) -> String { names.dropFirst(count).drop { $0.isEmpty }.joined(separator: "/") }
        // An absolute path and a path with “..” are passed on and refused later.
        guard names.first != "" || names.count == 1, !names.contains("..") else { return (.root, false, text) }
        // `description` writes “.” before a directory whose name is the placeholder itself.
        let named = names.indices.first { names[$0] == placeholder && ($0 == 0 || names[$0 - 1] != ".") }
        if let named {
            let above = names[..<named].filter { !$0.isEmpty && $0 != "." }.joined(separator: "/")
            let location = Location.table.first { $0.path == above }
            let own = Location.table.first { $0.path == "\(above)/\(placeholder)" }
            let isTwice = names.dropFirst(named + 1).first == placeholder[...]
            if let own, isTwice { return (own, true, rest(after: named + 2)) }
            if let location { return (location, true, rest(after: named + 1)) }
            if let own { return (own, false, rest(after: named + 1)) }
        }
        for location in plainLocations {
            let path = location.path.split(separator: "/")
            if names.starts(with: path) { return (location, false, rest(after: path.count)) }
        }
        return (.root, false, text)
    }

    /// Returns a path for user data, in Documents.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    public static func documents(_ name: String = "") throws(ContainerError) -> ContainerPath {
        try ContainerPath(.documents, text: name)
    }
    /// Returns a path for the app's own files, in the directory of Application Support named by the app's identifier.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    public static func applicationSupport(_ name: String = "") throws(ContainerError) -> ContainerPath {
        try ContainerPath(.applicationSupport, text: name, namespaced: true)
    }
    /// Returns a path for regenerable files, in the directory of Caches named by the app's identifier.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    public static func caches(_ name: String = "") throws(ContainerError) -> ContainerPath {
        try ContainerPath(.caches, text: name, namespaced: true)
    }
    /// Returns a path for files that the user does not see, in Library.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    public static func library(_ name: String = "") throws(ContainerError) -> ContainerPath {
        try ContainerPath(.library, text: name)
    }
    /// Returns a path for the property lists of user defaults.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    public static func preferences(_ name: String = "") throws(ContainerError) -> ContainerPath {
        try ContainerPath(.preferences, text: name)
    }
    /// Returns a path for files that the next launch does not need, in tmp.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    public static func temporary(_ name: String = "") throws(ContainerError) -> ContainerPath {
        try ContainerPath(.temporary, text: name)
    }

    /// Returns the path with a name appended.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    public func appending(_ name: String) throws(ContainerError) -> ContainerPath {
        // The name is checked alone, because the bytes of this path may not be valid UTF-8.
        let further = try ContainerPath(location, text: name)
        return try ContainerPath(
            location, relative.appending(further.relative.components), namespaced: isNamespaced,
            namesDirectory: further.namesDirectory)
    }

    /// The path relative to the container, with `{bundle-id}` for the app's identifier. A component that is literally
    /// `{bundle-id}` is written `./{bundle-id}`.
    public var description: String {
        var text = [location.path, isNamespaced ? Self.placeholder : "", relative.string]
        // The search for a byte is much faster than the search for a string.
        if text[2].utf8.contains(UInt8(ascii: "{")) {
            text[2] = relative.components.map { $0.string == Self.placeholder ? "./\(Self.placeholder)" : $0.string }
                .joined(separator: "/")
        }
        return text.filter { !$0.isEmpty }.joined(separator: "/")
    }
}

extension ContainerPath: Hashable {
    /// Returns true if both paths have the same location and components. Ignores a trailing slash.
    public static func == (left: ContainerPath, right: ContainerPath) -> Bool {
        left.location == right.location && left.relative == right.relative && left.isNamespaced == right.isNamespaced
    }

    /// Hashes the location and the components.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(location)
        hasher.combine(relative)
        hasher.combine(isNamespaced)
    }
}
