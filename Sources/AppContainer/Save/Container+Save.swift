internal import FileSystem
public import Foundation
package import SystemPackage

extension Container {
    /// Saves bytes (`Data`, `[UInt8]`, a slice of either) as a file: after a crash at any moment it is the old one
    /// or the new one, whole.
    ///
    /// Directories that are missing are made. A file that is replaced hands on its do-not-back-up flag, every
    /// other attribute, owner and mode before the new one is visible. What else may have the name, `overwrite`
    /// decides.
    ///
    ///     try container.save(cover, to: .caches("covers/1.jpg"), provenance: .downloaded(from: url))
    ///
    /// - Parameters:
    ///   - bytes: The whole content.
    ///   - place: Where the file is to lie.
    ///   - overwrite: What gives way.
    ///   - durability: What is done before the call returns for the file to last.
    ///   - provenance: Who made the content; nil leaves what an old file says of it. Where the file system has no room
    ///     for it, the file is saved without.
    ///   - fileID: The caller, recorded where `recording` says so.
    ///   - line: The caller's line.
    /// - Throws: `alreadyExists`, `notAFile`, `hasOtherNames`, `leavesContainer`, `noIdentifier`,
    ///   `permissionDenied`, `noSpace`, `noAttributes`, `durabilityUnknown`, `failed`. But for
    ///   `durabilityUnknown` the old file is untouched.
    public func save(
        _ bytes: some ContiguousBytes, to place: ContainerPath, overwrite: Overwrite = .replace,
        durability: Durability = .full, provenance: Provenance? = nil, fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) {
        let path = try relativeFile(place)
        let replace = replace(overwrite, durability, provenance, CodeLocation(fileID: fileID, line: line))
        let hasMade = try makeParent(of: path)
        try withTurn(at: path) { () throws(ContainerError) in
            try write(to: path, replace, madeDirectories: hasMade) { file throws(FileSystemError) in
                try file.write(bytes)
            }
        }
    }

    /// Saves text in an encoding; the rest is as for bytes.
    ///
    /// - Throws: `notText` when the encoding cannot express the text, and what saving bytes throws.
    public func save(
        _ text: String, to place: ContainerPath, encoding: String.Encoding = .utf8, overwrite: Overwrite = .replace,
        durability: Durability = .full, provenance: Provenance? = nil, fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) {
        try save(
            try data(text, encoding, for: place), to: place, overwrite: overwrite, durability: durability,
            provenance: provenance, fileID: fileID, line: line)
    }

    /// Adds bytes at the end of a file, which is made where there is none.
    ///
    /// The file is saved anew with its old content, so after a crash it holds all of the addition or nothing of
    /// it. That costs a copy of the file: for a log that grows large, use one file a day.
    ///
    /// - Throws: As saving does.
    public func append(
        _ bytes: some ContiguousBytes, to place: ContainerPath, durability: Durability = .full,
        provenance: Provenance? = nil, fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) {
        let path = try relativeFile(place)
        let replace = replace(.replace, durability, provenance, CodeLocation(fileID: fileID, line: line))
        let hasMade = try makeParent(of: path)
        try withTurn(at: path) { () throws(ContainerError) in
            let old = try openIfPresent(path)
            try write(to: path, replace, madeDirectories: hasMade) { file throws(FileSystemError) in
                try old?.copyContent(to: file)
                try file.write(bytes)
            }
        }
    }

    /// Adds text at the end of a file; the rest is as for bytes.
    ///
    /// - Throws: `notText`, and what saving throws.
    public func append(
        _ text: String, to place: ContainerPath, encoding: String.Encoding = .utf8, durability: Durability = .full,
        provenance: Provenance? = nil, fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) {
        try append(
            try data(text, encoding, for: place), to: place, durability: durability, provenance: provenance,
            fileID: fileID, line: line)
    }

    // MARK: - What every way of saving does

    func replace(
        _ overwrite: Overwrite, _ durability: Durability, _ provenance: Provenance?, _ source: CodeLocation
    ) -> Replace {
        var attributes: [AttributeChange] = []
        if recording != .off, let provenance { attributes = provenance.attributes }
        if recording == .givenAndSource {
            attributes.append(
                AttributeChange(CodeLocation.attribute, Array(source.description.utf8), isOptional: true))
        }
        return Replace(durability: durability.level, existing: overwrite.existing, attributes: attributes)
    }

    /// Makes the directories above `path`; true where one was missing.
    @discardableResult
    package func makeParent(of path: FilePath) throws(ContainerError) -> Bool {
        do throws(FileSystemError) { return try folder.makeFolder(path.removingLastComponent()) } catch {
            throw ContainerError(error, onDisk: "Directories above it may have been made; nothing else has changed.")
        }
    }

    func write(
        to path: FilePath, _ replace: Replace, madeDirectories: Bool,
        fill: (OpenFile) throws(FileSystemError) -> Void
    ) throws(ContainerError) {
        do throws(ReplaceError) { try replace.write(to: path, in: folder, fill: fill) } catch {
            throw ContainerError(error, madeDirectories: madeDirectories)
        }
    }

    func openIfPresent(_ path: FilePath) throws(ContainerError) -> OpenFile? {
        do throws(FileSystemError) {
            guard let status = try folder.statusIfPresent(path) else { return nil }
            switch status.kind {
            case .file: break
            case .directory: throw FileSystemError("add to the directory", path, .isDirectory)
            case .symbolicLink: throw FileSystemError("add to the symbolic link", path, .tooManySymbolicLinkLevels)
            default: throw FileSystemError("add to the special file", path, .invalidArgument)
            }
            return try folder.open(path, followingLinks: false)
        } catch { throw ContainerError(error) }
    }

    func data(_ text: String, _ encoding: String.Encoding, for place: ContainerPath) throws(ContainerError) -> Data {
        if let data = text.data(using: encoding) { return data }
        throw ContainerError(
            .notText, try relative(place),
            "The text for “\(place)” cannot be written in that encoding. Nothing on disk has changed. Use .utf8.")
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
