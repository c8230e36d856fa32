internal import FileSystem

/// A sign on a file or directory that it is to be left out of backups.
///
/// Source: Apple QA1719; eclecticlight.co 2017-12-13; Samba vfs_fruit(8); freedesktop.org, Common Extended
/// Attributes; bford.info/cachedir.
public enum ExclusionMark: String, Sendable, Hashable, CaseIterable {
    /// `com.apple.metadata:com_apple_backup_excludeItem`, as macOS and iOS write it.
    case modern = "com.apple.metadata:com_apple_backup_excludeItem"
    /// The same, kept by Samba for a client on macOS as an alternate data stream.
    case dosStream = "DosStream.com.apple.metadata:com_apple_backup_excludeItem:$DATA"
    /// `com.apple.MobileBackup`, of iOS 5.0.1.
    case legacy = "com.apple.MobileBackup"
    /// `xdg.robots.backup` = `false`: for other systems' backups, not Apple's.
    case robots = "xdg.robots.backup"
    /// A file CACHEDIR.TAG with its signature in the directory: not Apple's.
    case cacheTag = "CACHEDIR.TAG"
    /// The "leave out of dumps" bit: not Apple's.
    case noDump = "nodump"

    /// Whether Apple's backups heed it.
    public var isApple: Bool { self == .modern || self == .dosStream || self == .legacy }

    /// The 61 bytes that macOS writes as the flag's value: a binary property list of "com.apple.backupd".
    public static let value: [UInt8] =
        [UInt8]("bplist00".utf8) + [0x5f, 0x10, 0x11] + [UInt8]("com.apple.backupd".utf8)
        + [0x08, 0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0]
        + [0, 0, 0, 0, 0, 0, 0, 0x1c]

    /// What an attribute of this name would mark; its value may still take that back (`isMark`).
    package init?(attribute: String) {
        // macOS puts flags for copying behind a "#" (`#S`, `#PS`).
        let end = attribute.utf8.firstIndex(of: UInt8(ascii: "#"))
        switch end.map({ attribute[..<$0] }) ?? attribute[...] {
        case "com.apple.metadata:com_apple_backup_excludeItem": self = .modern
        case "com.apple.MobileBackup": self = .legacy
        case "xdg.robots.backup": self = .robots
        case "DosStream.com.apple.metadata:com_apple_backup_excludeItem:$DATA",
            // Samba's other spelling has a private-use character for the first colon.
            "DosStream.com.apple.metadata\u{F022}com_apple_backup_excludeItem:$DATA":
            self = .dosStream
        default: return nil
        }
    }

    /// Whether the attribute with this value marks anything: for Apple's names any value does.
    package func isMark(value: [UInt8]) -> Bool { self != .robots || value == Array("false".utf8) }

    /// The value as its writer meant it: Samba ends a stream with a NUL.
    package func meaning(of value: [UInt8]) -> [UInt8] {
        self == .dosStream && value.last == 0 ? value.dropLast() : value
    }

    /// The values other than the 61 bytes that were seen in the wild, by what they are.
    package static func knownVariant(_ value: [UInt8]) -> String? {
        switch value {
        case Array("com.apple.backupd".utf8): "the text com.apple.backupd without its property list"
        case Array("com.apple.MobileBackup".utf8): "the text com.apple.MobileBackup"
        case Array("true".utf8): "the text true"
        case []: "an empty value"
        default: nil
        }
    }

    /// What the file of `cacheTag` begins with.
    package static let cacheTagSignature = [UInt8]("Signature: 8a477f597d28d172789f06886806bc55".utf8)
}
