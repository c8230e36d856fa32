/// An event of a device that changes an app's container while the app is not running.
public enum LifecycleEvent: String, Sendable, Hashable, CaseIterable {
    /// The system deletes the content of Library/Caches and tmp to free space. Items that are excluded from backup are
    /// spared: "files that should remain on device, even in low storage situations".
    ///
    /// Source: Apple, iOS Data Storage Guidelines (2011); Optimizing Your App's Data for iCloud Backup. The order of
    /// iOS is not documented.
    case purge
    /// The app is updated. Its container gets a new path with a new UUID, and the content moves there.
    ///
    /// Source: isledecomp/isle-portable#856.
    case update
    /// The app is removed and its data is kept; when the app is installed again, the container has a new path.
    case offload
    /// The container is backed up and restored to a new device: into a new container, which has only the items that a
    /// backup includes, with their modes, modification dates and attributes.
    ///
    /// Source: Apple, File System Programming Guide; Technical Note QA1719; the rows of an iOS 14.3 Manifest.db.
    case restore
    /// The app is transferred to a new device. Apple does not document the items that a direct transfer copies; they
    /// are taken to be those of a backup, because excluded items were lost on new devices and stored paths became
    /// invalid there.
    ///
    /// Source: capacitor-community/sqlite#613, deltachat/deltachat-ios#1762.
    case transfer

    /// True if the container has another path afterwards.
    package var movesContainer: Bool { self != .purge }

    /// True if only the items that a backup includes exist afterwards.
    package var keepsOnlyBackedUpItems: Bool { self == .restore || self == .transfer }

    /// The phrase for messages: “after an update”.
    package var phrase: String {
        switch self {
        case .purge: "after a purge"
        case .update: "after an update"
        case .offload: "after the app was offloaded and installed again"
        case .restore: "after a restore"
        case .transfer: "after a transfer to a new device"
        }
    }
}
