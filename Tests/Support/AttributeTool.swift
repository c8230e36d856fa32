internal import CFileSystem
public import Foundation

/// Extended attributes, by system calls. A suite compares the results with those of `getfattr` and `setfattr`.
///
/// Names are spelled as on Linux, with the prefix `user.`. macOS has no such prefix: it is removed from the names of calls,
/// and added to those that the system returns.
public enum AttributeTool {
    /// Sets an attribute of files or directories. A link as the last component is followed.
    public static func set(_ name: String, to value: String, of paths: String..., in directory: URL? = nil) throws {
        for path in paths { try set(name, to: Data(value.utf8), of: path, in: directory) }
    }

    /// Sets an attribute of a file or directory to bytes. A link as the last component is followed.
    package static func set(_ name: String, to value: Data, of path: String, in directory: URL? = nil) throws {
        try withTarget(of: path, in: directory) { folder, entry throws in
            try write(name, value, in: folder, entry: entry, path: path)
        }
    }

    /// Removes an attribute of files or directories. A link as the last component is followed.
    public static func remove(_ name: String, of paths: String..., in directory: URL? = nil) throws {
        for path in paths {
            try withTarget(of: path, in: directory) { folder, entry throws in
                let result = cfs_remove_attribute(folder, entry, spelled(name))
                guard result == 0 else { throw CallFailure("remove the attribute \(name) of", path, -result) }
            }
        }
    }

    /// Returns the attributes of an item by name. A link is not followed.
    public static func attributes(of path: String, in directory: URL? = nil) throws -> [String: Data] {
        try withEntry(absolute(path, in: directory)) { try attributes(in: $0, entry: $1, path: path) }
    }

    /// Returns the value of an attribute as text, or nil if the item does not have the attribute.
    public static func text(_ name: String, of path: String, in directory: URL? = nil) throws -> String? {
        try attributes(of: path, in: directory)[name].map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the attributes of all items of a tree that have any, by the path relative to the tree. The path of its root
    /// is empty.
    public static func attributes(below folder: URL) throws -> [[UInt8]: [String: Data]] {
        var found: [[UInt8]: [String: Data]] = [:]
        try visitTree(folder) { item in
            let attributes = try attributes(in: item.directory, entry: item.name, path: item.text)
            if !attributes.isEmpty { found[item.path] = attributes }
        }
        return found
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

    /// Returns a shell command that sets an attribute of the items whose paths follow it: setfattr on Linux, xattr on macOS.
    public static func command(setting name: String, to value: String) -> String {
        guard Platform.isLinux else { return quoted(["xattr", "-wx", spelled(name), hexadecimal(value.utf8)]) }
        // Base64, because an argument has at most 128 KiB. setfattr sets an empty value without `-v`.
        let encoded = "0s" + Data(value.utf8).base64EncodedString()
        return quoted(["setfattr", "-n", name] + (value.isEmpty ? [] : ["-v", encoded]))
    }

    /// Returns a shell command that removes an attribute of the items whose paths follow it.
    public static func command(removing name: String) -> String {
        quoted(Platform.isLinux ? ["setfattr", "-x", name] : ["xattr", "-d", spelled(name)])
    }

    /// Returns bytes as hexadecimal digits.
    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Returns the attributes of an entry of an open directory, or of the directory itself if the name is empty. A file
    /// system without attributes is an error.
    static func attributes(
        in directory: Int32, entry: UnsafePointer<CChar>, path: String
    ) throws -> [String: Data] {
        let names = try bytes("list the attributes of", path) { cfs_list_attributes(directory, entry, $0, $1) }
        var attributes: [String: Data] = [:]
        for name in names.split(separator: 0) {
            let name = String(decoding: name, as: UTF8.self)
            // macOS sets it on most files that a program creates.
            if name == "com.apple.provenance" { continue }
            let value = try bytes("read the attribute \(name) of", path) {
                cfs_read_attribute(directory, entry, name, $0, $1)
            }
            attributes[Platform.isLinux ? name : "user." + name] = Data(value)
        }
        return attributes
    }

    /// Sets an attribute of an entry of an open directory, or of the descriptor itself if the name is empty.
    static func write(
        _ name: String, _ value: Data, in directory: Int32, entry: UnsafePointer<CChar>, path: String
    ) throws {
        let result = value.withUnsafeBytes {
            cfs_write_attribute(directory, entry, spelled(name), $0.baseAddress, $0.count)
        }
        guard result == 0 else { throw CallFailure("set the attribute \(name) of", path, -result) }
    }

    /// Returns the result of a call that fills a buffer, and returns the size of the result if the buffer is empty.
    private static func bytes(
        _ operation: String, _ path: String, _ call: (UnsafeMutablePointer<CChar>?, Int) -> Int
    ) throws -> [UInt8] {
        let size = call(nil, 0)
        guard size > 0 else {
            if size < 0 { throw CallFailure(operation, path, Int32(-size)) }
            return []
        }
        var buffer = [CChar](repeating: 0, count: size)
        let count = buffer.withUnsafeMutableBufferPointer { call($0.baseAddress, $0.count) }
        guard count >= 0 else { throw CallFailure(operation, path, Int32(-count)) }
        return buffer.prefix(count).map(UInt8.init(bitPattern:))
    }

    private static func spelled(_ name: String) -> String {
        !Platform.isLinux && name.hasPrefix("user.") ? String(name.dropFirst(5)) : name
    }

    private static func quoted(_ words: [String]) -> String {
        words.map { "'" + $0.replacing("'", with: "'\\''") + "'" }.joined(separator: " ")
    }

    private static func absolute(_ path: String, in directory: URL?) -> String {
        guard let directory, !path.hasPrefix("/") else { return path }
        return directory.path + "/" + path
    }

    /// Calls `body` with the item at a path, or with the target of the link at that path.
    private static func withTarget(
        of path: String, in directory: URL?, _ body: (Int32, String) throws -> Void
    ) throws {
        guard let target = realpath(absolute(path, in: directory), nil) else { throw CallFailure("find", path) }
        defer { free(target) }
        try withEntry(String(cString: target), body)
    }

    /// Calls `body` with the open directory of an item and the name of the item in it. The name of a directory in itself is
    /// empty.
    private static func withEntry<Result>(_ path: String, _ body: (Int32, String) throws -> Result) throws -> Result {
        let slash = path.lastIndex(of: "/")
        var name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        var folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        if ["", ".", ".."].contains(name) { (folder, name) = (path, "") }
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CallFailure("open", folder) }
        defer { close(descriptor) }
        return try body(descriptor, name)
    }
}
