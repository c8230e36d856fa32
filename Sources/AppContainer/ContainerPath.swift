internal import FileSystem
public import SystemPackage

/// A place in a container. It cannot lead out of it: `..`, absolute paths and NUL do not construct.
///
///     let note = try ContainerPath.documents("letters/note.txt")
///     try container.save("Dear reader", to: note)
public struct ContainerPath: Sendable, CustomStringConvertible {
    /// The directory it starts from.
    public let location: Location
    /// The way from there; empty for the directory itself.
    public let relative: FilePath
    /// Whether a directory named by the app's identifier lies between the two.
    public let isNamespaced: Bool
    /// True for a text that ended in a slash, as only a directory's may.
    let namesDirectory: Bool

    /// A place below a location.
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
                .leavesContainer, relative, "“\(relative)” is absolute. Give it relative to \(location).")
        }
        guard !relative.components.contains(where: { $0.kind == .parentDirectory }) else {
            throw ContainerError(.leavesContainer, relative, "“\(relative)” holds “..”. Name the place itself.")
        }
        self.location = location
        let isPlain = relative.components.allSatisfy { $0.kind == .regular }
        self.relative = isPlain ? relative : FilePath(root: nil, relative.components.filter { $0.kind == .regular })
        self.isNamespaced = namespaced
        self.namesDirectory = namesDirectory
    }

    private init(_ location: Location, text: String, namespaced: Bool = false) throws(ContainerError) {
        guard !text.utf8.contains(0) else {
            throw ContainerError(.invalidPath, FilePath(location.path), "A name in \(location) holds a NUL character.")
        }
        try self.init(
            location, FilePath(text), namespaced: namespaced, namesDirectory: text.utf8.last == UInt8(ascii: "/"))
    }

    /// A place given from the container's root: `Library/Preferences/com.example.app.plist`. What `description` gives
    /// leads back to the place it is of, with `{bundle-id}` for the app's identifier.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    public init(_ text: String) throws(ContainerError) {
        let (location, isNamespaced, rest) = Self.start(of: text)
        try self.init(location, text: rest, namespaced: isNamespaced)
    }

    private static let placeholder = "{bundle-id}"
    /// The locations from which the resolvers start, those within others first.
    static let plainLocations: [Location] = [.documents, .preferences, .library, .temporary]

    /// The place from which a text starts, and the way from there.
    private static func start(of text: String) -> (Location, isNamespaced: Bool, rest: String) {
        let names = text.split(separator: "/", omittingEmptySubsequences: false)
        func rest(after count: Int) -> String { names.dropFirst(count).drop { $0.isEmpty }.joined(separator: "/") }
        // An absolute path and one with “..” are refused as they are.
        guard names.first != "" || names.count == 1, !names.contains("..") else { return (.root, false, text) }
        // A directory that has the placeholder for its own name follows a “.”, as `description` writes it.
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
        let further = try ContainerPath(location, text: name)
        return try ContainerPath(
            location, relative.appending(further.relative.components), namespaced: isNamespaced,
            namesDirectory: further.namesDirectory)
    }

    /// The way from the container's root, with `{bundle-id}` for the app's identifier. A name that is `{bundle-id}`
    /// itself is written `./{bundle-id}`.
    public var description: String {
        var text = [location.path, isNamespaced ? Self.placeholder : "", relative.string]
        // A byte is found in far less time than a text.
        if text[2].utf8.contains(UInt8(ascii: "{")) {
            text[2] = relative.components.map { $0.string == Self.placeholder ? "./\(Self.placeholder)" : $0.string }
                .joined(separator: "/")
        }
        return text.filter { !$0.isEmpty }.joined(separator: "/")
    }
}

extension ContainerPath: Hashable {
    /// Places are the same where they start from one directory and go one way, a slash at its end aside.
    public static func == (left: ContainerPath, right: ContainerPath) -> Bool {
        left.location == right.location && left.relative == right.relative && left.isNamespaced == right.isNamespaced
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(location)
        hasher.combine(relative)
        hasher.combine(isNamespaced)
    }
}
