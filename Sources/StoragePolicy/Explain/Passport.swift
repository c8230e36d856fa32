public import AppContainer
internal import ContainerTree
internal import FileSystem
internal import TextOutput

/// What is true of one item of a container, whatever the rules say.
public struct Passport: Sendable {
    /// The path, safe to show.
    public let path: String
    /// What it is: `file`, `directory`, `symbolicLink`, …
    public let kind: String
    /// The bytes of a file's content.
    public let bytes: UInt64
    /// The location it lies in.
    public let location: Location
    /// Whether a flag keeps it out of backups, and what says so.
    public let exclusion: BackupExclusion
    /// Whether backups take it; nil where that is not known.
    public let isBackedUp: Bool?
    /// Who made it, where the file says so.
    public let maker: String?
    /// Where it came from, without what may be secret.
    public let origin: String?
    /// The line of the app's source that wrote it.
    public let source: CodeLocation?
    /// Each SDK that is known to write it, its pattern, and what that holds.
    public let registry: [RegistryMatch]

    /// What the registry knows of a path.
    public struct RegistryMatch: Sendable, Hashable {
        /// The SDK's name.
        public let sdk: String
        /// The pattern that the path matches.
        public let pattern: String
        /// What losing it would mean: `regenerable`, `diagnostics`, `companion`, `user-data` or `device-bound`.
        public let holds: String
    }

    init(_ subject: Subject, path: [UInt8], own: Directory?) {
        self.path = ByteText.escaped(path)
        kind = "\(subject.item.status.kind)"
        bytes = subject.item.status.kind == .file ? subject.item.status.size : 0
        location = (own ?? subject.directory).location
        exclusion = own?.exclusion ?? subject.directory.exclusion(of: subject.item)
        if exclusion.state == .excluded {
            isBackedUp = false
        } else if subject.signals.contains(.backedUp) {
            isBackedUp = exclusion.state == .unknown ? nil : true
        } else {
            isBackedUp = location.backup == .unknown ? nil : false
        }
        maker = subject.text(ofAttribute: Provenance.makerAttribute).map { ByteText.escaped(Array($0.utf8.prefix(40))) }
        origin = subject.text(ofAttribute: Provenance.originAttribute).map { Origin.withoutSecrets($0) }
        source = subject.source
        registry = subject.registryEntries.map {
            RegistryMatch(sdk: $0.sdk, pattern: $0.path.text, holds: $0.holds.rawValue)
        }
    }
}
