public import AppContainer
public import Foundation
internal import SystemPackage

// Async versions of the blocking calls of the same names. See Container+AsyncSave. Objects that are not Sendable are
// encoded and decoded in the caller's context, and only the file is accessed in the background.
extension Container {
    /// Saves an object as a keyed archive. See the blocking call of the same name.
    ///
    /// - Throws: `file` with `cancelled`, and the errors of the blocking call.
    nonisolated(nonsending) public func archive(
        _ object: some NSObject & NSSecureCoding, to item: ContainerPath, named names: [String: ArchivableClass] = [:],
        overwrite: Overwrite = .replace, durability: Durability = .full, provenance: Provenance? = nil,
        limits: ArchiveLimits = ArchiveLimits(), fileID: String = #fileID, line: UInt = #line
    ) async throws(ArchiveError) {
        let bytes = try archivedBytes(object, named: names, limits: limits, for: item)
        do throws(ContainerError) {
            try await save(
                bytes, to: item, overwrite: overwrite, durability: durability, provenance: provenance, fileID: fileID,
                line: line)
        } catch { throw ArchiveError(error) }
    }

    /// Saves a value as a keyed archive. See the blocking call of the same name. It is also encoded in the background.
    ///
    /// - Throws: `file` with `cancelled`, and the errors of the blocking call.
    public func archive(
        _ value: some Encodable & Sendable, to item: ContainerPath, overwrite: Overwrite = .replace,
        durability: Durability = .full, provenance: Provenance? = nil, limits: ArchiveLimits = ArchiveLimits(),
        fileID: String = #fileID, line: UInt = #line
    ) async throws(ArchiveError) {
        try await archiveInBackground { container throws(ArchiveError) in
            try container.archive(
                value, to: item, overwrite: overwrite, durability: durability, provenance: provenance, limits: limits,
                fileID: fileID, line: line)
        }
    }

    /// Reads a keyed archive. See the blocking call of the same name.
    ///
    /// - Throws: `file` with `cancelled`, and the errors of the blocking call.
    nonisolated(nonsending) public func unarchive<Object: NSObject & NSSecureCoding>(
        _ type: Object.Type, from item: ContainerPath, allowing classes: [ArchivableClass] = [],
        named names: [String: ArchivableClass] = [:], limits: ArchiveLimits = ArchiveLimits()
    ) async throws(ArchiveError) -> Object {
        let path = try archivePath(item)
        let bytes = try await archiveInBackground { container throws(ArchiveError) in
            try container.archiveBytes(path, limits: limits)
        }
        do throws(ArchiveFault) {
            return try ArchiveBytes.read(type, from: bytes, allowing: classes, named: names, limits: limits)
        } catch { throw ArchiveError(error, path: path.string, onDisk: "The file is unchanged.") }
    }

    /// Reads an archived value. See the blocking call of the same name. It is also decoded in the background.
    ///
    /// - Throws: `file` with `cancelled`, and the errors of the blocking call.
    public func unarchive<Value: Decodable & Sendable>(
        _ type: Value.Type, from item: ContainerPath, limits: ArchiveLimits = ArchiveLimits()
    ) async throws(ArchiveError) -> Value {
        try await archiveInBackground { container throws(ArchiveError) in
            try container.unarchive(type, from: item, limits: limits)
        }
    }

    private func archiveInBackground<Value: Sendable>(
        _ body: @escaping @Sendable (Container) throws(ArchiveError) -> Value
    ) async throws(ArchiveError) -> Value {
        try await Background.run(orThrow: ArchiveError(ContainerError(cancelledAt: location))) {
            () throws(ArchiveError) in try body(self)
        }
    }
}
