public import Foundation
internal import SystemPackage

extension Container {
    /// Saves bytes in the directory for their kind, with the matching backup exclusion, and records their provenance.
    ///
    ///     let place = try container.store(cover, named: "covers/1.jpg", as: .downloaded(from: url, keepOffline: true))
    ///
    /// - Parameters:
    ///   - bytes: The whole content.
    ///   - name: The name of the file, which may contain directories.
    ///   - kind: The kind of the file.
    ///   - expiry: The date from which `purgeExpired()` removes the file. Only used for re-downloadable and regenerable
    ///     kinds.
    ///   - overwrite: The policy for an existing item.
    ///   - durability: The durability when the call returns.
    ///   - fileID: The file of the caller, recorded as `recording` says.
    ///   - line: The line of the caller.
    /// - Returns: The path of the file.
    /// - Throws: The errors of saving bytes; `invalidPath` for an invalid name.
    @discardableResult
    public func store(
        _ bytes: some ContiguousBytes, named name: String, as kind: ContentKind, expires expiry: Date? = nil,
        overwrite: Overwrite = .replace, durability: Durability = .full, fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) -> ContainerPath {
        let item = try prepare(name, kind)
        try save(
            bytes, to: item, overwrite: overwrite, durability: durability,
            provenance: kind.provenance(expires: expiry),
            fileID: fileID, line: line)
        return item
    }

    /// Saves text in the directory for its kind. Otherwise like storing bytes.
    ///
    /// - Throws: `notText`, and the errors of storing bytes.
    @discardableResult
    public func store(
        _ text: String, named name: String, as kind: ContentKind, encoding: String.Encoding = .utf8,
        expires expiry: Date? = nil, overwrite: Overwrite = .replace, durability: Durability = .full,
        fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) -> ContainerPath {
        let item = try prepare(name, kind)
        try save(
            text, to: item, encoding: encoding, overwrite: overwrite, durability: durability,
            provenance: kind.provenance(expires: expiry), fileID: fileID, line: line)
        return item
    }

    /// Saves a value in the format of `encoder` in the directory for its kind. Otherwise like storing bytes.
    ///
    /// - Throws: `notEncodable`, `tooLarge`, and the errors of storing bytes.
    @discardableResult
    public func store(
        _ value: some Encodable, named name: String, as kind: ContentKind, encoder: some ValueEncoder,
        expires expiry: Date? = nil, overwrite: Overwrite = .replace, durability: Durability = .full,
        limits: ValueLimits = ValueLimits(), fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) -> ContainerPath {
        let item = try prepare(name, kind)
        try save(
            value, to: item, encoder: encoder, overwrite: overwrite, durability: durability,
            provenance: kind.provenance(expires: expiry), limits: limits, fileID: fileID, line: line)
        return item
    }

    /// Excludes the directory from backup, durably, before the first file is saved in it, so that no file is ever
    /// visible without the exclusion, even after a power loss.
    private func prepare(_ name: String, _ kind: ContentKind) throws(ContainerError) -> ContainerPath {
        let item = try kind.path(named: name)
        _ = try relativeFile(item)
        guard let directory = try kind.flaggedDirectory else { return item }
        try createDirectory(directory)
        guard try exclusion(of: directory).state == .included else {
            // If another thread has just excluded it, this waits until the exclusion is on disk.
            withPathLock(at: try relative(directory)) {}
            return item
        }
        do throws(ContainerError) { try excludeFromBackup(directory) } catch {
            guard error.code == .durabilityUnknown else { throw error }
            // Removed, because the next attempt would take the exclusion for a durable one.
            try? includeInBackup(directory)
            throw ContainerError(
                .failed, try relative(item), errno: error.errno.map { Errno(rawValue: $0) },
                "The backup exclusion of “\(directory)” cannot be flushed to disk, so “\(item)” was not saved. "
                    + "The old file is unchanged. Try again.")
        }
        return item
    }
}
