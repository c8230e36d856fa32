/// A directory of an app container: what it is for, and what the system does to what lies in it.
///
/// `table` is the one place that says so; the resolvers, the linter and the backup all read it.
public struct Location: Sendable, Hashable, CustomStringConvertible {
    /// Whether Finder and iCloud backups take what lies there.
    public enum Backup: String, Sendable { case backedUp = "yes", notBackedUp = "no", unknown }
    /// Whether the system may empty the directory.
    public enum Purge: String, Sendable { case never = "no", anyTime = "yes", maybe, unknown }
    /// Whether a person sees the directory in the Files app.
    public enum Visibility: String, Sendable { case hidden = "no", whenShared = "if shared" }

    /// Relative to the container; `{bundle-id}` stands for the app's identifier, `??????` for six characters.
    public let path: String
    /// What belongs there, in one phrase.
    public let purpose: String
    /// Whether it is backed up.
    public let backup: Backup
    /// Whether it is purged.
    public let purge: Purge
    /// Whether a person sees it.
    public let visibility: Visibility
    /// Whether the system made the directory for itself, so that an app puts nothing of its own there.
    public let isSystemOwned: Bool
    /// Where the row was verified; "recalled" marks what no source was found for.
    public let verified: String

    private init(
        _ path: String, _ purpose: String, backup: Backup, purge: Purge, visible: Visibility = .hidden,
        systemOwned: Bool = false, verified: String
    ) {
        self.path = path
        self.purpose = purpose
        self.backup = backup
        self.purge = purge
        self.visibility = visible
        self.isSystemOwned = systemOwned
        self.verified = verified
    }

    /// The path, or a word for the root.
    public var description: String { path.isEmpty ? "the container's root" : path }

    private static let optimizing = "Apple, Optimizing Your App's Data for iCloud Backup"
    private static let guide = "Apple, File System Programming Guide"
    private static let manifest = "Manifest.db of an iOS 14.3 backup: no row of any app below it"

    /// The container itself. Of an app's only Documents and Library are backed up; of a group's, everything.
    public static let root = Location(
        "", "nothing but the directories below", backup: .notBackedUp, purge: .never,
        verified: "Manifest.db of an iOS 14.3 backup: 470 roots hold no other top-level name")
    /// What a person made or manages.
    public static let documents = Location(
        "Documents", "what a person made or manages", backup: .backedUp, purge: .never, visible: .whenShared,
        verified: optimizing)
    /// Copies that the system delivers from other apps.
    public static let documentsInbox = Location(
        "Documents/Inbox", "copies delivered by the system; move them out before editing", backup: .backedUp,
        purge: .never, visible: .whenShared, systemOwned: true, verified: guide)
    /// Files that are not for a person's eyes.
    public static let library = Location(
        "Library", "files that are not for a person's eyes", backup: .backedUp, purge: .never, verified: optimizing)
    /// The app's own files that it cannot do without.
    public static let applicationSupport = Location(
        "Library/Application Support", "the app's own files, in a directory named by its identifier",
        backup: .backedUp, purge: .never, verified: optimizing)
    /// What can be made or downloaded again.
    public static let caches = Location(
        "Library/Caches", "what can be made or downloaded again", backup: .notBackedUp, purge: .anyTime,
        verified: optimizing)
    /// The default URL cache, and the place for an app's own caches.
    public static let urlCache = Location(
        "Library/Caches/{bundle-id}", "the default URL cache, and the app's own caches", backup: .notBackedUp,
        purge: .anyTime, verified: "firebase/firebase-ios-sdk#5594")
    /// What background downloads bring.
    public static let backgroundDownloads = Location(
        "Library/Caches/com.apple.nsurlsessiond/Downloads/{bundle-id}", "results of background downloads",
        backup: .notBackedUp, purge: .anyTime, systemOwned: true, verified: "excerpts of public code")
    /// Pictures of the app for the switcher, of older systems.
    public static let snapshots = Location(
        "Library/Caches/Snapshots", "pictures of the app for the switcher (older systems)", backup: .notBackedUp,
        purge: .anyTime, systemOwned: true, verified: "a book's excerpt")
    /// The property lists of user defaults.
    public static let preferences = Location(
        "Library/Preferences", "user defaults; never edited directly", backup: .backedUp, purge: .never,
        verified: guide)
    /// The app's cookies.
    public static let cookies = Location(
        "Library/Cookies", "the app's cookies", backup: .backedUp, purge: .never, systemOwned: true,
        verified: "a book's excerpt; backed up by the rule for Library")
    /// What web views keep.
    public static let webKit = Location(
        "Library/WebKit", "what web views keep; WebKit flags its LocalStorage itself", backup: .backedUp,
        purge: .never, systemOwned: true, verified: "WebKit/WebKit#5060")
    /// Where a scene was when the app ended.
    public static let savedState = Location(
        "Library/Saved Application State", "state restoration", backup: .notBackedUp, purge: .unknown,
        systemOwned: true, verified: manifest)
    /// Pictures shown while the app starts.
    public static let splashBoard = Location(
        "Library/SplashBoard", "launch pictures", backup: .notBackedUp, purge: .unknown, systemOwned: true,
        verified: manifest)
    /// Key-value pairs that iCloud keeps.
    public static let syncedPreferences = Location(
        "Library/SyncedPreferences", "key-value pairs that iCloud keeps", backup: .notBackedUp, purge: .unknown,
        systemOwned: true, verified: manifest)
    /// HLS media that the system downloads for the app.
    public static let managedAssets = Location(
        "Library/com.apple.UserManagedAssets.??????", "downloaded HLS media", backup: .unknown, purge: .maybe,
        systemOwned: true, verified: "excerpts of public code; backup recalled")
    /// The system's own.
    public static let systemData = Location(
        "SystemData", "the system's own", backup: .notBackedUp, purge: .unknown, systemOwned: true,
        verified: manifest)
    /// The App Store's receipt.
    public static let storeKit = Location(
        "StoreKit", "the App Store's receipt", backup: .notBackedUp, purge: .unknown, systemOwned: true,
        verified: "excerpts of public code; of an app's container only Documents and Library are backed up")
    /// What is not needed at the next launch.
    public static let temporary = Location(
        "tmp", "what is not needed at the next launch; delete it yourself", backup: .notBackedUp, purge: .maybe,
        verified: optimizing)
    /// The system's note of whose container this is.
    public static let metadata = Location(
        ".com.apple.mobile_container_manager.metadata.plist", "whose container this is (MCMMetadataIdentifier)",
        backup: .notBackedUp, purge: .never, systemOwned: true, verified: "magnetforensics.com, swiftforensics.com")

    /// Every location, parents before what lies in them.
    public static let table: [Location] = [
        root, documents, documentsInbox, library, applicationSupport, caches, urlCache, backgroundDownloads, snapshots,
        preferences, cookies, webKit, savedState, splashBoard, syncedPreferences, managedAssets, systemData, storeKit,
        temporary, metadata,
    ]

    /// The directories that QA1719 calls the system's: a flag belongs on a directory of one's own inside them.
    package static let systemDefined: Set<Location> = [
        root, documents, library, applicationSupport, caches, preferences, temporary,
    ]

    /// The location whose directory is exactly `components`, in a container of `bundleIdentifier`.
    package static func exactly(_ components: [String], bundleIdentifier: String?) -> Location? {
        byDepth[components.count]?.first { location in
            zip(location.pattern, components).allSatisfy { pattern, component in
                switch pattern {
                case "{bundle-id}": component == bundleIdentifier
                case let pattern where pattern.hasSuffix("??????"):
                    component.utf8.count == pattern.utf8.count && component.hasPrefix(pattern.dropLast(6))
                default: pattern == component
                }
            }
        }
    }

    private var pattern: [Substring] { path.split(separator: "/") }
    private static let byDepth = Dictionary(grouping: table) { $0.pattern.count }
}
