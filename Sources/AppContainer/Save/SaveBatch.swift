internal import FileSystem
public import Foundation
internal import SystemPackage

/// Saves that are to be made together: see `Container.batch`.
public struct SaveBatch {
    struct Entry: Sendable {
        let place: ContainerPath
        let path: FilePath
        let replace: Replace
        let content: any ContiguousBytes & Sendable
    }

    private let container: Container
    private(set) var entries: [Entry] = []

    init(_ container: Container) { self.container = container }

    /// Adds a save of bytes, which are kept in memory until the batch is saved. What its parameters mean,
    /// `Container.save` tells.
    ///
    /// - Throws: `noIdentifier`.
    public mutating func save(
        _ bytes: some ContiguousBytes, to place: ContainerPath, overwrite: Overwrite = .replace,
        provenance: Provenance? = nil, fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) {
        let source = CodeLocation(fileID: fileID, line: line)
        entries.append(
            Entry(
                place: place, path: try container.relativeFile(place),
                replace: container.replace(overwrite, .full, provenance, source),
                content: Self.kept(bytes)))
    }

    /// Bytes that no one can change any more: a copy, but of what is a value already.
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
        _ text: String, to place: ContainerPath, encoding: String.Encoding = .utf8, overwrite: Overwrite = .replace,
        provenance: Provenance? = nil, fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) {
        try save(
            try container.data(text, encoding, for: place), to: place, overwrite: overwrite, provenance: provenance,
            fileID: fileID, line: line)
    }

    /// Adds a save of a value.
    ///
    /// - Throws: `notEncodable`, `tooLarge`, `noIdentifier`.
    public mutating func save(
        _ value: some Encodable, to place: ContainerPath, encoder: some ValueEncoder, overwrite: Overwrite = .replace,
        provenance: Provenance? = nil, limits: ValueLimits = ValueLimits(), fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) {
        try save(
            try container.content(of: value, encoder, for: place, limits), to: place, overwrite: overwrite,
            provenance: provenance, fileID: fileID, line: line)
    }
}

/// A batch that was not saved as a whole, with what became of each of its saves, in their order.
public struct BatchError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is on disk, to stay.
    public let landed: [ContainerPath]
    /// What is visible, whole, but may not survive a power cut.
    public let unsure: [ContainerPath]
    /// What is as it was before.
    public let notLanded: [ContainerPath]
    /// What stopped the batch: see the codes of `Container.save`.
    public let cause: ContainerError

    /// What happened, and how many of the saves landed.
    public var description: String {
        "\(cause.description) Of \(landed.count + unsure.count + notLanded.count) saves \(landed.count) landed, "
            + "\(unsure.count) may not survive a power cut, \(notLanded.count) did not land."
    }
}
