internal import FileSystem
package import SystemPackage

/// A path in a container. It cannot lead out of the container.
///
///     try container.save("Dear reader", to: .documents / "letters/note.txt")
///     try container.save(cover, to: .caches / "covers/1.jpg")
///
/// No construction throws or traps. A path with `..`, an absolute path or a NUL is invalid: the call that uses it
/// throws `leavesContainer` or `invalidPath`, and `error` and `validated()` report the reason before that.
///
/// `applicationSupport` and `caches` are the app's own directories, named by its identifier, as Apple recommends. The
/// directories that contain them are `.library / "Application Support"` and `.library / "Caches"`.
///
/// Two paths are equal if they have the same components. A trailing slash, `.` and repeated slashes are ignored.
public struct ContainerPath: Sendable {
    /// The path relative to the container. The component at `identifierIndex` is the placeholder.
    let storage: FilePath
    /// The index of the component that stands for the app's identifier.
    let identifierIndex: Int?
    /// True for a text with a trailing slash, which is only valid for a directory.
    let namesDirectory: Bool
    private let fault: Fault?

    /// The reason why a path is invalid, with the text that it was made from.
    private struct Fault: Hashable {
        enum Reason { case nul, absolute, parentDirectory }
        let reason: Reason
        let text: String

        init?(in name: String) {
            if name.utf8.contains(0) {
                reason = .nul
            } else if name.utf8.first == UInt8(ascii: "/") {
                reason = .absolute
            } else if Self.hasParentComponent(name.utf8) {
                reason = .parentDirectory
            } else {
                return nil
            }
            text = name.replacing("\0", with: "\u{fffd}")
        }

        /// Compares bytes: a slash and a combining mark after it are one character.
        private static func hasParentComponent(_ name: String.UTF8View) -> Bool {
            guard name.contains(UInt8(ascii: ".")) else { return false }
            return name.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
        }

        init(reason: Reason, text: String) {
            self.reason = reason
            self.text = text
        }
    }

    private static let placeholder = "{bundle-id}"

    private init(_ storage: FilePath, identifierIndex: Int?, namesDirectory: Bool = false, fault: Fault? = nil) {
        self.storage = storage
        self.identifierIndex = identifierIndex
        self.namesDirectory = namesDirectory
        self.fault = fault
    }

    /// Creates a path from the components of an item on disk, in any encoding.
    ///
    /// - Parameters:
    ///   - path: A relative path without `..`.
    ///   - identifierIndex: The index of the component that stands for the app's identifier.
    package init(components path: FilePath, identifierIndex: Int? = nil) {
        self.init(path, identifierIndex: identifierIndex)
    }

    /// Creates the path of a location's directory.
    private init(directory location: Location) {
        let path = FilePath(location.path)
        self.init(path, identifierIndex: path.components.index { $0.string == Self.placeholder })
    }

    /// Creates a path relative to the container: `Library/Preferences/com.example.app.plist`.
    ///
    /// `{bundle-id}` stands for the app's identifier, and `./{bundle-id}` for a directory with that name, so that the
    /// text of `description` results in an equal path.
    public init(_ text: String) {
        if let fault = Fault(in: text) {
            self.init(FilePath(), identifierIndex: nil, fault: fault)
            return
        }
        var names: [Substring.UTF8View] = []
        var index: Int?
        var isLiteral = false
        for name in text.utf8.split(separator: UInt8(ascii: "/")) {
            guard !name.elementsEqual(".".utf8) else {
                isLiteral = true
                continue
            }
            if index == nil, !isLiteral, name.elementsEqual(Self.placeholder.utf8) { index = names.count }
            names.append(name)
            isLiteral = false
        }
        self.init(Self.path(of: names), identifierIndex: index, namesDirectory: text.utf8.last == UInt8(ascii: "/"))
    }

    /// Returns the path of components. In a debug build, each call of `FilePath` checks the whole path.
    private static func path(of names: some Sequence<Substring.UTF8View>) -> FilePath {
        FilePath(bytes: names.joined(separator: CollectionOfOne(UInt8(ascii: "/"))))
    }

    // MARK: - Standard directories

    /// The container itself.
    public static let root = ContainerPath(directory: .root)
    /// The directory for user data: `Documents`.
    public static let documents = ContainerPath(directory: .documents)
    /// The app's own directory for files that the user does not see by name: `Library/Application Support/<bundle-id>`.
    public static let applicationSupport = ContainerPath(directory: .applicationSupport).own
    /// The app's own directory for regenerable files: `Library/Caches/<bundle-id>`.
    public static let caches = ContainerPath(directory: .caches).own
    /// The directory for files that the user does not see: `Library`.
    public static let library = ContainerPath(directory: .library)
    /// The directory for the property lists of user defaults: `Library/Preferences`.
    public static let preferences = ContainerPath(directory: .preferences)
    /// The directory for files that the next launch does not need: `tmp`.
    public static let temporary = ContainerPath(directory: .temporary)

    private var own: ContainerPath {
        ContainerPath(storage.appending(Self.placeholder), identifierIndex: storage.components.count)
    }

    // MARK: - Parts

    /// Returns the path with a name or a relative path appended.
    public static func / (directory: ContainerPath, name: String) -> ContainerPath { directory.appending(name) }

    /// Returns the path with a name or a relative path appended. `{bundle-id}` in it is a name like any other.
    public func appending(_ name: String) -> ContainerPath {
        if let fault {
            let text = "\(fault.text)/\(name.replacing("\0", with: "\u{fffd}"))"
            return ContainerPath(storage, identifierIndex: nil, fault: Fault(reason: fault.reason, text: text))
        }
        if let found = Fault(in: name) {
            // An absolute path has no directory before it.
            let text = storage.isEmpty || found.reason == .absolute ? found.text : "\(description)/\(found.text)"
            return ContainerPath(FilePath(), identifierIndex: nil, fault: Fault(reason: found.reason, text: text))
        }
        guard !name.isEmpty else { return self }
        let further = name.utf8.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
        return ContainerPath(
            storage.joined(Self.path(of: further)), identifierIndex: identifierIndex,
            namesDirectory: name.utf8.last == UInt8(ascii: "/"))
    }

    /// Returns the path of an entry with this name on disk, in any encoding.
    package func appending(entry name: FilePath) -> ContainerPath {
        guard fault == nil else { return self }
        return ContainerPath(storage.joined(name), identifierIndex: identifierIndex)
    }

    /// The last component. Empty for the container itself.
    public var name: String { storage.split?.name.string ?? "" }

    /// The extension of the last component without the dot, or an empty string if it has no extension.
    public var pathExtension: String { storage.split?.name.extension ?? "" }

    /// The path of the directory that contains the item. Nil for the container itself and for an invalid path.
    public var parent: ContainerPath? {
        guard fault == nil, !storage.isEmpty else { return nil }
        let path = storage.split?.parent ?? FilePath()
        let index = identifierIndex.flatMap { $0 < path.names.count ? $0 : nil }
        return ContainerPath(path, identifierIndex: index)
    }

    /// True for a directory that the system or the library creates when it is needed.
    package var isStandardDirectory: Bool {
        guard fault == nil else { return false }
        return Self.standard.contains(self)
    }

    private static let standard: Set<ContainerPath> = [
        .root, .documents, .applicationSupport, .caches, .library, .preferences, .temporary,
        ContainerPath(directory: .applicationSupport), ContainerPath(directory: .caches),
    ]

    // MARK: - Validity

    /// The error of a call that uses an invalid path. Nil for a valid one.
    public var error: ContainerError? {
        guard let fault else { return nil }
        let path = FilePath(fault.text)
        switch fault.reason {
        case .nul:
            return ContainerError(
                .invalidPath, path, "“\(fault.text)” contains a NUL character. Nothing on disk has changed. Remove it.")
        case .absolute:
            return ContainerError(
                .leavesContainer, path,
                "“\(fault.text)” is absolute. Nothing on disk has changed. Use a path relative to the container.")
        case .parentDirectory:
            return ContainerError(
                .leavesContainer, path,
                "“\(fault.text)” contains “..”. Nothing on disk has changed. Use the path of the item itself.")
        }
    }

    /// Returns the path if it is valid. Use it for names from outside before work begins.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    public func validated() throws(ContainerError) -> ContainerPath {
        if let error { throw error }
        return self
    }
}

extension ContainerPath: CustomStringConvertible {
    /// The path relative to the container, with `{bundle-id}` for the app's identifier. A component that is literally
    /// `{bundle-id}` is written `./{bundle-id}`.
    public var description: String {
        if let fault { return fault.text }
        let text = storage.string
        // The search for a byte is much faster than the search for a string.
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        return storage.names.enumerated().map { index, component in
            let name = component.string
            return name == Self.placeholder && index != identifierIndex ? "./\(name)" : name
        }.joined(separator: "/")
    }
}

extension ContainerPath: Hashable {
    /// Returns true if both paths have the same components. Ignores a trailing slash.
    public static func == (left: ContainerPath, right: ContainerPath) -> Bool {
        left.storage == right.storage && left.identifierIndex == right.identifierIndex && left.fault == right.fault
    }

    /// Hashes the components.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storage)
        hasher.combine(identifierIndex)
        hasher.combine(fault)
    }
}

extension ContainerPath: ExpressibleByStringLiteral {
    /// Creates a path relative to the container from a literal. See `init(_:)`.
    public init(stringLiteral text: String) { self.init(text) }
}

extension ContainerPath: Codable {
    /// Decodes the text of `description`.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for an invalid path.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self.init(try container.decode(String.self))
        if let error {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    /// Encodes the text of `description`.
    ///
    /// - Throws: `EncodingError.invalidValue` for an invalid path and for one that is not valid UTF-8.
    public func encode(to encoder: any Encoder) throws {
        guard error == nil, FilePath(storage.string) == storage else {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: encoder.codingPath,
                    debugDescription: error?.description ?? "“\(self)” is not valid UTF-8 and has no text."))
        }
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Sequence {
    /// Returns the position of the first element for which `isWanted` is true.
    fileprivate func index(where isWanted: (Element) -> Bool) -> Int? {
        enumerated().first { isWanted($0.element) }?.offset
    }
}
