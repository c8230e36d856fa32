public import SystemPackage

/// The options of a save. All have defaults.
///
///     try container.save(cover, to: .caches / "1.jpg", options: .init(provenance: .downloaded(from: url)))
public struct SaveOptions: Sendable, Hashable {
    /// The policy for an existing item.
    public var overwrite: Overwrite
    /// The durability when the call returns.
    public var durability: Durability
    /// The permission bits of the file. Nil keeps those of the old file; a new file has the default of the process
    /// (umask). Bits other than read, write and execute are ignored.
    public var permissions: FilePermissions?
    /// The origin of the content. Nil keeps the provenance of the old file. It is omitted if the file system has no
    /// room for it.
    public var provenance: Provenance?
    /// The data protection of the file, which is set before its content is written. Nil keeps that of the old file; a
    /// new file has that of its directory.
    public var protection: FileProtection?

    /// Creates options.
    public init(
        overwrite: Overwrite = .replace, durability: Durability = .full, permissions: FilePermissions? = nil,
        provenance: Provenance? = nil, protection: FileProtection? = nil
    ) {
        self.overwrite = overwrite
        self.durability = durability
        self.permissions = permissions
        self.provenance = provenance
        self.protection = protection
    }
}
