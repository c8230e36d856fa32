package import AppContainer
internal import FileSystem
internal import StoragePolicy
internal import SystemPackage
internal import TextOutput

/// Changes by raw paths, for the screen. A path is relative to the container and has the bytes on disk.
///
/// Each call is one entry of the history. A failed change does not prevent the others, and is in the report with its reason.
/// `ChangeReport.message` is the text for a message line.
extension ContainerEditor {
    /// Deletes items with everything below them.
    ///
    /// - Parameters:
    ///   - paths: The items. Those below another one are ignored.
    ///   - forGood: True to delete without an undo.
    ///   - losesContent: True if the user has confirmed that the deletion cannot be reverted, because of `undoObstacle(to:)`.
    /// - Returns: The changes.
    /// - Throws: `refused` for directories of the system, `cancelled`, `failed` if the items cannot be kept for an undo.
    package func delete(
        _ paths: [[UInt8]], forGood: Bool = false, losesContent: Bool = false
    ) throws -> ChangeReport {
        let paths = Self.topmost(try paths.map { try Self.checked($0) })
        try refuseSystemDirectories(paths, "deleted")
        let changes = paths.map { path in
            ItemChange(change: change(.delete, path, of: container.folder), work: .delete(FilePath(bytes: path)))
        }
        guard forGood else { return try perform(changes, as: .delete, losesContent: losesContent) }
        return try container.withLock { performDirectly(changes, because: ChangeReport.asRequested) }
    }

    /// Copies items into a directory of the container.
    ///
    /// - Throws: `cancelled`; then nothing has changed.
    package func copy(_ paths: [[UInt8]], into directory: [UInt8]) throws -> ChangeReport {
        try transfer(paths, into: directory, .copy) { .copy(.item($0), to: $1, replaces: false) }
    }

    /// Moves items into a directory of the container.
    ///
    /// - Parameters:
    ///   - paths: The items.
    ///   - directory: The directory, which is created if it is missing.
    ///   - allowsUserData: True to move items that may be user data to a directory that is not backed up.
    /// - Returns: The changes.
    /// - Throws: `refused` for directories of the system, and for user data.
    package func move(
        _ paths: [[UInt8]], into directory: [UInt8], allowsUserData: Bool = false
    ) throws -> ChangeReport {
        try refuseSystemDirectories(paths, "moved")
        if !allowsUserData { try requireBackup(of: directory, moving: paths) }
        return try transfer(paths, into: directory, .move) { .move($0, to: $1, replaces: false) }
    }

    /// Gives an item another name in its directory.
    ///
    /// - Throws: `usage` for a name with a slash, `.`, `..` and an empty one; `refused` for directories of the system.
    package func rename(_ path: [UInt8], to name: [UInt8]) throws -> ChangeReport {
        try refuseSystemDirectories([path], "renamed")
        let target = Self.joined(Self.parent(try Self.checked(path)), try Self.checkedName(name))
        var change = change(.move, path, of: container.folder)
        change.target = ByteText.escaped(target)
        let work = ItemChange.Work.move(FilePath(bytes: path), to: FilePath(bytes: target), replaces: false)
        return try perform([ItemChange(change: change, work: work)], as: .move, to: FilePath(bytes: target))
    }

    /// Gives several items other names, each in its directory. Items that keep their name are left out of the changes.
    ///
    /// - Parameters:
    ///   - paths: The items, in the order of their numbers.
    ///   - pattern: The new names.
    ///   - isPlan: True to change nothing.
    /// - Returns: The changes, in an order in which each new name is free.
    /// - Throws: `usage` if a new name is no name, or is that of another item, and if no name would change; `refused` for
    ///   directories of the system. Nothing has changed.
    package func rename(_ paths: [[UInt8]], by pattern: RenamePattern, isPlan: Bool = false) throws -> ChangeReport {
        try refuseSystemDirectories(paths, "renamed")
        if !isPlan { try recover(within: .seconds(10)) }
        let renamed = try NewNames(paths.map { try Self.checked($0) }, by: pattern, in: container.folder).ordered()
        let changes = renamed.map { path, target in
            var change = change(.move, path, of: container.folder)
            change.target = ByteText.escaped(target)
            return ItemChange(
                change: change, work: .move(FilePath(bytes: path), to: FilePath(bytes: target), replaces: false))
        }
        guard isPlan else {
            let parents = Set(renamed.map { Self.parent($0.path) })
            let directory = parents.count == 1 ? parents.first.map { FilePath(bytes: $0) } : nil
            return try perform(changes, as: .move, to: directory)
        }
        var report = ChangeReport(isPlan: true)
        for item in changes { report.make(item.change) { nil } }
        return report
    }

    /// Creates a directory in one of the container.
    ///
    /// - Throws: `usage` for a name with a slash, `.`, `..` and an empty one.
    package func makeDirectory(_ name: [UInt8], in directory: [UInt8]) throws -> ChangeReport {
        let path = Self.joined(try Self.checked(directory), try Self.checkedName(name))
        try recover(within: .seconds(10))
        if try container.folder.statusIfPresent(FilePath(bytes: path)) != nil {
            throw ExplorerError(
                .usage,
                description: "“\(ByteText.escaped(path))” exists. Nothing on disk has changed. Use another name.")
        }
        let change = ChangeReport.Change(.create, path: ByteText.escaped(path))
        return try perform([ItemChange(change: change, work: .createDirectory(FilePath(bytes: path)))], as: .create)
    }

    /// Excludes items from backup. The caller asks before user data is excluded.
    package func exclude(_ paths: [[UInt8]], recursively: Bool = false) throws -> ChangeReport {
        try perform(
            paths.map { path in
                ItemChange(
                    change: change(.exclude, try Self.checked(path), of: container.folder),
                    work: .exclude(FilePath(bytes: path), recursively: recursively))
            }, as: .exclude)
    }

    /// Removes the backup exclusions of items.
    package func include(_ paths: [[UInt8]], recursively: Bool = false) throws -> ChangeReport {
        try perform(
            paths.map { path in
                ItemChange(
                    change: change(.include, try Self.checked(path), of: container.folder),
                    work: .include(FilePath(bytes: path), recursively: recursively))
            }, as: .include)
    }

    /// Copies items of another container into a directory of this one.
    ///
    /// - Parameters:
    ///   - paths: The items, relative to the other container.
    ///   - other: The other container, which is only read.
    ///   - directory: The directory in this container.
    /// - Returns: The changes.
    /// - Throws: `usage`, `cancelled`.
    package func put(_ paths: [[UInt8]], of other: Container, into directory: [UInt8]) throws -> ChangeReport {
        try transfer(paths, of: other.folder, into: directory, .copy) {
            .copy(.outside(other.folder, $0), to: $1, replaces: false)
        }
    }

    // MARK: - Paths

    private func transfer(
        _ paths: [[UInt8]], of folder: Folder? = nil, into directory: [UInt8], _ action: ChangeReport.Action,
        _ work: (FilePath, FilePath) -> ItemChange.Work
    ) throws -> ChangeReport {
        let directory = try Self.checked(directory)
        let changes = try Self.topmost(paths.map { try Self.checked($0) }).map { path in
            guard !path.isEmpty else {
                throw ExplorerError(
                    .usage, description: "the container itself cannot be transferred. Choose items in it.")
            }
            let target = Self.joined(directory, Array(path.split(separator: UInt8(ascii: "/")).last ?? []))
            var change = change(action, path, of: folder ?? container.folder)
            change.target = ByteText.escaped(target)
            return ItemChange(change: change, work: work(FilePath(bytes: path), FilePath(bytes: target)))
        }
        return try perform(changes, as: action, to: FilePath(bytes: directory))
    }

    /// Returns a change with the size of the item.
    private func change(
        _ action: ChangeReport.Action, _ path: [UInt8], of folder: Folder
    ) -> ChangeReport.Change {
        var (items, bytes) = (1, UInt64(0))
        let item = FilePath(bytes: path)
        do throws(FileSystemError) {
            let status = try folder.status(item)
            if status.isFile { bytes = status.size }
            if status.kind == .directory {
                try folder.visit(item) { entry throws(FileSystemError) in
                    items += 1
                    if entry.status.isFile { bytes = bytes.addingReportingOverflow(entry.status.size).partialValue }
                    return true
                }
            }
        } catch {
            // The change itself finds the reason.
        }
        return ChangeReport.Change(
            action, path: path.isEmpty ? "." : ByteText.escaped(path), items: items, bytes: bytes)
    }

    private func requireBackup(of directory: [UInt8], moving paths: [[UInt8]]) throws {
        let target = ContainerPath(components: FilePath(bytes: directory))
        guard try !container.backupDecision(of: target, mayBeMissing: true).isStored else { return }
        try ItemChanges(self).requireProof(
            forItemsAt: paths, to: "moving", hint: "Confirm the move to do it nevertheless")
    }

    private func refuseSystemDirectories(_ paths: [[UInt8]], _ participle: String) throws(ExplorerError) {
        for path in paths {
            guard let location = container.location(FilePath(bytes: path).components.map(\.string)),
                Location.systemDefined.contains(location)
            else { continue }
            throw ExplorerError(
                .refused,
                description: "“\(location)” is a directory of every container. Nothing was \(participle). "
                    + "Choose items in it.")
        }
    }

    private static func checked(_ path: [UInt8]) throws(ExplorerError) -> [UInt8] { try PathArgument(path).bytes }

    static func checkedName(_ name: [UInt8]) throws(ExplorerError) -> [UInt8] {
        guard !name.isEmpty, !name.contains(UInt8(ascii: "/")), !name.contains(0), name.count <= 255,
            !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8)
        else {
            throw ExplorerError(
                .usage,
                description:
                    "“\(ByteText.escaped(name))” is not a name. Nothing on disk has changed. Use 1 to 255 bytes "
                    + "without a slash, other than “.” and “..”.")
        }
        return name
    }

    static func parent(_ path: [UInt8]) -> [UInt8] {
        path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[..<$0]) } ?? []
    }

    static func joined(_ directory: [UInt8], _ name: [UInt8]) -> [UInt8] {
        directory.isEmpty ? name : directory + [UInt8(ascii: "/")] + name
    }

    /// Returns the paths without those below another one, each once.
    private static func topmost(_ paths: [[UInt8]]) -> [[UInt8]] {
        let all = Set(paths)
        var seen: Set<[UInt8]> = []
        return paths.filter { path in
            var above = parent(path)
            while !above.isEmpty {
                if all.contains(above) { return false }
                above = parent(above)
            }
            return seen.insert(path).inserted
        }
    }
}
