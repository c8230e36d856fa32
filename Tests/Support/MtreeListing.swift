public import Foundation

/// What libarchive's mtree and getfattr tell of a tree: of each item, by its path, its facts by their names.
///
/// Of mtree's keywords those are asked for that a copy can have the same: kind, mode, owner, size, time to the
/// nanosecond, a link's target, the content's sum, flags as `chattr` sets them, how many names a file has, and which of them is its first. Inode and
/// device are of one disk; checksums beside SHA-256 tell nothing more; holes it does not know. bsdtar takes every name
/// of bytes under `LC_ALL=C`, and paths up to the kernel's 4,096 bytes.
public struct MtreeListing {
    /// The facts.
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
        let attributes = try Command(
            "getfattr", ["-h", "-R", "-d", "-m", "-", "-e", "hex", "."], in: folder, environment: ["LC_ALL": "C"])
        guard attributes.code == 0 else { throw ListingFailure(description: attributes.errors) }
        for block in attributes.text.components(separatedBy: "\n\n") where !block.isEmpty {
            let lines = block.split(separator: "\n")
            let path = lines[0].dropFirst("# file: ".count)
            for line in lines.dropFirst() {
                let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
                items[path == "." ? [] : Self.bytes(path), default: [:]][parts[0]] = parts.count > 1 ? parts[1] : ""
            }
        }
    }

    /// Forgets all but these paths.
    public mutating func keep(only paths: Set<[UInt8]>) { items = items.filter { paths.contains($0.key) } }

    /// Takes the fractions of seconds off all times.
    public mutating func roundTimes() {
        for (path, facts) in items {
            guard let time = facts["time"] else { continue }
            items[path]?["time"] = (time.split(separator: ".").first ?? "") + ".0"
        }
    }

    /// Takes the set-user-ID and set-group-ID bits off all modes.
    public mutating func dropSetIDBits() {
        for (path, facts) in items {
            guard let mode = facts["mode"].flatMap({ UInt16($0, radix: 8) }) else { continue }
            items[path]?["mode"] = String(mode & ~0o6000, radix: 8)
        }
    }

    /// What another tree has otherwise, a line each: an item that is `gone` or `new`, or a fact that differs.
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

    /// A name as both programs write it, odd bytes as a backslash and three octal digits.
    private static func bytes(_ text: Substring) -> [UInt8] {
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

/// A program that was to list a tree did not.
struct ListingFailure: Error, CustomStringConvertible { let description: String }
