internal import AppContainer
internal import ContainerTree
internal import DatabaseInspection
internal import FileSystem
package import SystemPackage
internal import TextOutput

/// A decision that may be unwanted.
package struct PlanWarning: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A user database is excluded from backup.
        case databaseLeftOut = "database-left-out"
        /// Only one of a database and its log is included.
        case storeSplit = "store-split"
        /// Many re-downloadable or regenerable files are included.
        case regenerableKept = "regenerable-kept"
        /// Items of the user's documents are excluded because of a CACHEDIR.TAG beside them.
        case taggedDocuments = "tagged-documents"
        /// The content of files of a directory is not on this disk.
        case contentElsewhere = "content-elsewhere"
        /// A symbolic link points into another container.
        case linkToOldContainer = "link-to-old-container"
        /// The file system has no extended attributes, so backup exclusions are unknown.
        case flagsUnknown = "flags-unknown"
    }

    package let kind: Kind
    /// The item or location that the warning is about.
    package let path: [UInt8]
    /// The size of the items.
    package let bytes: UInt64
    /// The number of items.
    package let items: Int
    /// A related item: the companion of a database, or the largest of many files.
    package let other: [UInt8]?

    init(_ kind: Kind, path: [UInt8], bytes: UInt64 = 0, items: Int = 1, other: [UInt8]? = nil) {
        self.kind = kind
        self.path = path
        self.bytes = bytes
        self.items = items
        self.other = other
    }

    /// The problem and its solution, in one or two sentences.
    package var message: String {
        let shown = other.map(ByteText.escaped) ?? ""
        return switch kind {
        case .databaseLeftOut:
            "This database is excluded from backup and will be missing after a restore. If it contains user data, remove the exclusion."
        case .storeSplit:
            "Only one of the two files is included, so a restored database is damaged: \(shown). Include or exclude both."
        case .regenerableKept:
            "\(Quantity.count(items, "file")) here \(items == 1 ? "is" : "are") re-downloadable or regenerable and \(items == 1 ? "takes" : "take") "
                + "\(Quantity.bytes(bytes)) of every backup; the largest is \(shown). Move them to Library/Caches or exclude them from backup."
        case .taggedDocuments:
            "\(Quantity.count(items, "item")) here, \(Quantity.bytes(bytes)), \(items == 1 ? "is" : "are") excluded because of a CACHEDIR.TAG"
                + "\(items == 1 ? ": " : "; the largest is ")\(shown). Documents is for user data; remove the file unless the directory is a cache."
        case .contentElsewhere:
            "The content of \(Quantity.count(items, "file")) here, \(Quantity.bytes(bytes)), is not on this disk and will not be in the backup"
                + "\(items == 1 ? ": " : "; the largest is ")\(shown). Files that iCloud evicted must be downloaded first."
        case .linkToOldContainer:
            "This link points into another container, which does not exist after a restore. Make it relative."
        case .flagsUnknown:
            "This file system has no extended attributes, so backup exclusions are unknown; items that may be excluded are included."
        }
    }
}

/// An item that could not be analyzed. The backup misses it.
package struct PlanIncident: Sendable, Hashable {
    /// The path relative to the container.
    package let path: [UInt8]
    /// The reason, as one word or several joined by `-`.
    package let reason: String
    /// True if the item disappeared during the analysis.
    let hasVanished: Bool

    /// The incident of a file that the system marks as evicted.
    init(evicted path: [UInt8]) { self.init(WalkFailure(path: path, errno: .deadlock)) }

    init(_ failure: WalkFailure) {
        path = failure.path
        reason = failure.reason
        hasVanished = failure.hasVanished
    }
}

/// A search for databases of which some files are included and others are excluded.
struct SplitDatabases {
    private var pairs: [(main: [UInt8], companion: [UInt8])] = []

    init(_ index: ContainerIndex) {
        for number in 0..<index.count where index.kind(of: number) == .file {
            // In one directory, only an item's own attribute makes a difference.
            guard index.decision(for: number).reason.isByMark, let parent = index.parent(of: number) else { continue }
            func kept(_ name: ArraySlice<UInt8>) -> [UInt8]? {
                guard let other = index.child(name, of: parent), index.kind(of: other) == .file,
                    index.decision(for: other).isStored
                else { return nil }
                return index.path(of: other)
            }
            let name = index.name(of: number)
            for file in DatabaseFile.allCases where file != .main {
                let suffix = Array(file.rawValue.utf8)
                if let companion = kept(name + suffix) { pairs.append((index.path(of: number), companion)) }
                if name.suffix(suffix.count) == suffix[...], let main = kept(name.dropLast(suffix.count)) {
                    pairs.append((main, index.path(of: number)))
                }
            }
        }
    }

    /// Returns a warning for each pair whose main file is a database.
    func warnings(in container: Container) -> [PlanWarning] {
        pairs.compactMap { main, companion in
            guard let file = try? container.folder.open(FilePath(bytes: main), followingLinks: false),
                (try? file.status())?.kind == .file,
                let bytes = try? file.read(upTo: DatabaseHeader.size), DatabaseHeader(bytes) != nil
            else { return nil }
            return PlanWarning(.storeSplit, path: main, other: companion)
        }
    }
}

/// Absolute paths into a container by its UUID, which changes with a new device, a restore or an update.
package enum StaleContainerPath {
    /// Returns true if the target of a link is in a container other than the one at `location`.
    ///
    /// Source: a Manifest.db of iOS 14.3, in which WebKit links contain `…/Containers/Data/Application/<UUID>/…`.
    package static func isIn(_ target: [UInt8], apartFrom location: FilePath) -> Bool {
        guard target.first == UInt8(ascii: "/") else { return false }
        let components = target.split(separator: UInt8(ascii: "/"))
        guard let containers = components.firstIndex(where: { $0.elementsEqual("Containers".utf8) }),
            let identifier = components[containers...].first(where: isUUID)
        else { return false }
        return String(decoding: identifier, as: UTF8.self).lowercased() != location.lastComponent?.string.lowercased()
    }

    private static func isUUID(_ component: ArraySlice<UInt8>) -> Bool {
        guard component.count == 36 else { return false }
        return zip(0..., component).allSatisfy { index, byte in
            switch index {
            case 8, 13, 18, 23: byte == UInt8(ascii: "-")
            default: Character(Unicode.Scalar(byte)).isHexDigit
            }
        }
    }
}
