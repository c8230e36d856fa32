internal import FileSystem
public import Foundation
internal import SystemPackage

/// Several saves that are made together. See `Container.batch`.
public struct SaveBatch {
    struct Entry: Sendable {
        let item: ContainerPath
        let path: FilePath
        let write: AtomicWrite
        let content: any ContiguousBytes & Sendable
    }

    private let container: Container
    private(set) var entries: [Entry] = []

    init(_ container: Container) { self.container = container }

    /// Adds a save of bytes, which are kept in memory until the batch is saved. For the parameters see
    /// `Container.save`.
    ///
    /// - Throws: `noIdentifier`.
    public mutating func save(
        _ bytes: some ContiguousBytes, to item: ContainerPath, overwrite: Overwrite = .replace,
        provenance: Provenance? = nil, fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) {
        let source = CodeLocation(fileID: fileID, line: line)
        entries.append(
            Entry(
                item: item, path: try container.relativeFile(item),
                write: container.atomicWrite(overwrite, .full, provenance, source),
                content: Self.kept(bytes)))
    }

    /// Returns bytes that cannot change: a copy unless they are a value type.
    private static func kept(_ bytes: some ContiguousBytes) -> any ContiguousBytes & Sendable {
        switch bytes {
        case let data as Data: data
        case let bytes as [UInt8]: bytes
        default: bytes.withUnsafeBytes { Data($0) }
        }
    }

    /// Adds a save of text.
    ///
    /// - Throws: `notText`, `noIdentifier`.
    public mutating func save(
        _ text: String, to item: ContainerPath, encoding: String.Encoding = .utf8, overwrite: Overwrite = .replace,
        provenance: Provenance? = nil, fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) {
        try save(
            try container.data(text, encoding, for: item), to: item, overwrite: overwrite, provenance: provenance,
            fileID: fileID, line: line)
    }

    /// Adds a save of a value.
    ///
    /// - Throws: `notEncodable`, `tooLarge`, `noIdentifier`.
    public mutating func save(
        _ value: some Encodable, to item: ContainerPath, encoder: some ValueEncoder, overwrite: Overwrite = .replace,
        provenance: Provenance? = nil, limits: ValueLimits = ValueLimits(), fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) {
        try save(
            try container.content(of: value, encoder, for: item, limits), to: item, overwrite: overwrite,
            provenance: provenance, fileID: fileID, line: line)
    }
}

/// An error of a batch that was not saved completely, with the state of each file in the order of the saves.
public struct BatchError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The files that are saved durably.
    public let saved: [ContainerPath]
    /// The files that are visible and complete but may not survive a power loss.
    public let uncertain: [ContainerPath]
    /// The files that are unchanged.
    public let notSaved: [ContainerPath]
    /// The error that stopped the batch. See the codes of `Container.save`.
    public let cause: ContainerError

    /// The description of `cause` and the number of saved files.
    public var description: String {
        "\(cause.description) Of \(saved.count + uncertain.count + notSaved.count) files, \(saved.count) are saved, "
            + "\(uncertain.count) may not survive a power loss, and \(notSaved.count) are unchanged."
    }
}
