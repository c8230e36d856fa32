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
    /// - Parameters:
    ///   - place: What is to be left out.
    ///   - force: Whether a system-defined directory may be flagged, which QA1719 advises against.
    /// - Throws: `systemDirectory`, `notFound`, `leavesContainer`, `noIdentifier`, `permissionDenied`,
    ///   `noAttributes`, `failed`.
    public func excludeFromBackup(_ place: ContainerPath, force: Bool = false) throws(ContainerError) {
        let path = try relative(place)
        let components = path.components.map(\.string)
        if !force, let location = Location.exactly(components, bundleIdentifier: bundleIdentifier),
            Location.systemDefined.contains(location)
        {
            throw ContainerError(
                .systemDirectory, path,
                "“\(location)” is the system's: flagging it would keep all of it out of backups. "
                    + "Flag a directory of your own in it.")
        }
        do throws(FileSystemError) {
            let file = try folder.open(path)
            try ExtendedAttributes.write(
                ExclusionMark.modern.rawValue, ExclusionMark.value, to: file.descriptor, path: path)
        } catch { throw ContainerError(error) }
    }

    /// Takes every mark that Apple's backups heed off an item; a directory's above it stays in force.
    ///
    /// - Throws: `notFound`, `leavesContainer`, `noIdentifier`, `permissionDenied`, `noAttributes`, `failed`.
    public func includeInBackup(_ place: ContainerPath) throws(ContainerError) {
        let path = try relative(place)
        do throws(FileSystemError) {
            let file = try folder.open(path)
            for name in try ExtendedAttributes.list(of: file.descriptor, path: path)
            where ExclusionMark(attribute: name)?.isApple == true {
                try ExtendedAttributes.remove(name, of: file.descriptor, path: path)
            }
        } catch { throw ContainerError(error, onDisk: "Some of its marks may be gone.") }
    }

    /// Nil where the file system cannot carry attributes.
    private func ownMarks(_ path: FilePath) throws(FileSystemError) -> [ExclusionMark]? {
        let status = try folder.status(path)
        var marks: [ExclusionMark] = status.isNoDump ? [.noDump] : []
        guard status.kind == .file || status.kind == .directory else { return marks }
        let file = try folder.open(path.isEmpty ? "." : path, followingLinks: false)
        do {
            for name in try ExtendedAttributes.list(of: file.descriptor, path: path) {
                guard let mark = ExclusionMark(attribute: name) else { continue }
                let value = try ExtendedAttributes.read(name, of: file.descriptor, path: path) ?? []
                if mark.isMark(value: value) { marks.append(mark) }
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
