internal import FileSystem

/// A standard directory of an app container, with its purpose and its treatment by the system.
///
/// `table` is the single source of this information for the library, the linter and the backup.
public struct Location: Sendable, Hashable, CustomStringConvertible {
    /// The treatment of a directory by Finder and iCloud backups.
    package enum Backup: String, Sendable { case backedUp = "yes", notBackedUp = "no", unknown }
    /// The conditions under which the system may delete the content of a directory.
    package enum Purge: String, Sendable { case never = "no", anyTime = "yes", maybe, unknown }
    /// The visibility of a directory to the user in the Files app.
    package enum Visibility: String, Sendable { case hidden = "no", whenShared = "if shared" }

    /// The properties, which all values of a location share.
    private final class Properties: Sendable {
        let (path, purpose, verified): (String, String, String)
        let (backup, purge, visibility): (Backup, Purge, Visibility)
        let isSystemOwned: Bool

        init(
            _ path: String, _ purpose: String, _ backup: Backup, _ purge: Purge, _ visibility: Visibility,
            isSystemOwned: Bool, verified: String
        ) {
            (self.path, self.purpose, self.verified) = (path, purpose, verified)
            (self.backup, self.purge, self.visibility) = (backup, purge, visibility)
            self.isSystemOwned = isSystemOwned
        }
    }
    private let properties: Properties

    /// The path relative to the container. `{bundle-id}` stands for the app's identifier, `??????` for six characters.
    public var path: String { properties.path }
    /// The purpose, as a phrase.
    package var purpose: String { properties.purpose }
    /// The treatment by backups.
    package var backup: Backup { properties.backup }
    /// The conditions under which the system deletes the content.
    package var purge: Purge { properties.purge }
    /// The visibility to the user.
    package var visibility: Visibility { properties.visibility }
    /// True if the directory belongs to the system and apps must not put their own files in it.
    package var isSystemOwned: Bool { properties.isSystemOwned }
    /// The source of the information. "recalled" means that no source was found.
    package var verified: String { properties.verified }

    private init(
        _ path: String, purpose: String, backup: Backup, purge: Purge, visible: Visibility = .hidden,
        systemOwned: Bool = false, verified: String
    ) {
        properties = Properties(
            path, purpose, backup, purge, visible, isSystemOwned: systemOwned, verified: verified)
    }

    /// Each location has a path of its own.
    public static func == (left: Location, right: Location) -> Bool {
        left.properties === right.properties || left.path == right.path
    }

    /// Hashes the path.
    public func hash(into hasher: inout Hasher) { hasher.combine(path) }

    /// The path, or a phrase for the container itself.
    public var description: String { path.isEmpty ? "the container's root" : path }

    private static let optimizing = "Apple, Optimizing Your App's Data for iCloud Backup"
    private static let guide = "Apple, File System Programming Guide"
    private static let manifest = "Manifest.db of an iOS 14.3 backup: no row of any app below it"

    /// The container itself. Of an app's container, only Documents and Library are backed up; of a group's container,
    /// everything.
    package static let root = Location(
        "", purpose: "only the directories below", backup: .notBackedUp, purge: .never,
        verified: "Manifest.db of an iOS 14.3 backup: 470 roots hold no other top-level name")
    /// User data.
    public static let documents = Location(
        "Documents", purpose: "data that the user creates or manages", backup: .backedUp, purge: .never,
        visible: .whenShared,
        verified: optimizing)
    /// Copies of files that the system delivers from other apps.
    package static let documentsInbox = Location(
        "Documents/Inbox", purpose: "copies delivered by the system; move them out before editing", backup: .backedUp,
        purge: .never, visible: .whenShared, systemOwned: true, verified: guide)
    /// Files that the user does not see.
    package static let library = Location(
        "Library", purpose: "files that the user does not see", backup: .backedUp, purge: .never, verified: optimizing)
    /// The app's own essential files.
    public static let applicationSupport = Location(
        "Library/Application Support", purpose: "the app's own files, in a directory named by its identifier",
        backup: .backedUp, purge: .never, verified: optimizing)
    /// Regenerable and re-downloadable files.
    public static let caches = Location(
        "Library/Caches", purpose: "regenerable and re-downloadable files", backup: .notBackedUp, purge: .anyTime,
        verified: optimizing)
    /// The default URL cache and the app's own caches.
    public static let urlCache = Location(
        "Library/Caches/{bundle-id}", purpose: "the default URL cache, and the app's own caches", backup: .notBackedUp,
        purge: .anyTime, verified: "firebase/firebase-ios-sdk#5594")
    /// The results of background downloads.
    package static let backgroundDownloads = Location(
        "Library/Caches/com.apple.nsurlsessiond/Downloads/{bundle-id}", purpose: "results of background downloads",
        backup: .notBackedUp, purge: .anyTime, systemOwned: true, verified: "excerpts of public code")
    /// Screenshots of the app for the app switcher on older systems.
    package static let snapshots = Location(
        "Library/Caches/Snapshots", purpose: "screenshots for the app switcher (older systems)", backup: .notBackedUp,
        purge: .anyTime, systemOwned: true, verified: "a book's excerpt")
    /// The property lists of user defaults.
    public static let preferences = Location(
        "Library/Preferences", purpose: "user defaults; never edited directly", backup: .backedUp, purge: .never,
        verified: guide)
    /// The app's cookies.
    package static let cookies = Location(
        "Library/Cookies", purpose: "the app's cookies", backup: .backedUp, purge: .never, systemOwned: true,
        verified: "a book's excerpt; backed up by the rule for Library")
    /// The data of web views.
    package static let webKit = Location(
        "Library/WebKit", purpose: "data of web views; WebKit excludes its LocalStorage from backup itself",
        backup: .backedUp,
        purge: .never, systemOwned: true, verified: "WebKit/WebKit#5060")
    /// The state of scenes for restoration.
    package static let savedState = Location(
        "Library/Saved Application State", purpose: "state restoration", backup: .notBackedUp, purge: .unknown,
        systemOwned: true, verified: manifest)
    /// Launch screens.
    package static let splashBoard = Location(
        "Library/SplashBoard", purpose: "launch pictures", backup: .notBackedUp, purge: .unknown, systemOwned: true,
        verified: manifest)
    /// Key-value pairs of iCloud.
    package static let syncedPreferences = Location(
        "Library/SyncedPreferences", purpose: "key-value pairs of iCloud", backup: .notBackedUp, purge: .unknown,
        systemOwned: true, verified: manifest)
    /// HLS media that the system downloads for the app.
    package static let managedAssets = Location(
        "Library/com.apple.UserManagedAssets.??????", purpose: "downloaded HLS media", backup: .unknown, purge: .maybe,
        systemOwned: true, verified: "excerpts of public code; backup recalled")
    /// Data of the system.
    package static let systemData = Location(
        "SystemData", purpose: "the system's own", backup: .notBackedUp, purge: .unknown, systemOwned: true,
        verified: manifest)
    /// The App Store's receipt.
    package static let storeKit = Location(
        "StoreKit", purpose: "the App Store's receipt", backup: .notBackedUp, purge: .unknown, systemOwned: true,
        verified: "excerpts of public code; of an app's container only Documents and Library are backed up")
    /// Files that the next launch does not need.
    public static let temporary = Location(
        "tmp", purpose: "files that the next launch does not need; delete them yourself", backup: .notBackedUp,
        purge: .maybe,
        verified: optimizing)
    /// The system's metadata with the owner of the container.
    package static let metadata = Location(
        ".com.apple.mobile_container_manager.metadata.plist",
        purpose: "metadata with the owner of the container (MCMMetadataIdentifier)",
        backup: .notBackedUp, purge: .never, systemOwned: true, verified: "magnetforensics.com, swiftforensics.com")

    /// All locations, parent directories first.
    package static let table: [Location] = [
        root, documents, documentsInbox, library, applicationSupport, caches, urlCache, backgroundDownloads, snapshots,
        preferences, cookies, webKit, savedState, splashBoard, syncedPreferences, managedAssets, systemData, storeKit,
        temporary, metadata,
    ]

    /// The system-defined directories of QA1719, which must not be excluded from backup. Exclude a subdirectory
    /// instead.
    package static let systemDefined: Set<Location> = [
        root, documents, library, applicationSupport, caches, preferences, temporary,
    ]

    /// Returns the location whose directory has exactly these components in a container of `bundleIdentifier`. With
    /// `ignoringCase`, for a volume on which `documents` is the directory `Documents`.
    package static func exactly(
        _ components: [String], bundleIdentifier: String?, ignoringCase: Bool = false
    ) -> Location? {
        let components = ignoringCase ? components.map { NameSpelling.form($0) } : components
        let identifier = ignoringCase ? bundleIdentifier.map { NameSpelling.form($0) } : bundleIdentifier
        return byDepth[components.count]?.first { entry in
            zip(ignoringCase ? entry.form : entry.pattern, components).allSatisfy { pattern, component in
                switch pattern {
                case "{bundle-id}": component == identifier
                case let pattern where pattern.hasSuffix("??????"):
                    component.utf8.count == pattern.utf8.count && component.hasPrefix(pattern.dropLast(6))
                default: pattern == component
                }
            }
        }?.location
    }

    private static let byDepth = Dictionary(
        grouping: table.map { location in
            let pattern = location.path.split(separator: "/").map(String.init)
            return (pattern: pattern, form: pattern.map { NameSpelling.form($0) }, location: location)
        }
    ) { $0.pattern.count }
}
