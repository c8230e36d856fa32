package import FileSystem
internal import PropertyLists
public import SystemPackage

/// An app container on disk. All access to its files goes through this type.
///
/// No path and no symbolic link leads out of the container.
public struct Container: Sendable {
    /// The owner of a container.
    public enum Kind: String, Sendable { case application, group }

    /// The path of the container, as it was opened.
    public let location: FilePath
    /// The identifier of the app or group. Nil if unknown.
    public let bundleIdentifier: String?
    /// The provenance that saves record on files.
    public var recording = Provenance.Recording.standard
    /// Receives the events of this value, of its copies, and of the caches, values and other objects that are made with
    /// them from then on. It is called on the thread of the event, which waits for it, and must not call the object that the
    /// event is about.
    public var eventHandler: (@Sendable (ContainerEvent) -> Void)?
    package let folder: Folder
    /// The identity of the directory, independent of the path by which it was opened.
    private let identity: (device: UInt64, inode: UInt64)
    /// True if the volume takes names that differ only in case for the same, as APFS usually does on a Mac.
    package let ignoresCase: Bool

    /// The kind of the owner. The identifier of a group begins with `group.`, or its path shows it:
    /// `Shared/AppGroup/UUID`, `AppDomainGroup-group.com.example.app`.
    public let kind: Kind
    /// False for a copy that may have lost its attributes, so that the exclusion of an item without a mark is unknown.
    package var keepsAttributes = true
    /// False for an extracted copy, in which a file without blocks is no sign that its content is elsewhere.
    package var keepsHoles = true
    /// Removes the directory of a temporary container with the last copy of this value.
    var removal: DirectoryRemoval?

    private init(
        location: FilePath, bundleIdentifier: String?, kind: Kind? = nil, folder: Folder
    ) throws(FileSystemError) {
        self.location = location
        self.bundleIdentifier = bundleIdentifier
        self.kind = kind ?? (bundleIdentifier?.hasPrefix("group.") == true ? .group : .application)
        self.folder = folder
        identity = try folder.status("").identity
        ignoresCase = !folder.distinguishesCase(known: Self.knownDirectories)
    }

    /// The directories that identify a container. One of them is sufficient.
    package static let knownDirectories: [FilePath] = ["Documents", "Library", "tmp", "SystemData", "StoreKit"]

    /// Creates a container as the system does, with Documents, Library/Caches, Library/Preferences, SystemData, tmp and
    /// the metadata file with the identifier.
    ///
    /// - Parameters:
    ///   - path: The path of a directory that does not exist or is empty.
    ///   - bundleIdentifier: The app's identifier: letters, digits, `.` and `-`.
    /// - Returns: The open container.
    /// - Throws: `invalidPath`, `alreadyExists`, or an error of the file system.
    public static func create(at path: FilePath, bundleIdentifier: String) throws(ContainerError) -> Container {
        guard isIdentifier(bundleIdentifier) else {
            throw ContainerError(
                .invalidPath, path,
                "“\(bundleIdentifier)” is not a bundle identifier: use letters, digits, “.” and “-”, as in com.example.app."
            )
        }
        let folder: Folder
        do throws(FileSystemError) {
            folder = try Folder(makingIfAbsent: path)
            guard try folder.names().isEmpty else {
                throw FileSystemError(
                    "create a container in a directory that is not empty,", path: path, errno: .fileExists)
            }
        } catch { throw ContainerError(error) }
        do throws(FileSystemError) {
            for directory in ["Documents", "Library/Caches", "Library/Preferences", "SystemData", "tmp"] {
                try folder.createDirectories(FilePath(directory))
            }
            let container = try Container(location: path, bundleIdentifier: bundleIdentifier, folder: folder)
            try container.writeMetadata(bundleIdentifier)
            return container
        } catch { throw ContainerError(error, onDisk: "A part of the container may have been created.") }
    }

    /// Opens an existing container.
    ///
    /// - Parameters:
    ///   - path: The directory with Documents, Library and tmp. For a macOS app, also its parent directory, which
    ///     contains them in `Data`; for a download from a device, also the package `.xcappdata`, which contains them in
    ///     `AppData`. The container of a group or an extension that is recognized by its path, such as
    ///     `Shared/AppGroup/UUID`, may have none of them.
    ///   - bundleIdentifier: The identifier, if the container has none or a wrong one.
    ///   - age: Removes leftovers of interrupted saves that have not changed for this duration. Nil keeps them. See
    ///     `sweepLeftovers`.
    /// - Returns: The container. Without an identifier, paths that contain it cannot be resolved.
    /// - Throws: `notFound`, `notAFile`, `notAContainer`, `invalidPath` for an identifier that is a path,
    ///   `permissionDenied`, `failed`.
    public static func open(
        _ path: FilePath, bundleIdentifier: String? = nil, sweepingLeftoversOlderThan age: Duration? = nil
    ) throws(ContainerError) -> Container {
        let container = try open(path, bundleIdentifier: bundleIdentifier, calls: .live)
        if let age { try container.sweepLeftovers(olderThan: age) }
        return container
    }

    /// Opens a container with the system calls of a test.
    package static func open(
        _ path: FilePath, bundleIdentifier: String?, calls: Syscalls
    ) throws(ContainerError) -> Container {
        // Any identifier is accepted except a path, which would be resolved as one.
        if let bundleIdentifier,
            bundleIdentifier.utf8.contains(0) || FilePath.Component(bundleIdentifier)?.kind != .regular
        {
            throw ContainerError(
                .invalidPath, path,
                "“\(bundleIdentifier)” is not a bundle identifier: it is a path. Use an identifier such as com.example.app."
            )
        }
        let isEmpty: Bool
        do throws(FileSystemError) {
            let folder = try Folder(opening: path, calls: calls)
            let layout = DeviceLayout(of: path.physical(from: Invocation.current.workingDirectory.path))
            let mayLackDirectories = layout.map { $0.role != .data } ?? false
            var isFound = try isContainer(folder)
            if !isFound, mayLackDirectories { isFound = try !folder.names().isEmpty }
            if isFound {
                return try Container(
                    location: path,
                    bundleIdentifier: bundleIdentifier ?? readMetadata(in: folder) ?? layout?.identifier,
                    kind: layout?.role == .group ? .group : nil, folder: folder)
            }
            for name in dataDirectories {
                guard let data = try containerData(name, in: folder, at: path, calls: calls) else { continue }
                return try Container(
                    location: path.appending(name),
                    bundleIdentifier: bundleIdentifier ?? readMetadata(in: folder) ?? readMetadata(in: data)
                        ?? readPackageInformation(in: folder),
                    folder: data)
            }
            isEmpty = try folder.names().isEmpty
        } catch { throw ContainerError(reading: error) }
        let names = knownDirectories.map(\.string).joined(separator: ", ")
        throw ContainerError(
            .notAContainer, path,
            "“\(path)” is not an app container: \(isEmpty ? "it is empty" : "it holds none of \(names)"). "
                + "Use the directory that contains Documents and Library.")
    }

    /// Opens a directory that is known to be a container, even if it has none of the known directories, as the
    /// container of a group may.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - bundleIdentifier: The identifier, if the container does not record it.
    ///   - kind: The kind of the owner; nil for that of the identifier.
    /// - Returns: The container.
    /// - Throws: `notFound`, `notAFile`, `permissionDenied`, `failed`.
    package static func open(
        known path: FilePath, bundleIdentifier: String?, kind: Kind?
    ) throws(ContainerError) -> Container {
        do throws(FileSystemError) {
            let folder = try Folder(opening: path)
            return try Container(
                location: path, bundleIdentifier: readMetadata(in: folder) ?? bundleIdentifier, kind: kind,
                folder: folder)
        } catch { throw ContainerError(reading: error) }
    }

    /// The directories that contain the container of a macOS app, and of a package of Xcode.
    private static let dataDirectories: [FilePath.Component] = ["Data", "AppData"]

    private static func isContainer(_ folder: Folder) throws(FileSystemError) -> Bool {
        for directory in knownDirectories where try folder.statusIfPresent(directory)?.kind == .directory {
            return true
        }
        return false
    }

    /// A directory that has the structure of an iOS app's container.
    private static func containerData(
        _ name: FilePath.Component, in folder: Folder, at path: FilePath, calls: Syscalls
    ) throws(FileSystemError) -> Folder? {
        guard try folder.statusIfPresent(FilePath(root: nil, [name]))?.kind == .directory else { return nil }
        let data = try Folder(opening: path.appending(name), calls: calls)
        return try isContainer(data) ? data : nil
    }

    /// Returns true if a directory contains the metadata file with an identifier.
    package static func recordsIdentifier(_ folder: Folder) -> Bool { readMetadata(in: folder) != nil }

    /// Opens the bundle of an installed app, which can be read like a container.
    ///
    /// - Throws: `notAContainer` if the directory is not an app bundle; `notFound`, `notAFile`, `permissionDenied`,
    ///   `failed`.
    package static func open(appBundle path: FilePath) throws(ContainerError) -> Container {
        let folder: Folder
        do throws(FileSystemError) { folder = try Folder(opening: path) } catch { throw ContainerError(error) }
        // On macOS the content of a bundle is in Contents.
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
            "“\(path)” is not an app bundle: it contains no Info.plist or Contents/Info.plist of an app. "
                + "Use the directory that Xcode builds or the device installs, such as Reader.app.")
    }

    /// Returns true if both containers are the same directory, independent of the paths by which they were opened.
    package func isSameDirectory(as other: Container) -> Bool { identity == other.identity }

    /// Runs `body` while `paths` are locked within this process.
    package func withPathLock<Result, Failure>(
        at paths: FilePath..., body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withPathLock(at: paths, body: body)
    }

    package func withPathLock<Result, Failure>(
        at paths: [FilePath], body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try PathLocks.shared.withLocks(at: paths.map { lockKey($0) }, body)
    }

    /// The name and the identity of its parent directory, because links may lead there by several paths. The path
    /// itself if the parent is missing.
    func lockKey(_ path: FilePath) -> PathLocks.Key {
        guard let (directory, name) = path.split else { return directoryLockKey(path) }
        var parent = identity
        if !directory.isEmpty {
            guard let found = try? folder.openFolder(directory).status("").identity else {
                return directoryLockKey(path)
            }
            parent = found
        }
        return PathLocks.Key(identity: parent, path: name, ignoringCase: ignoresCase)
    }

    package func directoryLockKey(_ path: FilePath) -> PathLocks.Key {
        PathLocks.Key(identity: identity, path: path, ignoringCase: ignoresCase)
    }

    package static func isIdentifier(_ text: String) -> Bool {
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
            try bytes.withUnsafeBytes { buffer in try AtomicWrite(durability: .full).write(buffer, to: path, in: folder)
            }
        } catch let error as AtomicWriteError {
            throw error.cause
        } catch { throw FileSystemError("write", path: path, errno: .invalidArgument) }
    }

    private static func readMetadata(in folder: Folder) -> String? {
        let names = [Location.metadata.path, ".com.apple.containermanagerd.metadata.plist"]
        return names.lazy.compactMap { readIdentifier(identifierKey, of: $0, in: folder) }.first
    }

    /// The identifier that Xcode records in a package `.xcappdata`.
    private static func readPackageInformation(in folder: Folder) -> String? {
        readIdentifier("CFBundleIdentifier", of: "AppDataInfo.plist", in: folder)
    }

    private static func readIdentifier(_ key: String, of name: String, in folder: Folder) -> String? {
        guard let file = try? folder.open(FilePath(name), followingLinks: false),
            let bytes = try? file.contents(limit: metadataLimit), let graph = try? PropertyListGraph(parsing: bytes),
            let identifier = graph.root[key]?.string, isIdentifier(identifier)
        else { return nil }
        return identifier
    }
}
