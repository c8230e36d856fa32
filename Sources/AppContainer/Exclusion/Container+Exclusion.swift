internal import FileSystem
package import SystemPackage

extension Container {
    /// Returns the backup exclusion of an item, which may be set on the item or on a parent directory.
    ///
    /// - Throws: `notFound`, `leavesContainer`, `noIdentifier`, `permissionDenied`, `failed`.
    public func exclusion(of item: ContainerPath) throws(ContainerError) -> BackupExclusion {
        var path = try relative(item)
        do throws(FileSystemError) {
            var foreign: BackupExclusion?
            // The item first, then each parent directory up to the container.
            while true {
                guard let marks = try ownMarks(path) else { return .unknown }
                if let mark = marks.first(where: \.isApple) {
                    return BackupExclusion(state: .excluded, mark: mark, carrier: path.string)
                }
                if foreign == nil, let mark = marks.first {
                    foreign = BackupExclusion(state: .included, mark: mark, carrier: path.string)
                }
                if path.isEmpty { return foreign ?? .included }
                path.removeLastComponent()
            }
        } catch { throw ContainerError(error) }
    }

    /// Returns the exclusion marks on the item itself, those that Apple's backups honor first.
    ///
    /// - Throws: The errors of `exclusion(of:)`; `noAttributes` if the file system stores none.
    package func ownMarks(of item: ContainerPath) throws(ContainerError) -> [ExclusionMark] {
        let path = try relative(item)
        do throws(FileSystemError) {
            guard let marks = try ownMarks(path) else {
                throw FileSystemError("list the attributes of", path: path, errno: .notSupportedOnSocket)
            }
            return marks
        } catch { throw ContainerError(error) }
    }

    /// Excludes a file or directory from backup (`isExcludedFromBackup`), with the bytes that macOS writes. The
    /// exclusion of a directory applies to its content and is not lost when files in it are saved. Exclude a directory
    /// of your own if possible.
    ///
    /// When the call returns, the exclusion of the item itself survives a power loss; with `recursively`, those of its
    /// content may not.
    ///
    /// - Parameters:
    ///   - item: The item to exclude. A symbolic link cannot be excluded; pass its target.
    ///   - recursively: True to exclude each file and directory in it too, for readers that ignore parent directories.
    ///   - force: True to allow a system-defined directory, which QA1719 advises against.
    /// - Throws: `systemDirectory`, `notFound`, `notAFile`, `leavesContainer`, `noIdentifier`, `permissionDenied`,
    ///   `noAttributes`, `durabilityUnknown`, `failed`.
    public func excludeFromBackup(
        _ item: ContainerPath, recursively: Bool = false, force: Bool = false
    ) throws(ContainerError) {
        let path = try relative(item)
        if !force { try refuseSystemDirectory(path) }
        try forEachItem(path, recursively: recursively) { file throws(FileSystemError) in
            try file.setAttribute(ExclusionMark.modern.rawValue, value: ExclusionMark.value)
        }
    }

    /// Removes every exclusion mark that Apple's backups honor from an item. The exclusion of a parent directory
    /// remains in effect. When the call returns, the change of the item itself survives a power loss.
    ///
    /// - Parameters:
    ///   - item: The item to include.
    ///   - recursively: True to remove the marks of its content too.
    /// - Throws: `notFound`, `notAFile`, `leavesContainer`, `noIdentifier`, `permissionDenied`, `noAttributes`,
    ///   `durabilityUnknown`, `failed`.
    public func includeInBackup(_ item: ContainerPath, recursively: Bool = false) throws(ContainerError) {
        try forEachItem(try relative(item), recursively: recursively) { file throws(FileSystemError) in
            for name in try file.attributes() where ExclusionMark(attribute: name)?.isApple == true {
                try file.removeAttribute(name)
            }
        }
    }

    /// Excludes an item from backup, or includes it if it has a mark of its own.
    ///
    /// - Returns: The new state. A parent directory may still exclude the item.
    /// - Throws: The errors of `excludeFromBackup`.
    @discardableResult
    package func toggleBackupExclusion(
        of item: ContainerPath, force: Bool = false
    ) throws(ContainerError) -> BackupExclusion {
        if try ownMarks(of: item).contains(where: \.isApple) {
            try includeInBackup(item)
        } else {
            try excludeFromBackup(item, force: force)
        }
        return try exclusion(of: item)
    }

    /// Returns all items with an exclusion mark of their own, sorted by path. The content of an excluded directory is
    /// not listed unless it has marks of its own.
    ///
    /// - Throws: `permissionDenied`, `noAttributes`, `failed`.
    public func excludedItems() throws(ContainerError) -> [ContainerPath] {
        var found: [FilePath] = []
        do throws(FileSystemError) {
            if try ownMarks("")?.contains(where: \.isApple) == true { found.append("") }
            try folder.visit("") { entry throws(FileSystemError) in
                guard entry.status.kind == .file || entry.status.kind == .directory else { return false }
                let names = try entry.open().attributes()
                if names.contains(where: { ExclusionMark(attribute: $0)?.isApple == true }) { found.append(entry.path) }
                return true
            }
        } catch { throw ContainerError(error) }
        return found.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map { containerPath($0) }
    }

    // MARK: - How

    package func refuseSystemDirectory(_ path: FilePath) throws(ContainerError) {
        guard let location = location(path.components.map(\.string)),
            Location.systemDefined.contains(location)
        else { return }
        throw ContainerError(
            .systemDirectory, path,
            "“\(location)” is a system-defined directory: the exclusion would apply to all of its content. "
                + "Exclude a directory of your own in it.")
    }

    /// Changes an item and flushes it to disk, then changes its content. Each item is locked during the change.
    func forEachItem(
        _ path: FilePath, recursively: Bool, change: (OpenFile) throws(FileSystemError) -> Void
    ) throws(ContainerError) {
        let item: OpenFile
        let unsettled: FileSystemError?
        let isDirectory: Bool
        do throws(FileSystemError) {
            (item, unsettled) = try withPathLock(at: path) { () throws(FileSystemError) in
                let item = try folder.open(path.isEmpty ? "." : path, followingLinks: false)
                let kind = try item.status().kind
                guard kind == .file || kind == .directory else {
                    throw FileSystemError("exclude the special file", path: path, errno: .invalidArgument)
                }
                try change(item)
                // Within the lock, so that a waiting caller finds a durable change. On Btrfs, saving a file in an
                // excluded directory does not flush the exclusion.
                do throws(FileSystemError) { try item.sync() } catch { return (item, error) }
                return (item, nil)
            }
            isDirectory = try item.status().kind == .directory
        } catch { throw ContainerError(error) }
        if let unsettled {
            throw ContainerError(
                .durabilityUnknown, path, errno: unsettled.errno,
                "\(unsettled). The change is visible but may not survive a power loss. Repeat it.")
        }
        guard recursively, isDirectory else { return }
        var changed = 1
        do throws(FileSystemError) {
            try folder.visit(path) { entry throws(FileSystemError) in
                guard entry.status.kind == .file || entry.status.kind == .directory else { return false }
                try withPathLock(at: entry.path) { () throws(FileSystemError) in
                    // A save may have replaced the file in the meantime.
                    try change(try entry.open())
                }
                changed += 1
                return true
            }
        } catch { throw ContainerError(error, onDisk: "Items changed before the failure: \(changed).") }
    }

    /// Returns nil if the file system cannot store attributes.
    private func ownMarks(_ path: FilePath) throws(FileSystemError) -> [ExclusionMark]? {
        let status = try folder.status(path)
        var marks: [ExclusionMark] = status.isNoDump ? [.noDump] : []
        guard status.kind == .file || status.kind == .directory else { return marks }
        guard let names = try attributeNames(at: path) else { return nil }
        let exclusions = names.compactMap { name in ExclusionMark(attribute: name).map { (name, $0) } }
        if !exclusions.isEmpty {
            let file = try folder.open(path.isEmpty ? "." : path, followingLinks: false)
            for (name, mark) in exclusions where mark.isMark(value: try file.attribute(name) ?? []) {
                marks.append(mark)
            }
        }
        if status.kind == .directory, isTagged(path) { marks.append(.cacheTag) }
        return marks.sorted { $0.order < $1.order }
    }

    /// Returns the names of the attributes of a file or directory; nil if the file system cannot store any.
    func attributeNames(at path: FilePath) throws(FileSystemError) -> [String]? {
        try Self.attributeNames(of: try folder.open(path.isEmpty ? "." : path, followingLinks: false))
    }

    static func attributeNames(of file: OpenFile) throws(FileSystemError) -> [String]? {
        do throws(FileSystemError) {
            let names = try file.attributes()
            // A file system without attributes (ramfs) may return an empty list and fail only when one is read.
            if names.isEmpty { _ = try file.attribute(ExclusionMark.modern.rawValue) }
            return names
        } catch {
            if error.errno == .notSupported || error.errno == .notSupportedOnSocket { return nil }
            throw error
        }
    }

    /// Returns true if a directory has a valid CACHEDIR.TAG.
    func isTagged(_ path: FilePath) -> Bool {
        let signature = ExclusionMark.cacheTagSignature
        let name = path.appending(ExclusionMark.cacheTag.rawValue)
        guard let tag = try? folder.open(name, followingLinks: false), (try? tag.status())?.kind == .file else {
            return false
        }
        return (try? tag.read(upTo: signature.count)) == signature
    }
}

extension ExclusionMark {
    fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
