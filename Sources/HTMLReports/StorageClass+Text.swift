package import ContainerTree

extension StorageClass {
    /// The name of the class in legends.
    package var label: String {
        switch self {
        case .backedUp: "User data and state in backups"
        case .redownloadable: "Not needed in backups"
        case .undecided: "Undecided in backups"
        case .evicted: "Not on this disk"
        case .caches: "Caches"
        case .temporary: "Temporary"
        case .excluded: "Not in backups"
        case .unknown: "Unknown"
        }
    }

    /// The name of the class in the style of the page.
    var style: String {
        switch self {
        case .backedUp: "backed-up"
        case .redownloadable: "redownloadable"
        case .undecided: "undecided"
        case .evicted: "evicted"
        case .caches: "caches"
        case .temporary: "temporary"
        case .excluded: "excluded"
        case .unknown: "unknown"
        }
    }

    /// The meaning of the class, as a sentence.
    var meaning: String {
        switch self {
        case .backedUp: "User data or state of the app, included in backups."
        case .redownloadable: "Re-downloadable, regenerable, a log or temporary, and nevertheless included in backups."
        case .undecided: "Included in backups; neither proof nor evidence says whether a backup needs it."
        case .evicted: "The content is not on this disk, usually in iCloud, and in no backup."
        case .caches: "In Library/Caches, which is not backed up and may be deleted by the system."
        case .temporary: "In tmp, which is not backed up."
        case .excluded: "Excluded from backup by an attribute, or in a directory that backups leave out."
        case .unknown:
            "The input does not record backup exclusions, or the treatment of the directory is not documented."
        }
    }
}
