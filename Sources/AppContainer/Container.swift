package import FileSystem
internal import PropertyLists
public import SystemPackage

/// An app container on disk: the one place through which its files are read and written.
///
/// Nothing done through a container leads out of it, whatever a path says or a link does.
public struct Container: Sendable {
    /// Whose files a container holds.
    public enum Kind: String, Sendable { case application, group }

    /// Where it lies, as given.
    public let location: FilePath
    /// The identifier of the app or group it belongs to; nil where the container does not say.
    public let bundleIdentifier: String?
    /// What saves write on their files of where they come from; one switch for all of it.
    public var recording = Provenance.Recording.standard
    package let folder: Folder
    /// What the directory is to the kernel, by whatever path it was opened.
    private let identity: (device: UInt64, inode: UInt64)

    private init(location: FilePath, bundleIdentifier: String?, folder: Folder) throws(FileSystemError) {
        self.location = location
        self.bundleIdentifier = bundleIdentifier
        self.folder = folder
        identity = try folder.status("").identity
    }

    /// A group's identifier begins with `group.`.
    public var kind: Kind { bundleIdentifier?.hasPrefix("group.") == true ? .group : .application }

    /// The directories by which a container is known; one of them is enough.
    package static let knownDirectories: [FilePath] = ["Documents", "Library", "tmp", "SystemData", "StoreKit"]

    /// Makes a container as the system does: Documents, Library with Caches and Preferences, SystemData and tmp,
    /// and the note of whose it is.
    ///
    /// - Parameters:
    ///   - path: A directory that is not there yet, or is empty.
    ///   - bundleIdentifier: The app's identifier; letters, digits, `.` and `-`.
    /// - Returns: The container, opened.
    /// - Throws: `invalidPath`, `alreadyExists`, or a failure of the file system.
    public static func create(at path: FilePath, bundleIdentifier: String) throws(ContainerError) -> Container {
        guard isIdentifier(bundleIdentifier) else {
            throw ContainerError(
                .invalidPath, path,
                "“\(bundleIdentifier)” is no bundle identifier: use letters, digits, “.” and “-”, as com.example.app.")
        }
        let folder: Folder
        do throws(FileSystemError) {
            folder = try Folder(makingIfAbsent: path)
            guard try folder.names().isEmpty else {
                throw FileSystemError("make a container in a directory that is not empty,", path, .fileExists)
            }
        } catch { throw ContainerError(error) }
        do throws(FileSystemError) {
            for directory in ["Documents", "Library/Caches", "Library/Preferences", "SystemData", "tmp"] {
                try folder.makeFolder(FilePath(directory))
            }
            let container = try Container(location: path, bundleIdentifier: bundleIdentifier, folder: folder)
            try container.writeMetadata(bundleIdentifier)
            return container
        } catch { throw ContainerError(error, onDisk: "What was made so far of the container is left.") }
    }

    /// Opens a container that is there.
    ///
    /// - Parameters:
    ///   - path: The directory that holds Documents, Library and tmp; of a macOS app's container, also the directory
    ///     above it, which holds them in `Data`.
    ///   - bundleIdentifier: Whose it is, where the container does not say or says wrongly.
    ///   - age: Removes what saves left that never ended, if nothing has changed at it for so long; nil leaves all
    ///     as it is. See `sweepLeftovers`.
    /// - Returns: The container; where its identifier is not known, places named by it cannot be resolved.
    /// - Throws: `notFound`, `notAFile`, `notAContainer`, `invalidPath` for an identifier that is a path,
    ///   `permissionDenied`, `failed`.
    public static func open(
        _ path: FilePath, bundleIdentifier: String? = nil, sweepingLeftoversOlderThan age: Duration? = nil
    ) throws(ContainerError) -> Container {
        let container = try open(path, bundleIdentifier: bundleIdentifier, calls: .live)
        if let age { try container.sweepLeftovers(olderThan: age) }
        return container
    }

    /// The same through kernel calls of a test's own.
    package static func open(
        _ path: FilePath, bundleIdentifier: String?, calls: Syscalls
    ) throws(ContainerError) -> Container {
        // Others' identifiers are spelled as they are, but a path is none: it would be resolved as one.
        if let bundleIdentifier,
            bundleIdentifier.utf8.contains(0) || FilePath.Component(bundleIdentifier)?.kind != .regular
        {
            throw ContainerError(
                .invalidPath, path,
                "“\(bundleIdentifier)” is no bundle identifier: it names a path. Give it as com.example.app.")
        }
        let isEmpty: Bool
        do throws(FileSystemError) {
            let folder = try Folder(opening: path, calls: calls)
            if try isContainer(folder) {
                return try Container(
                    location: path, bundleIdentifier: bundleIdentifier ?? readMetadata(in: folder), folder: folder)
            }
            if let data = try macOSData(in: folder, at: path, calls: calls) {
                return try Container(
                    location: path.appending(dataDirectory),
                    bundleIdentifier: bundleIdentifier ?? readMetadata(in: folder) ?? readMetadata(in: data),
                    folder: data)
            }
            isEmpty = try folder.names().isEmpty
        } catch { throw ContainerError(reading: error) }
        let names = knownDirectories.map(\.string).joined(separator: ", ")
        throw ContainerError(
            .notAContainer, path,
            "“\(path)” is not an app container: \(isEmpty ? "it is empty" : "it holds none of \(names)"). "
                + "Give the directory that holds Documents and Library.")
    }

    private static let dataDirectory: FilePath.Component = "Data"

    private static func isContainer(_ folder: Folder) throws(FileSystemError) -> Bool {
        for directory in knownDirectories where try folder.statusIfPresent(directory)?.kind == .directory {
            return true
        }
        return false
    }

    /// The directory `Data` of a macOS app's container, which holds what an iOS app's container holds itself.
    private static func macOSData(
        in folder: Folder, at path: FilePath, calls: Syscalls
    ) throws(FileSystemError) -> Folder? {
        let name = FilePath(root: nil, [dataDirectory])
        guard try folder.statusIfPresent(name)?.kind == .directory else { return nil }
        let data = try Folder(opening: path.appending(dataDirectory), calls: calls)
        return try isContainer(data) ? data : nil
    }

    /// Opens the bundle of an installed app, to be read like a container.
    ///
    /// - Throws: `notAContainer` for what is not the bundle of an app; `notFound`, `notAFile`, `permissionDenied`,
    ///   `failed`.
    package static func open(appBundle path: FilePath) throws(ContainerError) -> Container {
        let folder: Folder
        do throws(FileSystemError) { folder = try Folder(opening: path) } catch { throw ContainerError(error) }
        // On macOS everything lies in Contents.
        for name in ["Info.plist", "Contents/Info.plist"] {
            guard let file = try? folder.open(FilePath(name), followingLinks: false),
                let bytes = try? file.contents(limit: metadataLimit),
                let root = (try? PropertyListGraph(parsing: bytes))?.root,
                let identifier = root["CFBundleIdentifier"]?.string, isIdentifier(identifier),
                ["APPL", nil].contains(root["CFBundlePackageType"]?.string)
            else { continue }
            do throws(FileSystemError) {
                return try Container(location: path, bundleIdentifier: identifier, folder: folder)
            } catch { throw ContainerError(error) }
        }
        throw ContainerError(
            .notAContainer, path,
            "“\(path)” is not an app bundle: it has no Info.plist, and no Contents/Info.plist, of an app. "
                + "Give the directory that Xcode builds or the device installs, such as Reader.app.")
    }

    /// Returns true if both are the same directory, by whatever paths they were opened.
    package func isSameDirectory(as other: Container) -> Bool { identity == other.identity }

    /// Runs `body` when it is its turn, in this process, to change what lies at `paths`.
    package func withTurn<Result, Failure>(
        at paths: FilePath..., body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withTurn(at: paths, body: body)
    }

    package func withTurn<Result, Failure>(
        at paths: [FilePath], body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try PathQueue.shared.withTurn(at: paths.map { turnKey($0) }, body)
    }

    /// The name in the directory that holds it, since links may lead there by several ways; the path itself where that
    /// directory is missing.
    func turnKey(_ path: FilePath) -> PathQueue.Key {
        guard let name = path.lastComponent else { return queueKey(path) }
        var parent = identity
        let directory = path.removingLastComponent()
        if !directory.isEmpty {
            guard let found = try? folder.folder(directory).status("").identity else { return queueKey(path) }
            parent = found
        }
        return PathQueue.Key(
            device: parent.device, inode: parent.inode, path: FilePath(root: nil, [name]).bytes)
    }

    package func queueKey(_ path: FilePath) -> PathQueue.Key {
        PathQueue.Key(device: identity.device, inode: identity.inode, path: path.bytes)
    }

    static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.utf8.first, first != UInt8(ascii: "."), text.utf8.count <= 155 else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }

    private static let identifierKey = "MCMMetadataIdentifier"
    private static let metadataLimit = 1 << 20

    private func writeMetadata(_ identifier: String) throws(FileSystemError) {
        let path = FilePath(Location.metadata.path)
        do {
            let bytes = try PropertyList.dictionary([(Self.identifierKey, .string(identifier))]).binary()
            try bytes.withUnsafeBytes { buffer in try Replace(durability: .full).write(buffer, to: path, in: folder) }
        } catch let error as ReplaceError {
            throw error.cause
        } catch { throw FileSystemError("write", path, .invalidArgument) }
    }

    private static func readMetadata(in folder: Folder) -> String? {
        for name in [Location.metadata.path, ".com.apple.containermanagerd.metadata.plist"] {
            guard let file = try? folder.open(FilePath(name), followingLinks: false),
                let bytes = try? file.contents(limit: metadataLimit),
                let graph = try? PropertyListGraph(parsing: bytes),
                let identifier = graph.root[identifierKey]?.string, isIdentifier(identifier)
            else { continue }
            return identifier
        }
        return nil
    }
}
