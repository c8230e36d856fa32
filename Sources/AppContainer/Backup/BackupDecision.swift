package import FileSystem

/// The treatment of an item by a backup.
public enum BackupState: String, Sendable, Hashable, CaseIterable {
    /// A backup includes the item.
    case included
    /// No backup includes the item.
    case excluded
    /// Apple does not document the location, or the file system cannot store a backup exclusion. The backups of this package
    /// include the item: too much in a backup is better than too little.
    case unknown
}

/// The treatment of an item by a backup, with the reason and the origin. It takes two bytes.
package struct BackupDecision: Sendable, Hashable {
    package let reason: BackupReason
    package let decider: BackupDecider

    package init(_ reason: BackupReason, by origin: BackupDecider.Origin) {
        self.reason = reason
        decider = BackupDecider(origin)
    }

    init(_ reason: BackupReason, by decider: BackupDecider) { (self.reason, self.decider) = (reason, decider) }

    package var state: BackupState { reason.state }
    /// True if this package's backups contain the item: it is included, or nothing says that it is not.
    package var isStored: Bool { reason.isStored }

    /// True if the location is documented to be backed up and nothing is known to exclude the item.
    package var isIncludedByLocation: Bool { isStored && reason != .undocumented }

    /// The decision for what lies in an excluded directory.
    package var inherited: BackupDecision { reason == .ownFlag ? BackupDecision(.ancestorFlag, by: decider) : self }
}

/// The reason for including or excluding an item. The reason determines the state.
package enum BackupReason: String, Sendable, CaseIterable {
    /// The item is in a directory that is backed up.
    case userData = "user-data"
    /// The item is in a directory of which Apple does not document whether it is backed up.
    case undocumented
    /// The file system cannot store a backup exclusion.
    case noAttributes = "no-attributes"
    /// The item itself is excluded from backup by an attribute.
    case ownFlag = "own-flag"
    /// A directory above the item is excluded from backup by an attribute.
    case ancestorFlag = "ancestor-flag"
    /// The item is in Library/Caches, which the system may empty at any time.
    case caches
    /// The item is in tmp, which the app does not need at the next launch.
    case temporary = "tmp"
    /// The item is outside Documents and Library, the only directories of an app container that are backed up.
    case notBackedUpDirectory = "not-a-backed-up-directory"
    /// The item belongs to the system, which recreates it on another device.
    case systemState = "system-state"
    /// The item is a pipe, a socket or a device, which has no content.
    case specialNode = "special-node"
    /// The item is the temporary file of a save that is running or was interrupted.
    case temporaryFile = "temporary-file"
    /// The directory contains a CACHEDIR.TAG, and the rules exclude such directories.
    case tagFile = "tag-file"
    /// The item has the nodump flag, and the rules exclude such items.
    case noDump = "nodump"
    /// The item, or a directory above it, matches a pattern of the user.
    case pattern
    /// The file is larger than the user allows.
    case tooLarge = "too-large"

    package var state: BackupState {
        switch self {
        case .userData: .included
        case .undocumented, .noAttributes: .unknown
        default: .excluded
        }
    }

    package var isStored: Bool { state != .excluded }

    /// True if an attribute, a tag, a flag or an option decided, and not the location or the kind of the item.
    package var isByMark: Bool {
        switch self {
        case .ownFlag, .ancestorFlag, .tagFile, .noDump, .pattern, .tooLarge: true
        default: false
        }
    }

    /// A short description for text output.
    package var phrase: String {
        switch self {
        case .userData: "user data"
        case .undocumented: "backup not documented"
        case .noAttributes: "exclusion unknown"
        case .ownFlag: "excluded from backup"
        case .ancestorFlag: "in a directory excluded from backup"
        case .caches: "caches"
        case .temporary: "not needed at the next launch"
        case .notBackedUpDirectory: "outside Documents and Library"
        case .systemState: "owned by the system"
        case .specialNode: "not a file, directory or link"
        case .temporaryFile: "temporary file of a save"
        case .tagFile: "tagged as a cache"
        case .noDump: "has the nodump flag"
        case .pattern: "matches a pattern"
        case .tooLarge: "larger than allowed"
        }
    }
}

/// The origin of a decision. It takes one byte.
package struct BackupDecider: Sendable, Hashable, CustomStringConvertible {
    /// A place, an attribute, a property of the item, or an option of the user.
    package enum Origin: Sendable, Hashable {
        case location(Location)
        /// An attribute, a flag, or the file that tags a directory as a cache.
        case mark(String)
        /// The kind of the item: pipes, sockets and devices have no content.
        case kind(FileKind)
        /// The name of the temporary file of a save.
        case temporaryFile
        /// A file system that cannot store a backup exclusion.
        case fileSystem
        /// An option of the command line.
        case option(String)
    }

    private let number: UInt8

    init(_ origin: Origin) { number = Self.numbers[origin] ?? 0 }

    package var origin: Origin { Self.origins[Int(number)] }

    /// The name of the location, attribute, file, kind or option.
    package var description: String {
        switch origin {
        case .location(let location): location.description
        case .mark(let mark): mark
        case .kind(let kind): "\(kind)"
        case .temporaryFile: AtomicWrite.stagingPrefix
        case .fileSystem: "file system"
        case .option(let option): option
        }
    }

    static let excludeOption = Origin.option("--exclude")
    static let sizeOption = Origin.option("--exclude-larger-than")

    private static let origins: [Origin] =
        Location.table.map(Origin.location) + ExclusionMark.allCases.map { .mark($0.rawValue) }
        + BackupView.allCases.compactMap(\.softMark).map(Origin.mark) + FileKind.allCases.map(Origin.kind)
        + [.temporaryFile, .fileSystem, excludeOption, sizeOption]
    private static let numbers = Dictionary(uniqueKeysWithValues: origins.enumerated().map { ($1, UInt8($0)) })
}
