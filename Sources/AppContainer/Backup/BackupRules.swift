package import FileSystem

/// The rules that decide which items a backup includes.
package struct BackupRules: Sendable {
    package var view: BackupView
    /// True if the content of directories with a valid CACHEDIR.TAG is excluded, except for the tag.
    package var respectsCacheTags = false
    /// True if items with the nodump flag are excluded.
    package var respectsNoDump = false
    /// Patterns of items that are excluded with everything below them.
    package var excluded: ItemPatterns?
    /// The maximum size of a file in bytes; larger ones are excluded. Nil without a limit.
    package var largestFile: UInt64?

    package init(view: BackupView = .finder) { self.view = view }

    /// Returns the decision by the item's own attributes and flags, or nil if none applies.
    func decision(byMarksOf item: BackupItem) -> BackupDecision? {
        if let mark = view.mark(on: item) { return BackupDecision(.ownFlag, by: .mark(mark)) }
        if respectsNoDump, item.isNoDump {
            return BackupDecision(.noDump, by: .mark(ExclusionMark.noDump.rawValue))
        }
        return nil
    }

    /// Returns the decision by the patterns and the limit of the user, or nil if none applies.
    func decision(byOptionsOn item: BackupItem, path: () -> [UInt8]) -> BackupDecision? {
        if let excluded, excluded.matches(name: Array(item.name), path: path()) {
            return BackupDecision(.pattern, by: BackupDecider.excludeOption)
        }
        if let largestFile, item.kind == .file, item.size > largestFile {
            return BackupDecision(.tooLarge, by: BackupDecider.sizeOption)
        }
        return nil
    }
}

/// The kind of backup that a decision is about, which determines the attributes that exclude an item.
///
/// Source: Apple QA1719; the Manifest.db of an encrypted iOS 14.3 backup, which includes an item with both
/// view-specific attributes (HomeDomain, Library/Avatar/CoreDataBackend). The meaning of the view-specific attributes
/// is inferred from their names.
package enum BackupView: String, Sendable, CaseIterable {
    /// The encrypted backup of Finder: only the general backup exclusion counts.
    case finder
    /// The unencrypted backup of Finder, which also excludes items that must not be stored unencrypted.
    case finderUnencrypted = "finder-unencrypted"
    /// The iCloud backup, which also excludes items that are meant only for computers.
    case icloud

    /// The attribute that excludes an item only in this view.
    var softMark: String? {
        switch self {
        case .finder: nil
        case .finderUnencrypted: "com.apple.metadata:com_apple_unencryptedBackup_excludeItem"
        case .icloud: "com.apple.metadata:com_apple_cloudBackup_excludeItem"
        }
    }

    /// Returns the attribute that excludes the item, if any.
    func mark(on item: BackupItem) -> String? {
        if let mark = item.mark { return mark.rawValue }
        guard let softMark, !item.attributes.isEmpty else { return nil }
        // macOS appends copy flags to attribute names after a "#" (`#S`, `#PS`).
        return item.attributes.contains { $0.prefix { $0 != "#" } == softMark } ? softMark : nil
    }
}

/// The properties of an item that decide whether a backup includes it.
package struct BackupItem {
    /// The name in the directory, valid during the decision. Empty for the container itself.
    package var name: UnsafeRawBufferPointer
    package var kind: FileKind
    /// The bytes of content of a file.
    package var size: UInt64
    package var isNoDump: Bool
    /// The first of the item's own marks that every backup of Apple honors.
    package var mark: ExclusionMark?
    /// The names of the extended attributes.
    package var attributes: [String]
    /// True if the item can store attributes.
    package var carriesAttributes: Bool

    package init(
        name: UnsafeRawBufferPointer, _ status: FileStatus, mark: ExclusionMark?, attributes: [String],
        carriesAttributes: Bool
    ) {
        self.name = name
        kind = status.kind
        size = status.isFile ? status.size : 0
        isNoDump = status.isNoDump
        self.mark = mark
        self.attributes = attributes
        self.carriesAttributes = carriesAttributes
    }
}
