public import Foundation

/// A listing of a tree by libarchive's mtree and by `AttributeTool`: for each path, the properties of the item by name.
///
/// It contains the keywords of mtree that a copy can preserve: kind, mode, owner, size, time in nanoseconds, target of a
/// link, SHA-256, flags of `chattr`, the number of names of a file and the first of them. It contains neither inode and
/// device, which differ between disks, nor holes, which mtree does not list. Under `LC_ALL=C` bsdtar accepts names of any
/// bytes and paths of up to 4,096 bytes.
public struct MtreeListing {
    /// The properties by path.
    public private(set) var items: [[UInt8]: [String: String]] = [:]

    /// Lists a directory.
    public init(of folder: URL) throws {
        let keywords = ["type", "mode", "uid", "gid", "size", "time", "link", "sha256", "flags", "nlink", "inode"]
        let options = "mtree:!all" + keywords.map { ",mtree:\($0)" }.joined()
        let tree = try Command(
            "bsdtar", ["-cf", "-", "--format=mtree", "--options=\(options)", "."], in: folder,
            environment: ["LC_ALL": "C"])
        guard tree.code == 0, tree.errors.isEmpty else { throw ListingFailure(description: tree.errors) }
        var first: [String: String] = [:]
        // Sorted, so that the first name of a file does not depend on the order in a directory.
        for line in tree.text.split(separator: "\n").dropFirst().sorted() {
            let words = line.split(separator: " ")
            let fields = words.dropFirst().map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
            var facts = Dictionary(uniqueKeysWithValues: fields.map { ($0[0], $0.count > 1 ? $0[1] : "") })
            let inode = facts.removeValue(forKey: "inode") ?? ""
            if facts["nlink"] != nil {
                first[inode] = first[inode] ?? String(words[0])
                facts["first"] = first[inode]
            }
            items[Self.bytes(words[0].dropFirst(2))] = facts
        }
        for (path, attributes) in try AttributeTool.attributes(below: folder) {
            for (name, value) in attributes {
                items[path, default: [:]][name] = value.isEmpty ? "" : "0x" + AttributeTool.hexadecimal(value)
            }
        }
    }

    /// Removes all other paths.
    public mutating func keep(only paths: Set<[UInt8]>) { items = items.filter { paths.contains($0.key) } }

    /// Removes the fractions of seconds from all times.
    public mutating func roundTimes() {
        for (path, facts) in items {
            guard let time = facts["time"] else { continue }
            items[path]?["time"] = (time.split(separator: ".").first ?? "") + ".0"
        }
    }

    /// Removes the set-user-ID and set-group-ID bits from all modes.
    public mutating func dropSetIDBits() {
        for (path, facts) in items {
            guard let mode = facts["mode"].flatMap({ UInt16($0, radix: 8) }) else { continue }
            items[path]?["mode"] = String(mode & ~0o6000, radix: 8)
        }
    }

    /// Returns the differences of another tree, one per line: an item that is `gone` or `new`, or a property that differs.
    public func differences(in other: MtreeListing) -> Set<String> {
        var lines: Set<String> = []
        for path in Set(items.keys).union(other.items.keys) {
            let name = String(decoding: path, as: UTF8.self)
            guard let mine = items[path] else {
                lines.insert("new: \(name)")
                continue
            }
            guard let others = other.items[path] else {
                lines.insert("gone: \(name)")
                continue
            }
            for fact in Set(mine.keys).union(others.keys) where mine[fact] != others[fact] {
                lines.insert("\(fact) \(mine[fact] ?? "none") is \(others[fact] ?? "none"): \(name)")
            }
        }
        return lines
    }

    /// Returns a name as bsdtar and getfattr write it, with unusual bytes as a backslash and three octal digits.
    static func bytes(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), let escaped = UInt8(String(Substring(rest.prefix(3))), radix: 8) {
                bytes.append(escaped)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}

/// An error of a program that lists a tree.
struct ListingFailure: Error, CustomStringConvertible { let description: String }
