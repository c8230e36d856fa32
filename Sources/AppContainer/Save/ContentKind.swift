public import Foundation
internal import SystemPackage

/// What a file is to its app, from which its place and its flag follow.
///
/// Apple's decision procedure: who made it, can it be made or fetched again, is it needed without a network or when
/// space is short. Source: Apple, "Optimizing Your App's Data for iCloud Backup"; iOS Data Storage Guidelines.
///
/// | what it is | where it goes | backed up | purged by the system |
/// |---|---|---|---|
/// | `.userDocument` | `Documents` | yes | never |
/// | `.userData` | `Library/Application Support/<id>` | yes | never |
/// | `.imported` | `Documents` | yes | never |
/// | `.downloaded(from:keepOffline: true)` | `Library/Application Support/<id>/Downloads`, flagged | no | never |
/// | `.downloaded(from:keepOffline: false)` | `Library/Caches/<id>` | no | any time |
/// | `.derived` | `Library/Caches/<id>` | no | any time |
/// | `.cache` | `Library/Caches/<id>` | no | any time |
/// | `.scratch` | `tmp` | no | maybe |
public enum ContentKind: Sendable, Hashable {
    /// A person made it and looks for it by name: a letter, a drawing.
    case userDocument
    /// A person made it in the app, which alone shows it: favourites, a library's database.
    case userData
    /// A person brought it in from elsewhere: a book, a comic. It is backed up, since the app cannot fetch it.
    case imported
    /// A server has it still; whether the app must find it without a network.
    case downloaded(from: URL, keepOffline: Bool)
    /// Made from other files that the app has still: a thumbnail, an index.
    case derived
    /// What only saves time.
    case cache
    /// What the next launch does not need.
    case scratch

    /// The directory below Application Support that keeps what must be there without a network. It carries the
    /// do-not-back-up flag.
    public static let downloads = "Downloads"

    /// Who made it, from where it came and, of what can be had again, until when it is kept.
    public func provenance(expires expiry: Date? = nil) -> Provenance {
        switch self {
        case .userDocument, .userData: Provenance(.user)
        case .imported: Provenance(.imported)
        case .downloaded(let origin, _): .downloaded(from: origin, expires: expiry)
        case .derived: .derived(expires: expiry)
        case .cache, .scratch: Provenance(.app)
        }
    }

    /// The place of a file of this kind.
    ///
    /// - Throws: `invalidPath` or `leavesContainer`.
    public func place(named name: String) throws(ContainerError) -> ContainerPath {
        switch self {
        case .userDocument, .imported: try .documents(name)
        case .userData: try .applicationSupport(name)
        case .downloaded(_, keepOffline: true):
            try .applicationSupport(Self.downloads).appending(name)
        case .downloaded, .derived, .cache: try .caches(name)
        case .scratch: try .temporary(name)
        }
    }

    /// The directory that is flagged before anything is saved in it.
    var flaggedDirectory: ContainerPath? {
        get throws(ContainerError) {
            guard case .downloaded(_, keepOffline: true) = self else { return nil }
            return try .applicationSupport(Self.downloads)
        }
    }
}
