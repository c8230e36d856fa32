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
                start == Self.magic || start.first(where: { !Self.blanks.contains($0) }) == UInt8(ascii: "<"),
                let bytes = try? file.contents(limit: Self.largest)
            else { return }
            look(into: bytes, of: path, pointer: "", depth: 0)
        default: return
        }
    }

    private static let largest = 16 << 20
    private static let magic = Array("bplist00".utf8)
    private static let blanks = Array(" \t\r\n\u{feff}".utf8)

    private mutating func look(into bytes: [UInt8], of path: [UInt8], pointer: String, depth: Int) {
        var limits = PropertyListGraph.Limits()
        limits.bytes = Self.largest
        guard let graph = try? PropertyListGraph(parsing: bytes, limits: limits, brokenText: .replaced) else { return }
        // A shared value is reported once, and cycles terminate.
        var seen: Set<Int> = []
        var way = PropertyListCursor(to: graph.root)
        repeat {
            guard seen.insert(way.value.index).inserted else { continue }
            switch way.value.node {
            case .string(let text):
                let paths = StoredPath.paths(in: text)
                guard !paths.isEmpty, !isNew(text) else { continue }
                let pointer = way.pointer(from: pointer)
                for stored in paths {
                    add(MissingItem(path: path, cause: .text(pointer: pointer, self.stored(stored.tail))))
                }
            case .data(let inner) where depth < 3 && inner.starts(with: Self.magic):
                look(into: inner, of: path, pointer: way.pointer(from: pointer) + "/", depth: depth + 1)
            case .array, .dictionary: way.enter()
            default: continue
            }
        } while way.advance()
    }

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

/// A cursor that walks a property list in depth-first order.
///
/// It stores positions, not names: a list of one megabyte may have a million levels with long names.
struct PropertyListCursor {
    /// The current value.
    private(set) var value: PropertyListValue
    /// The containing collections, and the next member of each.
    private var above: [(value: PropertyListValue, next: Int)] = []

    init(to root: PropertyListValue) { value = root }

    /// Continues with the members of the current value.
    mutating func enter() { above.append((value, 0)) }

    /// Moves to the next value; returns false at the end.
    mutating func advance() -> Bool {
        while let (container, next) = above.last {
            guard next < container.count else {
                above.removeLast()
                continue
            }
            above[above.count - 1].next += 1
            guard let member = container[next] ?? container.pair(at: next)?.value else { continue }
            value = member
            return true
        }
        return false
    }

    private static let longest = 1_024

    /// Returns the path of the current value after `start`, truncated at 1,024 bytes.
    func pointer(from start: String) -> String {
        var bytes = Array(start.utf8)
        for (container, next) in above {
            guard bytes.count <= Self.longest else { break }
            bytes.append(UInt8(ascii: "/"))
            bytes += (container.pair(at: next - 1)?.key ?? "\(next - 1)").utf8.prefix(Self.longest)
        }
        guard bytes.count > Self.longest else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: bytes.prefix(Self.longest), as: UTF8.self) + "…"
    }
}
