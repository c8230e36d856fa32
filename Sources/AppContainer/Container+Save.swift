internal import FileSystem
public import Foundation
internal import SystemPackage

/// What a save does about a file of that name.
public enum Overwrite: Sendable, Hashable {
    /// The new file takes the old one's place, and carries its flag, attributes and mode.
    case replace
    /// The old file stays, and the save fails with `alreadyExists`.
    case never
}

/// How much a save has done for a file to last when it returns.
public enum Durability: Sendable, Hashable, CaseIterable {
    /// Visible; a power cut may bring back the old file, or lose a new one.
    case none
    /// The content is on the medium, its name may not be. What Foundation's atomic write gives.
    case file
    /// Content and name are on the medium: it survives a power cut.
    case full

    var level: FileSystem.Durability {
        switch self {
        case .none: .none
        case .file: .file
        case .full: .full
        }
    }
}

extension Container {
    /// Saves bytes as a file: after a crash at any moment it is the old one or the new one, whole.
    ///
    /// Directories that are missing are made. A file that is replaced hands on its do-not-back-up flag, every
    /// other attribute, owner and mode before the new one is visible; its hard links are parted. A symbolic
    /// link in its place is refused.
    ///
    ///     try container.save(cover, to: .caches("covers/1.jpg"), provenance: .downloaded(from: url))
    ///
    /// - Throws: `alreadyExists`, `notAFile`, `leavesContainer`, `noIdentifier`, `permissionDenied`, `noSpace`,
    ///   `noAttributes`, `durabilityUnknown`, `failed`. But for `durabilityUnknown` the old file is untouched.
    public func save(
        _ data: Data, to place: ContainerPath, overwrite: Overwrite = .replace, durability: Durability = .full,
        provenance: Provenance? = nil
    ) throws(ContainerError) {
        let path = try relative(place)
        let replace = Replace(
            durability: durability.level, mayReplace: overwrite == .replace, attributes: provenance?.attributes ?? [])
        do throws(FileSystemError) {
            try folder.makeFolder(path.removingLastComponent())
        } catch { throw ContainerError(error) }
        var failure: ReplaceError?
        data.withUnsafeBytes { bytes in
            do throws(ReplaceError) { try replace.write(bytes, to: path, in: folder) } catch { failure = error }
        }
        if let failure { throw ContainerError(failure) }
    }

    /// Saves text in an encoding; the rest is as for bytes.
    ///
    /// - Throws: `notText` when the encoding cannot express the text, and what saving bytes throws.
    public func save(
        _ text: String, to place: ContainerPath, encoding: String.Encoding = .utf8, overwrite: Overwrite = .replace,
        durability: Durability = .full, provenance: Provenance? = nil
    ) throws(ContainerError) {
        guard let data = text.data(using: encoding) else {
            throw ContainerError(
                .notText, try relative(place), "The text for “\(place)” cannot be written in that encoding. Use .utf8.")
        }
        try save(data, to: place, overwrite: overwrite, durability: durability, provenance: provenance)
    }

    /// Adds bytes at the end of a file, which is made where there is none.
    ///
    /// The file is saved anew with its old content, so after a crash it holds all of the addition or nothing of
    /// it. That costs a copy of the file: for a log that grows large, use one file a day.
    ///
    /// - Throws: As saving does.
    public func append(
        _ data: Data, to place: ContainerPath, durability: Durability = .full
    ) throws(ContainerError) {
        let path = try relative(place)
        let old: OpenFile?
        do throws(FileSystemError) {
            try folder.makeFolder(path.removingLastComponent())
            let isThere = try folder.statusIfPresent(path) != nil
            old = isThere ? try folder.open(path, followingLinks: false) : nil
        } catch { throw ContainerError(error) }
        do throws(ReplaceError) {
            try Replace(durability: durability.level).write(to: path, in: folder, modelledOn: nil) {
                file throws(FileSystemError) in
                try old?.copyContent(to: file)
                try file.write([UInt8](data))
            }
        } catch { throw ContainerError(error) }
    }

    /// Adds text at the end of a file; the rest is as for bytes.
    ///
    /// - Throws: `notText`, and what saving throws.
    public func append(
        _ text: String, to place: ContainerPath, encoding: String.Encoding = .utf8, durability: Durability = .full
    ) throws(ContainerError) {
        guard let data = text.data(using: encoding) else {
            throw ContainerError(
                .notText, try relative(place), "The text for “\(place)” cannot be written in that encoding. Use .utf8.")
        }
        try append(data, to: place, durability: durability)
    }
}
