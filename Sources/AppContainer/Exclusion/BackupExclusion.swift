internal import FileSystem

/// The backup exclusion of an item, with the evidence.
public struct BackupExclusion: Sendable, Hashable {
    /// The state. `unknown` if the file system cannot store the exclusion.
    public let state: BackupState
    /// The mark that decided. If the state is `included`, a mark that Apple's backups ignore, if any.
    package let mark: ExclusionMark?
    /// The path, relative to the container, of the item with the mark: the item itself or a parent directory.
    public let carrier: String?

    /// The state of an item without a mark.
    package static let included = BackupExclusion(state: .included, mark: nil, carrier: nil)
    /// The state of an item for which the exclusion cannot be determined.
    package static let unknown = BackupExclusion(state: .unknown, mark: nil, carrier: nil)

    package init(state: BackupState, mark: ExclusionMark?, carrier: String?) {
        self.state = state
        self.mark = mark
        self.carrier = carrier
    }
}

/// A mark on a file or directory that excludes it from backups.
///
/// Source: Apple QA1719; eclecticlight.co 2017-12-13; Samba vfs_fruit(8) and vfs_streams_xattr(8); rsync, xattrs.c;
/// Netatalk, libatalk/vfs/ea_sys.c; freedesktop.org, Common Extended Attributes; bford.info/cachedir.
package enum ExclusionMark: String, Sendable, Hashable, CaseIterable {
    /// `com.apple.metadata:com_apple_backup_excludeItem`, as macOS and iOS write it. Netatalk stores it under the same
    /// name, with the option `ea = samba` with a NUL after the value.
    case modern = "com.apple.metadata:com_apple_backup_excludeItem"
    /// The same attribute, stored by Samba for a macOS client as an alternate data stream.
    case dosStream = "DosStream.com.apple.metadata:com_apple_backup_excludeItem:$DATA"
    /// The same attribute, stored by `rsync --xattrs --fake-super` for a sender that does not use the namespaces of
    /// Linux.
    case rsync = "rsync.com.apple.metadata:com_apple_backup_excludeItem"
    /// `com.apple.MobileBackup` of iOS 5.0.1.
    case legacy = "com.apple.MobileBackup"
    /// `xdg.robots.backup` = `false`, for backups of other systems. Apple's backups ignore it.
    case robots = "xdg.robots.backup"
    /// A file CACHEDIR.TAG with its signature in the directory. Apple's backups ignore it.
    case cacheTag = "CACHEDIR.TAG"
    /// The flag that excludes a file from dumps. Apple's backups ignore it.
    case noDump = "nodump"

    /// True if Apple's backups honor the mark.
    package var isApple: Bool { isModern || self == .legacy }

    /// True for the attribute with a property list, in any spelling.
    package var isModern: Bool { self == .modern || self == .dosStream || self == .rsync }

    /// The value of the attribute that macOS writes: a binary property list of "com.apple.backupd" with 61 bytes.
    package static let value: [UInt8] =
        [UInt8]("bplist00".utf8) + [0x5f, 0x10, 0x11] + [UInt8]("com.apple.backupd".utf8)
        + [0x08, 0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0]
        + [0, 0, 0, 0, 0, 0, 0, 0x1c]

    /// Creates the mark for an attribute name. The value may still disable it; see `isMark`.
    package init?(attribute: String) {
        // Almost every attribute of a container has another name. This test takes a fraction of the time of the others.
        guard attribute.utf8.count >= Self.shortestAttribute else { return nil }
        guard attribute != Self.modern.rawValue else {
            self = .modern
            return
        }
        var name = attribute[...]
        // Samba appends the type of a stream, unless `store_stream_type` is off.
        let isStream = name.hasSuffix(":$DATA")
        if isStream { name = name.dropLast(6) }
        // macOS appends flags for copying after a "#" (`#S`, `#PS`).
        if let end = name.utf8.firstIndex(of: UInt8(ascii: "#")) { name = name[..<end] }
        // Without this prefix, the share has `streams_xattr:prefix = user.`.
        let isPrefixed = name.hasPrefix("DosStream.")
        if isPrefixed { name = name.dropFirst(10) }
        let isRsync = !isPrefixed && name.hasPrefix("rsync.")
        if isRsync { name = name.dropFirst(6) }
        switch name {
        case "com.apple.metadata:com_apple_backup_excludeItem":
            self = isStream || isPrefixed ? .dosStream : isRsync ? .rsync : .modern
        // Another spelling of Samba uses a private-use character instead of the colon.
        case "com.apple.metadata\u{F022}com_apple_backup_excludeItem": self = .dosStream
        case "com.apple.MobileBackup": self = .legacy
        case "xdg.robots.backup" where !isStream && !isPrefixed && !isRsync: self = .robots
        default: return nil
        }
    }

    private static let shortestAttribute = "xdg.robots.backup".utf8.count

    /// Returns true if an attribute with this value is a mark. For Apple's names, any value is.
    package func isMark(value: [UInt8]) -> Bool { self != .robots || value == Array("false".utf8) }

    /// Returns the value without the NUL that Samba appends to a stream, and Netatalk to the value of macOS.
    package func meaning(of value: [UInt8]) -> [UInt8] {
        guard value.last == 0, self == .dosStream || value.dropLast().elementsEqual(Self.value) else { return value }
        return value.dropLast()
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
