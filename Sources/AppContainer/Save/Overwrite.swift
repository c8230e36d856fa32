package import FileSystem

/// The policy of a save for an existing item. A directory is never replaced.
public struct Overwrite: Sendable, Hashable {
    /// The policy for a symbolic link.
    public enum SymbolicLink: Sendable, Hashable {
        /// Replaces the target of the link if it is in the container. The link remains.
        case follow
        /// Replaces the link itself. Its target remains unchanged.
        case replace
        /// Throws `notAFile`.
        case refuse
    }
    /// The policy for a file with other hard links.
    public enum HardLink: Sendable, Hashable {
        /// Replaces this name. The other hard links keep the old content.
        case replace
        /// Throws `hasOtherNames`.
        case refuse
    }
    /// The policy for a pipe, a socket or a device.
    public enum SpecialFile: Sendable, Hashable {
        /// Replaces it with the new file.
        case replace
        /// Throws `notAFile`.
        case refuse
    }

    let conflicts: ConflictPolicy

    /// Replaces a file, including one with other hard links, and keeps its backup exclusion, attributes, owner and
    /// mode. Refuses symbolic links and special files. The default.
    public static let replace = Overwrite.replacing()

    /// Refuses any existing item with `alreadyExists`.
    public static let never: Overwrite = {
        var conflicts = ConflictPolicy()
        conflicts.any = .refuse
        return Overwrite(conflicts: conflicts)
    }()

    /// Replaces files, and other items as specified.
    public static func replacing(
        symbolicLink: SymbolicLink = .refuse, hardLink: HardLink = .replace, specialFile: SpecialFile = .refuse
    ) -> Overwrite {
        var conflicts = ConflictPolicy()
        conflicts.symbolicLink =
            switch symbolicLink {
            case .follow: .follow
            case .replace: .replace
            case .refuse: .refuse
            }
        conflicts.hardLink = hardLink == .replace ? .replace : .refuse
        conflicts.special = specialFile == .replace ? .replace : .refuse
        return Overwrite(conflicts: conflicts)
    }
}

/// The durability of a save when the call returns.
public enum Durability: Sendable, Hashable, CaseIterable {
    /// The file is visible. After a power loss the old file may be back, or a new file may be missing.
    case none
    /// The content is on disk, but the name may not be. Foundation's atomic write provides this durability.
    case file
    /// Content and name are on disk: the save survives a power loss.
    case full

    package var level: WriteDurability {
        switch self {
        case .none: .none
        case .file: .file
        case .full: .full
        }
    }
}
