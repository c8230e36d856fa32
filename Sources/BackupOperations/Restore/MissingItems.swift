internal import AppContainer
internal import BackupPlan
internal import BackupRepository
internal import DatabaseInspection
internal import FileSystem
internal import PropertyLists
internal import SystemPackage

/// An item that the app will miss after a restore.
package struct MissingItem: Sendable, Hashable {
    package enum Cause: Sendable, Hashable {
        /// The item was excluded from backup.
        case leftOut(flag: String)
        /// A link points into the old container.
        case link(Target)
        /// A property list contains a path into the old container.
        case text(pointer: String, Target)
    }

    /// The target of a stored path.
    package struct Target: Sendable, Hashable {
        /// The path beneath the old container; empty for the container itself.
        package let tail: [UInt8]
        /// True if the new container has the target.
        package let isThere: Bool
    }

    package let path: [UInt8]
    package let cause: Cause
}

/// A search for paths into the old container: in links and in strings of property lists, including nested ones.
/// Databases and other formats are not searched.
struct MissingItemFinder {
    private let container: Container
    private(set) var found: [MissingItem] = []
    private(set) var count = 0

    init(_ container: Container) { self.container = container }

    mutating func add(_ missed: MissingItem) {
        count += 1
        if found.count < AppRestorer.most { found.append(missed) }
    }

    mutating func look(at path: [UInt8], _ entry: SnapshotEntry) {
        switch entry.kind {
        case .symbolicLink:
            guard let target = entry.target, StaleContainerPath.isIn(target, apartFrom: container.location) else {
                return
            }
            let stored = StoredPath.paths(in: String(decoding: target, as: UTF8.self), most: 1).first
            add(MissingItem(path: path, cause: .link(self.stored(stored?.tail ?? []))))
        case .file where entry.size >= UInt64(StoredPath.shortest) && entry.size <= UInt64(Self.largest):
            // Items that were not restored, or are not property lists, contain no paths.
            guard let file = try? container.folder.open(FilePath(bytes: path), followingLinks: false),
                (try? file.status())?.kind == .file, let start = try? file.read(upTo: 8),
                PropertyListStrings.isPossible(start), let bytes = try? file.contents(limit: Self.largest)
            else { return }
            PropertyListStrings.visit(bytes, limit: Self.largest) { text, pointer in
                let paths = StoredPath.paths(in: text)
                guard !paths.isEmpty, !isNew(text) else { return }
                for stored in paths {
                    add(MissingItem(path: path, cause: .text(pointer: pointer(), self.stored(stored.tail))))
                }
            }
        default: return
        }
    }

    private static let largest = 16 << 20

    /// Returns true if a text contains the current name of the container.
    private func isNew(_ text: String) -> Bool {
        container.location.lastComponent.map { text.contains($0.string) } ?? false
    }

    private func stored(_ tail: [UInt8]) -> MissingItem.Target {
        let path = FilePath(bytes: tail)
        let isThere = tail.isEmpty || (!path.isAbsolute && (try? container.folder.statusIfPresent(path)) != nil)
        return MissingItem.Target(tail: tail, isThere: isThere)
    }
}
