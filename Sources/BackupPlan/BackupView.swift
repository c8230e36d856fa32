internal import AppContainer
internal import ContainerTree

/// Whose backup a plan stands for, which says which marks keep an item out.
///
/// Source: Apple QA1719; the Manifest.db of an encrypted iOS 14.3 backup, which keeps an item with both softer
/// attributes (HomeDomain, Library/Avatar/CoreDataBackend); what each softer one means is told by its name alone.
package enum BackupView: String, Sendable, CaseIterable {
    /// Finder's encrypted backup on a computer: the do-not-back-up flag counts.
    case finder
    /// Finder's backup without a password, which also leaves out what must not lie about unencrypted.
    case finderUnencrypted = "finder-unencrypted"
    /// iCloud's, which also leaves out what is only for computers.
    case icloud

    /// The attribute that counts in this view alone.
    var softMark: String? {
        switch self {
        case .finder: nil
        case .finderUnencrypted: "com.apple.metadata:com_apple_unencryptedBackup_excludeItem"
        case .icloud: "com.apple.metadata:com_apple_cloudBackup_excludeItem"
        }
    }

    /// The mark of the item's own that keeps it out; nil where none does.
    func mark(on item: Item) -> String? {
        if let mark = item.marks.first { return mark.rawValue }
        guard let softMark, !item.attributes.isEmpty else { return nil }
        // macOS puts flags for copying behind a "#" (`#S`, `#PS`).
        return item.attributes.contains { $0.prefix { $0 != "#" } == softMark } ? softMark : nil
    }
}
