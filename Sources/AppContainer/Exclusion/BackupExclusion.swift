internal import FileSystem

/// The backup exclusion of an item, with the evidence.
public struct BackupExclusion: Sendable, Hashable {
    /// The state of the backup exclusion.
    public enum State: String, Sendable { case excluded, included, unknown }

    /// The state. `unknown` if the file system cannot store the exclusion.
    public let state: State
    /// The mark that decided. If the state is `included`, a mark that Apple's backups ignore, if any.
    public let mark: ExclusionMark?
    /// The path, relative to the container, of the item with the mark: the item itself or a parent directory.
    public let carrier: String?

    /// The state of an item without a mark.
    public static let included = BackupExclusion(state: .included, mark: nil, carrier: nil)
    /// The state of an item for which the exclusion cannot be determined.
    public static let unknown = BackupExclusion(state: .unknown, mark: nil, carrier: nil)

    package init(state: State, mark: ExclusionMark?, carrier: String?) {
        self.state = state
        self.mark = mark
        self.carrier = carrier
    }
}

/// A mark on a file or directory that excludes it from backups.
///
/// Source: Apple QA1719; eclecticlight.co 2017-12-13; Samba vfs_fruit(8); freedesktop.org, Common Extended Attributes;
/// bford.info/cachedir.
public enum ExclusionMark: String, Sendable, Hashable, CaseIterable {
    /// `com.apple.metadata:com_apple_backup_excludeItem`, as macOS and iOS write it.
    case modern = "com.apple.metadata:com_apple_backup_excludeItem"
    /// The same attribute, stored by Samba for a macOS client as an alternate data stream.
    case dosStream = "DosStream.com.apple.metadata:com_apple_backup_excludeItem:$DATA"
    /// `com.apple.MobileBackup` of iOS 5.0.1.
    case legacy = "com.apple.MobileBackup"
    /// `xdg.robots.backup` = `false`, for backups of other systems. Apple's backups ignore it.
    case robots = "xdg.robots.backup"
    /// A file CACHEDIR.TAG with its signature in the directory. Apple's backups ignore it.
    case cacheTag = "CACHEDIR.TAG"
    /// The flag that excludes a file from dumps. Apple's backups ignore it.
    case noDump = "nodump"

    /// True if Apple's backups honor the mark.
    public var isApple: Bool { self == .modern || self == .dosStream || self == .legacy }

    /// The value of the attribute that macOS writes: a binary property list of "com.apple.backupd" with 61 bytes.
    public static let value: [UInt8] =
        [UInt8]("bplist00".utf8) + [0x5f, 0x10, 0x11] + [UInt8]("com.apple.backupd".utf8)
        + [0x08, 0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0]
        + [0, 0, 0, 0, 0, 0, 0, 0x1c]

    /// Creates the mark for an attribute name. The value may still disable it; see `isMark`.
    package init?(attribute: String) {
        // macOS appends flags for copying after a "#" (`#S`, `#PS`).
        let end = attribute.utf8.firstIndex(of: UInt8(ascii: "#"))
        switch end.map({ attribute[..<$0] }) ?? attribute[...] {
        case "com.apple.metadata:com_apple_backup_excludeItem": self = .modern
        case "com.apple.MobileBackup": self = .legacy
        case "xdg.robots.backup": self = .robots
        case "DosStream.com.apple.metadata:com_apple_backup_excludeItem:$DATA",
            // Another spelling of Samba uses a private-use character instead of the first colon.
            "DosStream.com.apple.metadata\u{F022}com_apple_backup_excludeItem:$DATA":
            self = .dosStream
        default: return nil
        }
    }

    /// Returns true if an attribute with this value is a mark. For Apple's names, any value is.
    package func isMark(value: [UInt8]) -> Bool { self != .robots || value == Array("false".utf8) }

    /// Returns the value without the NUL that Samba appends to a stream.
    package func meaning(of value: [UInt8]) -> [UInt8] {
        self == .dosStream && value.last == 0 ? value.dropLast() : value
    }

    /// Returns a description of a value other than the 61 bytes that has been seen in practice.
    package static func knownVariant(_ value: [UInt8]) -> String? {
        switch value {
        case Array("com.apple.backupd".utf8): "the text com.apple.backupd without its property list"
        case Array("com.apple.MobileBackup".utf8): "the text com.apple.MobileBackup"
        case Array("true".utf8): "the text true"
        case []: "an empty value"
        default: nil
        }
    }

    /// The signature at the start of the file of `cacheTag`.
    package static let cacheTagSignature = [UInt8]("Signature: 8a477f597d28d172789f06886806bc55".utf8)
}
