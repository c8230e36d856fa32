internal import FileSystem
internal import SystemPackage

extension Container {
    /// Whether an item is kept out of backups by a flag of its own or of a directory above it.
    ///
    /// - Throws: `notFound`, `leavesContainer`, `noIdentifier`, `permissionDenied`, `failed`.
    public func exclusion(of place: ContainerPath) throws(ContainerError) -> BackupExclusion {
        var path = try relative(place)
        do throws(FileSystemError) {
            var foreign: BackupExclusion?
            // The item itself first, then each directory above it up to the container.
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

    /// The marks on the item itself, those that Apple's backups heed first.
    ///
    /// - Throws: As `exclusion(of:)` does; `noAttributes` where the file system cannot carry any.
    public func ownMarks(of place: ContainerPath) throws(ContainerError) -> [ExclusionMark] {
        let path = try relative(place)
        do throws(FileSystemError) {
            guard let marks = try ownMarks(path) else {
                throw FileSystemError("list the attributes of", path, .notSupportedOnSocket)
            }
            return marks
        } catch { throw ContainerError(error) }
    }

    /// Flags a file or directory do-not-back-up, with the bytes that macOS writes. A directory's flag covers all
    /// that is in it, and survives how its files are saved; flag a directory of your own where you can.
    ///
    /// When it returns, the item's own flag survives a power cut; those of what is in it may not yet.
    ///
    /// - Parameters:
    ///   - place: What is to be left out. A symbolic link carries no flag: name what it points to.
    ///   - recursively: Whether each file and directory in it gets a flag of its own too, for readers that do not
    ///     look at directories above.
    ///   - force: Whether a system-defined directory may be flagged, which QA1719 advises against.
    /// - Throws: `systemDirectory`, `notFound`, `notAFile`, `leavesContainer`, `noIdentifier`, `permissionDenied`,
    ///   `noAttributes`, `durabilityUnknown`, `failed`.
    public func excludeFromBackup(
        _ place: ContainerPath, recursively: Bool = false, force: Bool = false
    ) throws(ContainerError) {
        let path = try relative(place)
        if !force { try refuseSystemDirectory(path) }
        try forEachItem(path, recursively) { file throws(FileSystemError) in
            try file.setAttribute(ExclusionMark.modern.rawValue, ExclusionMark.value)
        }
    }

    /// Takes every mark that Apple's backups heed off an item; a directory's above it stays in force. As with the
    /// flag, the item's own change is there to stay.
    ///
    /// - Parameters:
    ///   - place: What is to be backed up.
    ///   - recursively: Whether the marks of all that is in it go as well.
    /// - Throws: `notFound`, `notAFile`, `leavesContainer`, `noIdentifier`, `permissionDenied`, `noAttributes`,
    ///   `durabilityUnknown`, `failed`.
    public func includeInBackup(_ place: ContainerPath, recursively: Bool = false) throws(ContainerError) {
        try forEachItem(try relative(place), recursively) { file throws(FileSystemError) in
            for name in try file.attributes() where ExclusionMark(attribute: name)?.isApple == true {
                try file.removeAttribute(name)
            }
        }
    }

    /// Flags an item that has no flag of its own, and takes off the flag of one that has.
    ///
    /// - Returns: What is true of the item now; a directory's flag above it may still exclude it.
    /// - Throws: As `excludeFromBackup` does.
    @discardableResult
    public func toggleBackupExclusion(
        of place: ContainerPath, force: Bool = false
    ) throws(ContainerError) -> BackupExclusion {
        if try ownMarks(of: place).contains(where: \.isApple) {
            try includeInBackup(place)
        } else {
            try excludeFromBackup(place, force: force)
        }
        return try exclusion(of: place)
    }

    /// Everything that carries a flag of its own, sorted by path; what lies in a flagged directory is excluded with
    /// it and is named only if it has one too.
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
        return try found.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map {
            path throws(ContainerError) in try place(path)
        }
    }

    // MARK: - How

    private func refuseSystemDirectory(_ path: FilePath) throws(ContainerError) {
        let components = path.components.map(\.string)
        guard let location = Location.exactly(components, bundleIdentifier: bundleIdentifier),
            Location.systemDefined.contains(location)
        else { return }
        throw ContainerError(
            .systemDirectory, path,
            "“\(location)” is the system's: flagging it would keep all of it out of backups. "
                + "Flag a directory of your own in it.")
    }

    /// Changes an item and brings that down to the medium, then what is in it, each when it is this caller's turn.
    func forEachItem(
        _ path: FilePath, _ recursively: Bool, change: (OpenFile) throws(FileSystemError) -> Void
    ) throws(ContainerError) {
        let item: OpenFile
        let unsettled: FileSystemError?
        let isDirectory: Bool
        do throws(FileSystemError) {
            (item, unsettled) = try withTurn(at: path) { () throws(FileSystemError) in
                let item = try folder.open(path.isEmpty ? "." : path, followingLinks: false)
                let kind = try item.status().kind
                guard kind == .file || kind == .directory else {
                    throw FileSystemError("flag the special file", path, .invalidArgument)
                }
                try change(item)
                // Within the turn, so that whoever waits for it finds a change that is there to stay. A file that is
                // saved beneath a flagged directory takes nothing of that down with it on Btrfs.
                do throws(FileSystemError) { try item.sync() } catch { return (item, error) }
                return (item, nil)
            }
            isDirectory = try item.status().kind == .directory
        } catch { throw ContainerError(error) }
        if let unsettled {
            throw ContainerError(
                .durabilityUnknown, path, errno: unsettled.errno,
                "\(unsettled). The change is visible, but a power cut may still undo it. Make it once more.")
        }
        guard recursively, isDirectory else { return }
        var changed = 1
        do throws(FileSystemError) {
            try folder.visit(path) { entry throws(FileSystemError) in
                guard entry.status.kind == .file || entry.status.kind == .directory else { return false }
                try withTurn(at: entry.path) { () throws(FileSystemError) in
                    // A save may have put another file there meanwhile.
                    try change(try entry.open())
                }
                changed += 1
                return true
            }
        } catch { throw ContainerError(error, onDisk: "Items changed before it: \(changed).") }
    }

    /// Nil where the file system cannot carry attributes.
    private func ownMarks(_ path: FilePath) throws(FileSystemError) -> [ExclusionMark]? {
        let status = try folder.status(path)
        var marks: [ExclusionMark] = status.isNoDump ? [.noDump] : []
        guard status.kind == .file || status.kind == .directory else { return marks }
        let file = try folder.open(path.isEmpty ? "." : path, followingLinks: false)
        do {
            let names = try file.attributes()
            // A file system without attributes (ramfs) may list none, and says so only when one is asked for.
            if names.isEmpty { _ = try file.attribute(ExclusionMark.modern.rawValue) }
            for name in names {
                guard let mark = ExclusionMark(attribute: name) else { continue }
                if mark.isMark(value: try file.attribute(name) ?? []) { marks.append(mark) }
            }
        } catch {
            if error.errno == .notSupported || error.errno == .notSupportedOnSocket { return nil }
            throw error
        }
        if status.kind == .directory, isTagged(path) { marks.append(.cacheTag) }
        return marks.sorted { $0.order < $1.order }
    }

    private func isTagged(_ path: FilePath) -> Bool {
        let signature = ExclusionMark.cacheTagSignature
        let tag = try? folder.open(path.appending(ExclusionMark.cacheTag.rawValue), followingLinks: false)
        return (try? tag?.read(upTo: signature.count)) == signature
    }
}

extension ExclusionMark {
    fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
