internal import AppContainer
internal import FileSystem
internal import SystemPackage

/// A search for the containers in a directory, in bounded time.
///
/// Known layouts are read by their fixed paths: a simulated device (`data/Containers/Data/Application/UUID`), the file
/// system of a device (`private/var/mobile/Containers`), `~/Library/Containers` of a Mac. Any other directory is searched
/// four levels deep. A directory that contains only another directory does not count as a level, because exports and
/// archives are wrapped in such directories. Links are not followed.
struct ContainerSearch {
    /// The containers of an input.
    struct Result {
        var kind: InputKind
        var containers: [InputContainer]
        /// The contents of the app bundles that are installed beside the containers.
        var bundles: [AppContents] = []
        /// True if the search ended at a limit.
        var isTruncated = false
        /// The directories and containers that could not be read.
        var unreadable: [String] = []
        /// The identifiers of containers that were not selected, and therefore not extracted.
        var others: Set<String> = []
        /// Notes for the user, one sentence each.
        var notes: [String] = []
        /// The parts of the input that were not read, one or two sentences each.
        var gaps: [String] = []
    }

    static let maximumDepth = 4
    /// The levels with those that do not count.
    private static let mostWrappers = 64
    /// The directories that are read, and the containers that are opened.
    private static let mostDirectories = 20_000
    static let mostContainers = 5_000
    private static let mostEntries = 500_000
    private static let longest: UInt64 = 30_000_000_000

    private static let bundles: FilePath = "Bundle/Application"

    let root: FilePath
    /// The name of the directory in messages.
    let shown: String
    private var containers: [InputContainer] = []
    private var found: [AppContents] = []
    var directories = 0
    private var entries = 0
    private let started = Host.uptime
    private var isTruncated = false
    private var unreadable: [String] = []

    private init(_ root: FilePath, shown: String) { (self.root, self.shown) = (root, shown) }

    /// Returns the containers in content that was copied or extracted.
    ///
    /// - Parameters:
    ///   - scratch: The directory with the content. It is kept as long as the containers.
    ///   - shown: The name of the content in messages.
    ///   - keepsAttributes: True if the content has the attributes of the original; nil if that is not known. Then an
    ///     exclusion mark on any item shows it.
    ///   - bundleIdentifiers: The selected identifiers. See `containers(at:)`.
    /// - Returns: The containers, with their labels.
    /// - Throws: `InputError` if no container is found.
    static func containers(
        in scratch: ScratchFolder, shown: String, keepsAttributes: Bool?, bundleIdentifiers: [String]
    ) throws(InputError) -> Result {
        var result = try containers(at: scratch.path, shown: shown, bundleIdentifiers: bundleIdentifiers)
        result.containers = result.containers.map { found in
            var container = found.container
            container.keepsAttributes = keepsAttributes ?? MarkSearch.hasMarks(container)
            container.keepsHoles = false
            return InputContainer(
                container, role: found.role,
                label: container.bundleIdentifier ?? FilePath(shown).lastComponent?.string ?? shown,
                relativePath: found.relativePath, scratch: scratch)
        }
        return result
    }

    /// Returns the containers at a path: the directory itself, or those below it.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - shown: The name of the directory in messages.
    ///   - bundleIdentifiers: The selected identifiers. The only container gets the only identifier if it records none.
    /// - Returns: The containers.
    /// - Throws: `InputError` if no container is found, with what was found instead.
    static func containers(
        at path: FilePath, shown: String, bundleIdentifiers: [String] = []
    ) throws(InputError) -> Result {
        var result = try search(path, shown: shown)
        guard let identifier = bundleIdentifiers.first, bundleIdentifiers.count == 1,
            let found = result.containers.first, result.containers.count == 1,
            found.container.bundleIdentifier == nil
        else { return result }
        do throws(ContainerError) {
            let location = found.container.location
            let container = try container(at: location, found.role, identifier: identifier)
            result.containers = [
                InputContainer(
                    container, role: container.kind == .group ? .group : found.role, label: found.label,
                    relativePath: found.relativePath)
            ]
        } catch { throw InputError(error) }
        return result
    }

    private static func search(_ path: FilePath, shown: String) throws(InputError) -> Result {
        let folder: Folder
        do throws(FileSystemError) { folder = try Folder(opening: path) } catch {
            throw InputError(ContainerError(reading: error))
        }
        let whole = path.physical(from: Invocation.current.workingDirectory.path)
        let layout = DeviceLayout(of: whole)
        var search = ContainerSearch(path, shown: shown)
        // The `data` directory of a simulated device also has Library and tmp.
        if layout == nil, let (holder, prefix) = search.layoutHolder(folder) {
            search.readLayouts(of: holder, at: prefix)
            if !search.containers.isEmpty { return search.result(prefix.isEmpty ? .folder : .simulatorDevice) }
        }
        if let container = try? Container.open(path) {
            let kind: InputKind =
                container.location == path
                ? .container
                : container.location.ends(with: "AppData")
                    ? .xcappdata
                    : .macOSContainer
            return Result(
                kind: kind, containers: [InputContainer(container, role: layout?.role ?? role(of: container))])
        }
        if let holder = DeviceLayout.role(ofContainersIn: whole) {
            search.readContainers(in: folder, at: "", role: holder)
        } else {
            search.descend(into: folder, at: "", depth: 0)
        }
        guard !search.containers.isEmpty else { throw search.failure(folder) }
        return search.result(.folder)
    }

    private func result(_ kind: InputKind) -> Result {
        Result(
            kind: kind, containers: containers, bundles: found, isTruncated: isTruncated,
            unreadable: unreadable)
    }

    private static func role(of container: Container) -> InputContainer.Role {
        container.kind == .group ? .group : .data
    }

    /// Opens a directory whose path shows its role. The containers of groups and extensions may have none of the
    /// directories of an app. `identifier` is that of a container that records none.
    private static func container(
        at path: FilePath, _ role: InputContainer.Role, identifier: String?
    ) throws(ContainerError) -> Container {
        guard role == .data else {
            return try Container.open(
                known: path, bundleIdentifier: identifier, kind: role == .group ? .group : .application)
        }
        let container = try Container.open(path)
        guard container.bundleIdentifier == nil, let identifier else { return container }
        return try Container.open(path, bundleIdentifier: identifier)
    }

    // MARK: - Reading directories

    private mutating func mayContinue() -> Bool {
        directories += 1
        if directories > Self.mostDirectories || containers.count >= Self.mostContainers
            || Host.uptime - started > Self.longest
        {
            isTruncated = true
        }
        return !isTruncated
    }

    /// Returns the names in a directory, and records one that cannot be read.
    private mutating func names(in folder: Folder, at path: FilePath) -> [FilePath] {
        var count = entries
        defer {
            entries = count
            if count > Self.mostEntries { isTruncated = true }
        }
        do throws(FileSystemError) {
            return try folder.names { _ in
                count += 1
                return count <= Self.mostEntries
            }
        } catch {
            unreadable.append(path.string)
            return []
        }
    }

    /// Opens a directory in another one, and records one that cannot be read. Returns nil for other items.
    private mutating func subdirectory(_ name: FilePath, of folder: Folder, at path: FilePath) -> Folder? {
        guard (try? folder.status(name))?.kind == .directory else { return nil }
        do throws(FileSystemError) { return try folder.openFolder(noFollow: name) } catch {
            unreadable.append(path.string)
            return nil
        }
    }

    func isDirectory(_ path: FilePath, in folder: Folder) -> Bool { child(path, of: folder) != nil }

    /// Opens a directory below another one. Does not follow links.
    private func child(_ path: FilePath, of folder: Folder) -> Folder? {
        var folder = folder
        for name in path.names {
            guard let next = try? folder.openFolder(noFollow: name) else { return nil }
            folder = next
        }
        return folder
    }

    /// Reads the containers of a `Containers` directory of iOS.
    private mutating func readLayouts(of holder: Folder, at path: FilePath) {
        for layout in DeviceLayout.directories {
            guard let folder = child(layout.path, of: holder) else { continue }
            readContainers(in: folder, at: path.appending(layout.path.components), role: layout.role)
        }
        guard let folder = child(Self.bundles, of: holder) else { return }
        let bundles = root.appending(path.components).appending(Self.bundles.components)
        for name in names(in: folder, at: path.appending(Self.bundles.components)) where mayContinue() {
            guard let installed = child(name, of: folder) else { continue }
            for app in (try? installed.names()) ?? [] where app.string.hasSuffix(".app") {
                let location = bundles.appending(name.components).appending(app.components)
                if let contents = try? AppContents(at: location) { found.append(contents) }
            }
        }
    }

    /// Reads a directory in which every directory is a container.
    private mutating func readContainers(in folder: Folder, at path: FilePath, role: InputContainer.Role) {
        for name in names(in: folder, at: path) where !DeviceLayout.isUndoFolder(name) {
            guard mayContinue() else { return }
            let own = path.appending(name.components)
            guard let directory = subdirectory(name, of: folder, at: own),
                !names(in: directory, at: own).isEmpty
            else { continue }
            let location = root.appending(own.components)
            add(location, role: role, identifier: DeviceLayout(of: location)?.identifier, at: own)
        }
    }

    /// Opens a container by its role and adds it. Other directories are ignored: the lint has nothing to report about them.
    private mutating func add(
        _ location: FilePath, role: InputContainer.Role, identifier: String?, at path: FilePath
    ) {
        do throws(ContainerError) {
            add(try Self.container(at: location, role, identifier: identifier), role: role, at: path)
        } catch {
            if error.code != .notAContainer { unreadable.append(path.string) }
        }
    }

    private mutating func add(_ container: Container, role: InputContainer.Role, at path: FilePath) {
        containers.append(
            InputContainer(
                container, role: role, label: container.bundleIdentifier, relativePath: path.string))
    }

    /// Searches a directory of unknown layout.
    private mutating func descend(into folder: Folder, at path: FilePath, depth: Int) {
        guard depth < Self.maximumDepth, path.names.count < Self.mostWrappers, mayContinue() else { return }
        let names = names(in: folder, at: path).filter { !DeviceLayout.isUndoFolder($0) }
        let isWrapper = names.count { !Self.unimportant.contains($0.string) } == 1
        for name in names {
            guard !isTruncated else { return }
            let own = path.appending(name.components)
            guard let directory = subdirectory(name, of: folder, at: own) else { continue }
            if let role = DeviceLayout.role(ofContainersIn: name) {
                readContainers(in: directory, at: own, role: role)
            } else if let layout = DeviceLayout(of: name) {
                if (try? directory.names().isEmpty) == false {
                    add(root.appending(own.components), role: layout.role, identifier: layout.identifier, at: own)
                }
            } else if let (holder, prefix) = layoutHolder(directory) {
                readLayouts(of: holder, at: own.appending(prefix.components))
            } else if let container = container(directory, at: own) {
                add(container, role: Self.role(of: container), at: own)
            } else {
                descend(into: directory, at: own, depth: isWrapper ? depth : depth + 1)
            }
        }
    }

    /// The `Containers` directory of iOS in a directory: of a simulated device, of its `data`, or the directory itself.
    private func layoutHolder(_ folder: Folder) -> (holder: Folder, prefix: FilePath)? {
        for prefix in ["data/Containers", "Containers", ""] as [FilePath] {
            guard let holder = prefix.isEmpty ? folder : child(prefix, of: folder),
                DeviceLayout.directories.contains(where: { isDirectory($0.path, in: holder) })
            else { continue }
            return (holder, prefix)
        }
        return nil
    }

    /// Opens a directory that is certainly a container: tmp alone, which other software has as well, does not suffice.
    private mutating func container(_ folder: Folder, at path: FilePath) -> Container? {
        let location = root.appending(path.components)
        let hasNames = Self.names.contains { isDirectory($0, in: folder) }
        let isPackage = ["Data", "AppData"].contains { holder in
            child(FilePath(holder), of: folder).map { data in Self.names.contains { isDirectory($0, in: data) } }
                ?? false
        }
        guard hasNames || isPackage || Container.recordsIdentifier(folder) else { return nil }
        do throws(ContainerError) {
            guard hasNames || isPackage else {
                return try Container.open(known: location, bundleIdentifier: nil, kind: nil)
            }
            let container = try Container.open(location)
            guard container.bundleIdentifier == nil, isPackage, let name = path.lastComponent?.string,
                name.contains("."), !name.hasSuffix(".xcappdata"), Container.isIdentifier(name)
            else { return container }
            // A Mac names the directory of an app's container after its identifier.
            return try Container.open(location, bundleIdentifier: name)
        } catch {
            unreadable.append(path.string)
            return nil
        }
    }

    private static let names: [FilePath] = ["Documents", "Library"]
    /// The names of items that macOS writes beside the content of an archive or a directory.
    private static let unimportant: Set<String> = [".DS_Store", "__MACOSX"]
}
