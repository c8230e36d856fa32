internal import AppContainer
internal import ContainerStores
internal import FileSystem
package import SystemPackage
internal import TextOutput

/// What a plan takes or leaves out that its reader may not want so.
package struct PlanWarning: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A database of a person's is left out by a mark.
        case databaseLeftOut = "database-left-out"
        /// A database is kept and its log is not, or the other way about.
        case storeSplit = "store-split"
        /// Much that can be had again is kept.
        case regenerableKept = "regenerable-kept"
        /// A link points into a container that is not this one.
        case linkToOldContainer = "link-to-old-container"
        /// The disk carries no attributes, so no flag can be seen.
        case flagsUnknown = "flags-unknown"
    }

    package let kind: Kind
    /// What it is about: an item, or a location.
    package let path: [UInt8]
    /// How many bytes it is about.
    package let bytes: UInt64
    /// How many items.
    package let items: Int
    /// The other item that belongs to the matter: a database's companion, the largest file of many.
    package let other: [UInt8]?

    init(_ kind: Kind, _ path: [UInt8], bytes: UInt64 = 0, items: Int = 1, other: [UInt8]? = nil) {
        self.kind = kind
        self.path = path
        self.bytes = bytes
        self.items = items
        self.other = other
    }

    /// What is wrong and what can be done, in one sentence or two.
    package var message: String {
        let shown = other.map(ByteText.escaped) ?? ""
        return switch kind {
        case .databaseLeftOut:
            "This database is left out by a mark and will be missing after a restore. If it is a person's, take the mark off."
        case .storeSplit:
            "One is kept and the other is not, so a restored database is damaged: \(shown). Treat both alike."
        case .regenerableKept:
            "\(Quantity.count(items, "file")) here can be had again and \(items == 1 ? "takes" : "take") "
                + "\(Quantity.bytes(bytes)) of every backup, the largest \(shown). Keep them in Library/Caches or flag them."
        case .linkToOldContainer:
            "This link points into another container, which is not there after a restore. Make it relative."
        case .flagsUnknown:
            "This disk carries no extended attributes, so no do-not-back-up flag can be seen; what one would leave out is kept."
        }
    }
}

/// Something that the plan could not look at; the backup misses it.
package struct PlanIncident: Sendable, Hashable {
    /// Bytes relative to the container.
    package let path: [UInt8]
    /// Why, in one word of several joined by `-`.
    package let reason: String
    /// Whether it was there and then was not.
    let hasVanished: Bool

    init(_ failure: WalkFailure) {
        path = failure.path
        reason = failure.reason
        hasVanished = failure.errno == .noSuchFileOrDirectory || failure.errno == .notDirectory
    }
}

/// Looks for SQLite stores of which one file is kept and another is not.
struct SplitDatabases {
    private var pairs: [(main: [UInt8], companion: [UInt8])] = []

    init(_ state: borrowing PlanBuilder.State, _ order: PlanOrder) {
        for number in order.records {
            let record = state.records[number]
            // Of two files in one directory only one's own mark makes a difference.
            guard record.kind == .file, record.reason.isByMark else { continue }
            let name = Array(state.names.name(of: record))
            for file in StoreFile.allCases where file != .main {
                let suffix = Array(file.rawValue.utf8)
                if let companion = Self.kept(name + suffix, beside: record, state, order) {
                    pairs.append((state.path(of: record, order), state.path(of: companion, order)))
                }
                if name.suffix(suffix.count) == suffix[...],
                    let main = Self.kept(name.dropLast(suffix.count), beside: record, state, order)
                {
                    pairs.append((state.path(of: main, order), state.path(of: record, order)))
                }
            }
        }
    }

    /// A warning for each whose main file is a database.
    func warnings(in container: Container) -> [PlanWarning] {
        pairs.compactMap { main, companion in
            guard let file = try? container.folder.open(FilePath(bytes: main), followingLinks: false),
                (try? file.status())?.kind == .file,
                let bytes = try? file.read(upTo: StoreHeader.size), StoreHeader(bytes) != nil
            else { return nil }
            return PlanWarning(.storeSplit, main, other: companion)
        }
    }

    private static func kept(
        _ name: some Collection<UInt8>, beside record: PlanRecord, _ state: borrowing PlanBuilder.State,
        _ order: PlanOrder
    ) -> PlanRecord? {
        guard let number = order.child(name, of: record.parent, in: state) else { return nil }
        let other = state.records[number]
        return other.kind == .file && other.reason.decision == .include ? other : nil
    }
}

/// The names of the files that make up a store of SQLite's.
package enum DatabaseFileNames {
    private static let endings = ["-wal", "-journal", "-shm"].map { Array($0.utf8) }

    /// The main files that a file may be laid beside: those with its name without SQLite's ending.
    package static func mains(ofCompanion path: [UInt8]) -> [[UInt8]] {
        endings.filter { path.suffix($0.count).elementsEqual($0) }.map { Array(path.dropLast($0.count)) }
    }

    /// All that SQLite may lay beside a main file, and the file.
    package static func all(of main: [UInt8]) -> [[UInt8]] { [main] + endings.map { main + $0 } }
}

/// Absolute paths into a container by its UUID, which another device, a restore or an update replaces.
package enum StaleContainerPath {
    /// Whether a link's target lies in a container other than the one at `location`.
    ///
    /// Source: a Manifest.db of iOS 14.3, whose WebKit links name `…/Containers/Data/Application/<UUID>/…`.
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
