public import Foundation

/// The system's own program for extended attributes, in its own process: getfattr and setfattr on Linux, xattr on macOS.
///
/// Names are spelled as on Linux, with the prefix `user.`. macOS has no such prefix: it is removed from the names that
/// `xattr` gets, and added to those that it prints.
public enum AttributeTool {
    /// Sets an attribute of files or directories. A link as the last component is followed.
    public static func set(_ name: String, to value: String, of paths: String..., in directory: URL? = nil) throws {
        let words = setting(name, to: value)
        try Command.setUp(words[0], words.dropFirst() + paths, in: directory)
    }

    /// Removes an attribute of files or directories.
    public static func remove(_ name: String, of paths: String..., in directory: URL? = nil) throws {
        let words = removing(name)
        try Command.setUp(words[0], words.dropFirst() + paths, in: directory)
    }

    /// Returns the attributes of an item by name. A link is not followed.
    public static func attributes(of path: String, in directory: URL? = nil) throws -> [String: Data] {
        guard Platform.isLinux else { return try shownByXattr(path, in: directory) }
        let blocks = try blocks(["--absolute-names", path], in: directory)
        return blocks.first?.attributes ?? [:]
    }

    /// Returns the value of an attribute as text, or nil if the item does not have the attribute.
    public static func text(_ name: String, of path: String, in directory: URL? = nil) throws -> String? {
        try attributes(of: path, in: directory)[name].map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the attributes of all items of a tree that have any, by the path relative to the tree. The path of its root
    /// is empty.
    public static func attributes(below folder: URL) throws -> [[UInt8]: [String: Data]] {
        guard Platform.isLinux else {
            var found: [[UInt8]: [String: Data]] = [:]
            for path in try Command("find", [".", "-print0"], in: folder).output.split(separator: 0) {
                let attributes = try shownByXattr(String(decoding: path, as: UTF8.self), in: folder)
                if !attributes.isEmpty { found[Array(path.dropFirst(2))] = attributes }
            }
            return found
        }
        let blocks = try blocks(["-R", "."], in: folder).map { ($0.path == [UInt8(ascii: ".")] ? [] : $0.path, $0.1) }
        return Dictionary(uniqueKeysWithValues: blocks)
    }

    /// Returns the attributes of all items of a tree as text: per attribute a line with the path, the name and the value in
    /// hexadecimal digits, sorted.
    public static func listing(below folder: URL) throws -> String {
        try attributes(below: folder).flatMap { path, attributes in
            attributes.map { "\(String(decoding: path, as: UTF8.self)) \($0)=0x\(hexadecimal($1))\n" }
        }.sorted().joined()
    }

    /// Returns the attributes of an item as text, in the same form without a path. A link is not followed.
    public static func listing(of path: String, in directory: URL? = nil) throws -> String {
        try attributes(of: path, in: directory).map { "\($0)=0x\(hexadecimal($1))\n" }.sorted().joined()
    }

    /// The program that reads attributes.
    public static let reader = Platform.isLinux ? "getfattr" : "xattr"

    /// Returns a shell command that sets an attribute of the items whose paths follow it.
    public static func command(setting name: String, to value: String) -> String { quoted(setting(name, to: value)) }

    /// Returns a shell command that removes an attribute of the items whose paths follow it.
    public static func command(removing name: String) -> String { quoted(removing(name)) }

    /// Returns bytes as hexadecimal digits.
    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func setting(_ name: String, to value: String) -> [String] {
        guard Platform.isLinux else { return ["xattr", "-wx", plain(name), hexadecimal(value.utf8)] }
        // Base64, because an argument has at most 128 KiB. setfattr sets an empty value without `-v`.
        return ["setfattr", "-n", name] + (value.isEmpty ? [] : ["-v", "0s" + Data(value.utf8).base64EncodedString()])
    }

    private static func removing(_ name: String) -> [String] {
        Platform.isLinux ? ["setfattr", "-x", name] : ["xattr", "-d", plain(name)]
    }

    private static func plain(_ name: String) -> String { name.hasPrefix("user.") ? String(name.dropFirst(5)) : name }

    private static func quoted(_ words: [String]) -> String {
        words.map { "'" + $0.replacing("'", with: "'\\''") + "'" }.joined(separator: " ")
    }

    /// The items with attributes that getfattr prints, each with its path as given or found.
    private static func blocks(
        _ arguments: [String], in directory: URL?
    ) throws -> [(path: [UInt8], attributes: [String: Data])] {
        let run = try Command(
            "getfattr", ["-h", "-d", "-m", "-", "-e", "hex"] + arguments, in: directory, environment: ["LC_ALL": "C"])
        guard run.code == 0 else { throw ListingFailure(description: run.errors) }
        return run.text.components(separatedBy: "\n\n").filter { !$0.isEmpty }.map { block in
            let lines = block.split(separator: "\n")
            var attributes: [String: Data] = [:]
            for line in lines.dropFirst() {
                let parts = line.split(separator: "=", maxSplits: 1)
                let name = String(decoding: MtreeListing.bytes(parts[0]), as: UTF8.self)
                attributes[name] = parts.count > 1 ? bytes(parts[1].dropFirst(2)) : Data()
            }
            return (MtreeListing.bytes(lines[0].dropFirst("# file: ".count)), attributes)
        }
    }

    private static func shownByXattr(_ path: String, in directory: URL?) throws -> [String: Data] {
        let names = try Command("xattr", ["-s", path], in: directory)
        guard names.code == 0 else { throw ListingFailure(description: names.errors) }
        var attributes: [String: Data] = [:]
        // macOS sets com.apple.provenance on most files that a program creates.
        for name in names.text.split(separator: "\n").map(String.init) where name != "com.apple.provenance" {
            let value = try Command("xattr", ["-psx", name, path], in: directory)
            guard value.code == 0 else { throw ListingFailure(description: value.errors) }
            attributes["user." + name] = bytes(value.text.filter(\.isHexDigit)[...])
        }
        return attributes
    }

    private static func bytes(_ digits: Substring) -> Data {
        let digits = digits.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map(UInt8.init) }
        return Data(stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }
}
