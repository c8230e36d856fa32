internal import AppContainer
internal import BackupPlan
internal import BackupRepository
internal import ContainerStores
internal import FileSystem
internal import PropertyLists
internal import SystemPackage

/// Something that an app will not find after a restore.
package struct MissingItem: Sendable, Hashable {
    package enum Cause: Sendable, Hashable {
        /// A flag kept it out of the backup.
        case leftOut(flag: String)
        /// A link points into the container as it was called before.
        case link(Target)
        /// A property list holds, at a place in it, such a path.
        case text(pointer: String, Target)
    }

    /// Where an absolute path pointed.
    package struct Target: Sendable, Hashable {
        /// Beneath the old container; empty for the container itself.
        package let tail: [UInt8]
        /// Whether the new container has it.
        package let isThere: Bool
    }

    package let path: [UInt8]
    package let cause: Cause
}

/// Finds paths into a container of another name among what was restored: in links and in texts of property lists, also
/// of those that one holds as data. Databases and other formats are not looked into.
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
            // What was not restored, or is no property list, holds none.
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
        // What is shared is told where it is met first; a cycle ends.
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

    /// Whether a text names the container by the name that it has now.
    private func isNew(_ text: String) -> Bool {
        container.location.lastComponent.map { text.contains($0.string) } ?? false
    }

    private func stored(_ tail: [UInt8]) -> MissingItem.Target {
        let path = FilePath(bytes: tail)
        let isThere = tail.isEmpty || (!path.isAbsolute && (try? container.folder.statusIfPresent(path)) != nil)
        return MissingItem.Target(tail: tail, isThere: isThere)
    }
}

/// A way through a property list: from member to member, and down into what has members.
///
/// Of the way down it keeps places and no names: a list of a megabyte may have a million levels, all of one long name.
struct PropertyListCursor {
    /// Where the way stands.
    private(set) var value: PropertyListValue
    /// What it has gone down into, and which member of each is the next.
    private var above: [(value: PropertyListValue, next: Int)] = []

    init(to root: PropertyListValue) { value = root }

    /// The members of where it stands come next.
    mutating func enter() { above.append((value, 0)) }

    /// Goes on to what comes next; false where there is nothing more.
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

    /// The names that lead from `start` to where it stands; cut at 1,024 bytes.
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
