internal import FileSystem
public import Foundation
package import SystemPackage

extension Container {
    /// Saves bytes (`Data` or `[UInt8]`) as a file. The save is atomic: after a crash the file is the old one or the
    /// new one, complete.
    ///
    /// Missing directories are created. If a file is replaced, the new file gets its backup exclusion, all other
    /// attributes, owner and mode before it is visible. Make `Data` of other bytes, such as a slice. An array literal
    /// of integers is a value, which is encoded.
    ///
    ///     try container.save(cover, to: .caches / "covers/1.jpg", options: .init(provenance: .downloaded(from: url)))
    ///
    /// - Parameters:
    ///   - bytes: The whole content.
    ///   - item: The path of the file.
    ///   - options: The policy for an existing item, the durability, the permissions and the origin.
    ///   - fileID: The file of the caller, recorded as `recording` says.
    ///   - line: The line of the caller.
    /// - Throws: `alreadyExists`, `notAFile`, `hasOtherNames`, `leavesContainer`, `noIdentifier`, `permissionDenied`,
    ///   `noSpace`, `noAttributes`, `durabilityUnknown`, `failed`. Except for `durabilityUnknown`, the old file is
    ///   unchanged.
    public func save(
        _ bytes: some ContiguousBytes & Encodable, to item: ContainerPath, options: SaveOptions = SaveOptions(),
        fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) {
        let path = try relativeFile(item)
        let write = atomicWrite(options, source: CodeLocation(fileID: fileID, line: line))
        try repeatingAfterPurges(in: item.parent) { () throws(ContainerError) in
            let hasCreated = try createParent(of: path)
            try withPathLock(at: path) { () throws(ContainerError) in
                try perform(write, at: path, createdDirectories: hasCreated) { file throws(FileSystemError) in
                    try file.write(bytes)
                }
            }
        }
    }

    /// Saves text in an encoding. Otherwise like saving bytes.
    ///
    /// - Throws: `notText` if the encoding cannot represent the text, and the errors of saving bytes.
    public func save(
        _ text: String, to item: ContainerPath, encoding: String.Encoding = .utf8,
        options: SaveOptions = SaveOptions(), fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) {
        try save(
            try data(text, encoding: encoding, for: item), to: item, options: options, fileID: fileID, line: line)
    }

    /// Appends bytes to a file, which is created if it is missing.
    ///
    /// The file is saved with its old content and the new bytes, so that after a crash it has all of the new bytes or
    /// none. This copies the file. For a log, use an `Appender`.
    ///
    /// - Throws: The errors of saving bytes.
    public func append(
        _ bytes: some ContiguousBytes & Encodable, to item: ContainerPath, options: SaveOptions = SaveOptions(),
        fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) {
        let path = try relativeFile(item)
        let write = atomicWrite(options, source: CodeLocation(fileID: fileID, line: line))
        try repeatingAfterPurges(in: item.parent) { () throws(ContainerError) in
            let hasCreated = try createParent(of: path)
            try withPathLock(at: path) { () throws(ContainerError) in
                let old = try openIfPresent(path)
                try perform(write, at: path, createdDirectories: hasCreated) { file throws(FileSystemError) in
                    try old?.copyContent(to: file)
                    try file.write(bytes)
                }
            }
        }
    }

    /// Appends text to a file. Otherwise like appending bytes.
    ///
    /// - Throws: `notText`, and the errors of saving bytes.
    public func append(
        _ text: String, to item: ContainerPath, encoding: String.Encoding = .utf8,
        options: SaveOptions = SaveOptions(), fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) {
        try append(
            try data(text, encoding: encoding, for: item), to: item, options: options, fileID: fileID, line: line)
    }

    // MARK: - What every way of saving does

    func atomicWrite(_ options: SaveOptions, source: CodeLocation) -> AtomicWrite {
        var attributes: [AttributeChange] = []
        if recording != .off, let provenance = options.provenance { attributes = provenance.attributes }
        if let protection = options.protection { attributes.append(protection.change) }
        if recording == .givenAndSource {
            attributes.append(
                AttributeChange(CodeLocation.attribute, value: Array(source.description.utf8), isOptional: true))
        }
        var write = AtomicWrite(
            durability: options.durability.level, conflicts: options.overwrite.conflicts, attributes: attributes)
        write.permissions = options.permissions.map { UInt16($0.rawValue & 0o777) }
        write.protectionClass = options.protection?.systemClass
        return write
    }

    /// Runs a save, and runs it again if the system or another part of the app has removed its directory meanwhile, which
    /// is reported.
    func repeatingAfterPurges(
        in directory: ContainerPath?, _ save: () throws(ContainerError) -> Void
    ) throws(ContainerError) {
        for attempt in 1...100 {
            do throws(ContainerError) {
                try save()
                if attempt > 1, let directory { report(.recreated, directory) }
                return
            } catch { guard error.code == .notFound, attempt < 100 else { throw error } }
        }
    }

    /// Creates the parent directories of `path`. Returns true if one was missing.
    ///
    /// - Throws: Also `invalidPath` for the system's file about the container.
    @discardableResult
    package func createParent(of path: FilePath) throws(ContainerError) -> Bool {
        try refuseTemporaryName(in: path)
        try refuseMetadata(path)
        do throws(FileSystemError) { return try folder.createDirectories(path.split?.parent ?? FilePath()) } catch {
            throw ContainerError(error, onDisk: "Parent directories may have been created; nothing else has changed.")
        }
    }

    /// Refuses to change the system's file about the container.
    package func refuseMetadata(_ path: FilePath) throws(ContainerError) {
        guard path.string != Location.metadata.path else {
            throw ContainerError(
                .invalidPath, path,
                "“\(path.string)” is the system's file about the container, and cannot be changed. Nothing on disk has "
                    + "changed. Use another path.")
        }
    }

    /// Refuses to create an item with a name for temporary files, because `sweepLeftovers` could remove it.
    package func refuseTemporaryName(in path: FilePath) throws(ContainerError) {
        guard let name = path.names.first(where: { $0.bytes.starts(with: AtomicWrite.stagingPrefix.utf8) }) else {
            return
        }
        throw ContainerError(
            .invalidPath, path,
            "“\(path.string)” contains a name for temporary files, “\(name.string)”. Nothing on disk has changed. Use another "
                + "name.")
    }

    func perform(
        _ write: AtomicWrite, at path: FilePath, createdDirectories: Bool,
        fill: (OpenFile) throws(FileSystemError) -> Void
    ) throws(ContainerError) {
        do throws(AtomicWriteError) { try write.write(to: path, in: folder, fill: fill) } catch {
            throw ContainerError(error, createdDirectories: createdDirectories)
        }
    }

    func openIfPresent(_ path: FilePath) throws(ContainerError) -> OpenFile? {
        do throws(FileSystemError) {
            guard let status = try folder.statusIfPresent(path) else { return nil }
            switch status.kind {
            case .file: break
            case .directory: throw FileSystemError("append to the directory", path: path, errno: .isDirectory)
            case .symbolicLink:
                throw FileSystemError("append to the symbolic link", path: path, errno: .tooManySymbolicLinkLevels)
            default: throw FileSystemError("append to the special file", path: path, errno: .invalidArgument)
            }
            return try folder.open(path, followingLinks: false)
        } catch { throw ContainerError(error) }
    }

    func data(_ text: String, encoding: String.Encoding, for item: ContainerPath) throws(ContainerError) -> Data {
        if let data = text.data(using: encoding) { return data }
        throw ContainerError(
            .notText, try relative(item),
            "The text for “\(item)” cannot be represented in this encoding. Nothing on disk has changed. Use .utf8.")
    }
}

extension OpenFile {
    func write(_ bytes: some ContiguousBytes) throws(FileSystemError) {
        var failure: FileSystemError?
        bytes.withUnsafeBytes { buffer in
            do throws(FileSystemError) { try write(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
