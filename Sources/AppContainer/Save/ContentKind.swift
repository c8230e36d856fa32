public import Foundation
internal import SystemPackage

/// The kind of a file, which determines its directory and its backup exclusion.
///
/// The kinds follow Apple's criteria: the origin of the file, whether it can be downloaded or generated again, and
/// whether it must be available offline or when space is low. Source: Apple, "Optimizing Your App's Data for iCloud
/// Backup"; iOS Data Storage Guidelines.
///
/// | kind | directory | backed up | deleted by the system |
/// |---|---|---|---|
/// | `.userDocument` | `Documents` | yes | never |
/// | `.userData` | `Library/Application Support/<id>` | yes | never |
/// | `.imported` | `Documents` | yes | never |
/// | `.downloaded(from:keepOffline: true)` | `Library/Application Support/<id>/Downloads`, excluded from backup | no | never |
/// | `.downloaded(from:keepOffline: false)` | `Library/Caches/<id>` | no | any time |
/// | `.derived` | `Library/Caches/<id>` | no | any time |
/// | `.cache` | `Library/Caches/<id>` | no | any time |
/// | `.scratch` | `tmp` | no | maybe |
public enum ContentKind: Sendable, Hashable {
    /// A document that the user creates and finds by its name: a letter, a drawing.
    case userDocument
    /// User data that only the app displays: favourites, a library's database.
    case userData
    /// A file that the user imports: a book, a comic. It is backed up, because the app cannot download it.
    case imported
    /// A file that a server still has. `keepOffline` is true if the app needs it without a network.
    case downloaded(from: URL, keepOffline: Bool)
    /// A file generated from other files that the app still has: a thumbnail, an index.
    case derived
    /// A file that only saves time.
    case cache
    /// A file that the next launch does not need.
    case scratch

    /// The directory in Application Support for downloads that must be available offline. It is excluded from backup.
    public static let downloads = "Downloads"

    /// Returns the provenance of a file of this kind. The expiry date is only used for re-downloadable and regenerable
    /// kinds.
    public func provenance(expires expiry: Date? = nil) -> Provenance {
        switch self {
        case .userDocument, .userData: Provenance(.user)
        case .imported: Provenance(.imported)
        case .downloaded(let origin, _): .downloaded(from: origin, expires: expiry)
        case .derived: .derived(expires: expiry)
        case .cache, .scratch: Provenance(.app)
        }
    }

    /// Returns the path of a file of this kind.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    public func path(named name: String) throws(ContainerError) -> ContainerPath {
        switch self {
        case .userDocument, .imported: try .documents(name)
        case .userData: try .applicationSupport(name)
        case .downloaded(_, keepOffline: true):
            try .applicationSupport(Self.downloads).appending(name)
        case .downloaded, .derived, .cache: try .caches(name)
        case .scratch: try .temporary(name)
        }
    }

    /// The directory that is excluded from backup before a file is saved in it.
    var flaggedDirectory: ContainerPath? {
        get throws(ContainerError) {
            guard case .downloaded(_, keepOffline: true) = self else { return nil }
            return try .applicationSupport(Self.downloads)
        }
    }
}
