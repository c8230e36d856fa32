public import AppContainer
package import ContainerTree
internal import FileSystem
internal import TextOutput

/// A summary of one item of a container, independent of rules.
public struct ItemSummary: Sendable {
    /// The path, safe to show.
    public let path: String
    /// The kind: `file`, `directory`, `symbolicLink`, …
    public let kind: String
    /// The bytes of a file's content.
    public let bytes: UInt64
    /// The location of the item.
    public let location: Location
    /// The backup exclusion and its source.
    public let exclusion: BackupExclusion
    /// The treatment by backups.
    public var isBackedUp: BackupState { backup.state }
    /// The decision of a backup.
    package let backup: BackupDecision
    /// The availability of the content.
    package let availability: Availability
    /// The creator, if the file records it.
    public let maker: String?
    /// The origin without possible secrets.
    public let origin: String?
    /// The line of the app's source that wrote it.
    public let source: CodeLocation?
    /// Each SDK that is known to write it, its pattern, and what that holds.
    public let registry: [RegistryMatch]

    /// A registry entry that matches a path.
    public struct RegistryMatch: Sendable, Hashable {
        /// The SDK's name.
        public let sdk: String
        /// The pattern that the path matches.
        public let pattern: String
        /// The kind of content: `regenerable`, `diagnostics`, `companion`, `user-data` or `device-bound`.
        public let holds: String
    }

    init(_ evaluation: Evaluation, path: [UInt8], own: Directory?) {
        self.path = ByteText.escaped(path)
        kind = "\(evaluation.item.status.kind)"
        bytes = evaluation.item.status.kind == .file ? evaluation.item.status.size : 0
        location = (own ?? evaluation.directory).location
        exclusion = own?.exclusion ?? evaluation.directory.exclusion(of: evaluation.item)
        backup = own?.decision ?? evaluation.directory.decision(for: evaluation.item)
        availability = own == nil ? evaluation.directory.availability(of: evaluation.item) : .present
        // The value of an attribute is free text of the owner of the file: only known words are shown.
        maker = evaluation.text(ofAttribute: Provenance.makerAttribute).map {
            Provenance.Maker(rawValue: $0)?.rawValue ?? "unknown maker (\(Quantity.count($0.utf8.count, "byte")))"
        }
        origin = evaluation.text(ofAttribute: Provenance.originAttribute).map { Origin.withoutSecrets($0) }
        source = evaluation.source
        registry = evaluation.registryEntries.map {
            RegistryMatch(sdk: $0.sdk, pattern: $0.path.text, holds: $0.holds.rawValue)
        }
    }
}
