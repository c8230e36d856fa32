internal import CFileSystem
public import Foundation

/// A listing of a tree: names, kinds, modes, owners, sizes, times in nanoseconds, attributes and hashes of the content. It
/// does not contain the change time of inodes, which no program can restore.
///
/// The hashes differ between processes.
public struct TreeListing: Equatable, CustomStringConvertible {
    /// The lines of the items, without those of their attributes and content.
    package let items: [String]
    private let lines: [String]

    /// Lists a directory. Reading content changes access times, so a test that compares them creates two listings first.
    /// Linux changes the access time of a link when its target is read.
    public init(of folder: URL, withAccessTimes: Bool = false) throws {
        var (items, attributes, contents): ([String], [String], [String]) = ([], [], [])
        try visitTree(folder) { items.append(try Self.line($0, withAccessTimes)) }
        // After the statuses of all items, because reading changes access times.
        try visitTree(folder) { item in
            // Some file systems have no attributes.
            let found = try? AttributeTool.attributes(in: item.directory, entry: item.name, path: item.text)
            for (name, value) in (found ?? [:]).sorted(by: { $0.key < $1.key }) {
                attributes.append("\(item.text) \(name)=0x\(AttributeTool.hexadecimal(value))")
            }
            if item.status.kind == UInt8(CFS_FILE) { contents.append("\(item.text) \(Self.hash(of: item))") }
        }
        lines = items + attributes + contents
        self.items = items
    }

    /// The line of an item: path, kind as `find` prints it, mode, owner, size, links, times and the target of a link. The
    /// size of a link is that of its target's path.
    private static func line(_ item: TreeItem, _ withAccessTimes: Bool) throws -> String {
        let status = item.status
        let kind = Array("Ufdlpscb")[Int(status.kind)]
        let facts = "\(item.text) \(kind) \(String(status.permissions, radix: 8)) \(status.user) \(status.group)"
        if status.kind == UInt8(CFS_SYMBOLIC_LINK) {
            return "\(facts) \(time(status.modified)) \(text(of: try item.target()))"
        }
        let accessed = withAccessTimes ? " \(time(status.accessed))" : ""
        return "\(facts) \(status.size) \(status.links) \(time(status.modified))\(accessed)"
    }

    private static func text(of target: [CChar]) -> String {
        String(decoding: target.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func time(_ time: cfs_time) -> String {
        let digits = String(time.nanoseconds)
        return "\(time.seconds).\(String(repeating: "0", count: 9 - digits.count))\(digits)"
    }

    /// Returns a hash of the content of a file, or that it cannot be read.
    private static func hash(of file: TreeItem) -> String {
        var hasher = Hasher()
        do { try file.read { hasher.combine(bytes: $0) } } catch { return "unreadable" }
        return String(UInt(bitPattern: hasher.finalize()), radix: 16)
    }

    /// The lines.
    public var description: String { lines.joined(separator: "\n") }

    /// Returns the lines that only one of two listings has.
    public func differences(from other: TreeListing) -> [String] {
        let (mine, others) = (Set(lines), Set(other.lines))
        return lines.filter { !others.contains($0) }.map { "+ \($0)" }
            + other.lines.filter { !mine.contains($0) }.map { "- \($0)" }
    }
}
