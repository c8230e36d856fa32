internal import FileSystem

/// What a save does about what already has the name. Whatever is chosen, a directory is never replaced.
public struct Overwrite: Sendable, Hashable {
    /// What is done about a symbolic link.
    public enum SymbolicLink: Sendable, Hashable {
        /// The file that it names is replaced, as long as that lies in the container; the link stays.
        case follow
        /// The link itself gives way to the new file; what it names stays as it is.
        case replace
        /// The save fails with `notAFile`.
        case refuse
    }
    /// What is done about a file that has other names too.
    public enum HardLink: Sendable, Hashable {
        /// The name gets a file of its own; the other names keep the old content.
        case replace
        /// The save fails with `hasOtherNames`.
        case refuse
    }
    /// What is done about a pipe, a socket or a device.
    public enum SpecialFile: Sendable, Hashable {
        /// It gives way to the new file.
        case replace
        /// The save fails with `notAFile`.
        case refuse
    }

    let existing: Existing

    /// A file gives way, and hands on its flag, attributes, owner and mode; its hard links are parted; a symbolic
    /// link or a special file is refused. This is the default.
    public static let replace = Overwrite.replacing()

    /// Nothing gives way: if the name is taken, by whatever, the save fails with `alreadyExists`.
    public static let never: Overwrite = {
        var existing = Existing()
        existing.any = .refuse
        return Overwrite(existing: existing)
    }()

    /// A file gives way, and so does what else is said here.
    public static func replacing(
        symbolicLink: SymbolicLink = .refuse, hardLink: HardLink = .replace, specialFile: SpecialFile = .refuse
    ) -> Overwrite {
        var existing = Existing()
        existing.symbolicLink =
            switch symbolicLink {
            case .follow: .follow
            case .replace: .replace
            case .refuse: .refuse
            }
        existing.hardLink = hardLink == .replace ? .replace : .refuse
        existing.special = specialFile == .replace ? .replace : .refuse
        return Overwrite(existing: existing)
    }
}
