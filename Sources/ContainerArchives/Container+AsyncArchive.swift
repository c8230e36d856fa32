public import AppContainer
public import Foundation
internal import SystemPackage

// As in Container+AsyncSave: the same as the calls of these names that wait, for a task. Objects that are not Sendable
// are encoded and decoded where the caller runs, and only the file is written and read in the background.
extension Container {
    /// Saves an object as a keyed archive: see the call that waits.
    ///
    /// - Throws: `file` with `cancelled`, and what archiving throws.
    nonisolated(nonsending) public func archive(
        _ object: some NSObject & NSSecureCoding, to place: ContainerPath, named names: [String: ArchivableClass] = [:],
        overwrite: Overwrite = .replace, durability: Durability = .full, provenance: Provenance? = nil,
        limits: ArchiveLimits = ArchiveLimits(), fileID: String = #fileID, line: UInt = #line
    ) async throws(ArchiveError) {
        let bytes = try archivedBytes(object, named: names, limits: limits, for: place)
        do throws(ContainerError) {
            try await save(
                bytes, to: place, overwrite: overwrite, durability: durability, provenance: provenance, fileID: fileID,
                line: line)
        } catch { throw ArchiveError(error) }
    }

    /// Saves a value as a keyed archive: see the call that waits. It is encoded in the background too.
    ///
    /// - Throws: `file` with `cancelled`, and what archiving throws.
    public func archive(
        _ value: some Encodable & Sendable, to place: ContainerPath, overwrite: Overwrite = .replace,
        durability: Durability = .full, provenance: Provenance? = nil, limits: ArchiveLimits = ArchiveLimits(),
        fileID: String = #fileID, line: UInt = #line
    ) async throws(ArchiveError) {
        try await archiveInBackground { container throws(ArchiveError) in
            try container.archive(
                value, to: place, overwrite: overwrite, durability: durability, provenance: provenance, limits: limits,
                fileID: fileID, line: line)
        }
    }

    /// Reads a keyed archive: see the call that waits.
    ///
    /// - Throws: `file` with `cancelled`, and what unarchiving throws.
    nonisolated(nonsending) public func unarchive<Object: NSObject & NSSecureCoding>(
        _ type: Object.Type, from place: ContainerPath, allowing classes: [ArchivableClass] = [],
        named names: [String: ArchivableClass] = [:], limits: ArchiveLimits = ArchiveLimits()
    ) async throws(ArchiveError) -> Object {
        let path = try archivePath(place)
        let bytes = try await archiveInBackground { container throws(ArchiveError) in
            try container.archiveBytes(path, limits)
        }
        do throws(ArchiveFault) {
            return try ArchiveBytes.read(type, from: bytes, allowing: classes, named: names, limits: limits)
        } catch { throw ArchiveError(error, path: path.string, onDisk: "The file is untouched.") }
    }

    /// Reads a value that was archived: see the call that waits. It is decoded in the background too.
    ///
    /// - Throws: `file` with `cancelled`, and what unarchiving throws.
    public func unarchive<Value: Decodable & Sendable>(
        _ type: Value.Type, from place: ContainerPath, limits: ArchiveLimits = ArchiveLimits()
    ) async throws(ArchiveError) -> Value {
        try await archiveInBackground { container throws(ArchiveError) in
            try container.unarchive(type, from: place, limits: limits)
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
