internal import FileSystem

/// An absolute path into the container of an app or group or into an app bundle, found in the content of a file.
///
/// Such a path becomes invalid: the name of the directory changes with every update and restore. It is recognized in
/// plain form, percent-encoded (`%2F`) and JSON-escaped (`\/`), on a device and in a simulator.
package struct StoredPath: Sendable, Hashable {
    /// The path relative to the container, with plain separators: `Documents/a.txt`. Truncated to 1,024 bytes.
    package let tail: [UInt8]
    /// The identifier of the container in capital letters: the name of its directory.
    package let identifier: String
    /// True for a path into an app bundle.
    package let isInBundle: Bool

    /// The first directory, if it is a standard directory of a container. Nil for the container itself and other
    /// directories.
    package var topDirectory: String? {
        let first = tail.split(separator: UInt8(ascii: "/"), maxSplits: 1).first.map {
            String(decoding: $0, as: UTF8.self)
        }
        return ["Documents", "Library", "tmp", "SystemData", "StoreKit"].first { $0 == first }
    }

    /// Returns at most `most` paths whose last fixed component begins in `starts`.
    package static func paths(in bytes: UnsafeRawBufferPointer, from starts: Range<Int>, most: Int) -> [StoredPath] {
        var found: [StoredPath] = []
        // An identifier follows the name, and few texts have its hyphens.
        var next = starts.lowerBound
        let end = min(bytes.count, starts.upperBound + longestName + longestSeparator + hyphen + 1)
        let marked = UnsafeRawBufferPointer(rebasing: bytes[..<end])
        while found.count < most, let position = marked.position(of: UInt8(ascii: "-"), from: next) {
            next = position + 1
            let identifier = position - hyphen
            guard identifier > starts.lowerBound, isIdentifier(at: identifier, in: bytes) else { continue }
            let end = identifier - separator(before: identifier, in: bytes)
            guard end < identifier, let name = names.first(where: { has($0, at: end - $0.count, in: bytes) }),
                starts.contains(end - name.count), let path = path(namedAt: end - name.count, in: bytes)
            else { continue }
            found.append(path)
        }
        return found
    }

    /// Returns the paths in a text.
    package static func paths(in text: String, most: Int = 16) -> [StoredPath] {
        guard text.utf8.count >= shortest else { return [] }
        var text = text
        return text.withUTF8 { paths(in: UnsafeRawBufferPointer($0), from: 0..<$0.count, most: most) }
    }

    /// Returns true if the bytes contain a path.
    package static func isContained(in bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= shortest && !paths(in: bytes, from: 0..<bytes.count, most: 1).isEmpty
    }

    /// The length of `/var/mobile/Applications/` and an identifier. No path is shorter.
    package static let shortest = 61

    /// The components before the identifier, in reverse order. An empty string stands for an identifier.
    private static let chains: [[String]] = [
        ["Applications", "mobile", "var"],
        ["Application", "Data", "Containers", "mobile", "var"],
        ["PluginKitPlugin", "Data", "Containers", "mobile", "var"],
        ["AppGroup", "Shared", "Containers", "mobile", "var"],
        ["Application", "Bundle", "containers", "var"],
        ["Application", "Data", "Containers", "data", "", "Devices", "CoreSimulator", "Developer"],
        ["Application", "Bundle", "Containers", "data", "", "Devices", "CoreSimulator", "Developer"],
        ["AppGroup", "Shared", "Containers", "data", "", "Devices", "CoreSimulator", "Developer"],
        ["PluginKitPlugin", "Data", "Containers", "data", "", "Devices", "CoreSimulator", "Developer"],
        ["Application", "Data", "Containers", "data", "", "XCPGDevices", "Developer"],
        ["Application", "Bundle", "Containers", "data", "", "XCPGDevices", "Developer"],
        ["AppGroup", "Shared", "Containers", "data", "", "XCPGDevices", "Developer"],
    ]
    private static let links = chains.map { $0.map { Array($0.utf8) } }
    private static let bundle = Array("Bundle".utf8)
    /// The names before the identifier. None is the end of another.
    private static let names = Set(links.map { $0[0] }).sorted { $0.count < $1.count }
    private static let longestName = names.last?.count ?? 0
    private static let longestSeparator = 3
    private static let identifierLength = 36
    /// The position of the first hyphen in an identifier.
    private static let hyphen = 8

    private static func path(namedAt start: Int, in bytes: UnsafeRawBufferPointer) -> StoredPath? {
        for chain in links where has(chain[0], at: start, in: bytes) {
            let end = start + chain[0].count
            let separator = separator(at: end, in: bytes)
            guard separator > 0, isIdentifier(at: end + separator, in: bytes) else { continue }
            guard isChain(chain.dropFirst(), before: start, in: bytes) else { continue }
            let named = end + separator
            let identifier = String(decoding: bytes[named..<(named + identifierLength)], as: UTF8.self).uppercased()
            return StoredPath(
                tail: tail(from: named + identifierLength, in: bytes), identifier: identifier,
                isInBundle: chain.contains(bundle))
        }
        return nil
    }

    private static func isChain(_ names: ArraySlice<[UInt8]>, before start: Int, in bytes: UnsafeRawBufferPointer)
        -> Bool
    {
        var end = start - separator(before: start, in: bytes)
        guard end < start else { return false }
        for name in names {
            let length = name.isEmpty ? identifierLength : name.count
            let start = end - length
            guard start >= 0 else { return false }
            guard name.isEmpty ? isIdentifier(at: start, in: bytes) : has(name, at: start, in: bytes) else {
                return false
            }
            end = start - separator(before: start, in: bytes)
            guard end < start else { return false }
        }
        return true
    }

    private static func tail(from start: Int, in bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var tail: [UInt8] = []
        var position = start
        while position < bytes.count, tail.count < 1024 {
            let separator = separator(at: position, in: bytes)
            if separator > 0 {
                tail.append(UInt8(ascii: "/"))
                position += separator
                continue
            }
            let byte = bytes[position]
            guard byte >= 0x20, !"\"'<>`|\\".utf8.contains(byte) else { break }
            tail.append(byte)
            position += 1
        }
        return Array(tail.drop { $0 == UInt8(ascii: "/") })
    }

    /// Returns the length of the separator that begins here (`/`, `\/` or `%2F`), or 0.
    private static func separator(at start: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        guard start < bytes.count else { return 0 }
        switch bytes[start] {
        case UInt8(ascii: "/"): return 1
        case UInt8(ascii: "\\"): return has([UInt8(ascii: "/")], at: start + 1, in: bytes) ? 2 : 0
        case UInt8(ascii: "%"):
            return has(Array("2F".utf8), at: start + 1, in: bytes) || has(Array("2f".utf8), at: start + 1, in: bytes)
                ? 3 : 0
        default: return 0
        }
    }

    /// Returns the length of the separator that ends here, or 0.
    private static func separator(before end: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        for length in [2, 1, 3] where end >= length && separator(at: end - length, in: bytes) == length {
            return length
        }
        return 0
    }

    private static func has(_ name: [UInt8], at start: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard start >= 0, start + name.count <= bytes.count else { return false }
        for index in name.indices where bytes[start + index] != name[index] { return false }
        return true
    }

    /// Returns true if a name is an identifier.
    package static func isIdentifier(_ name: String) -> Bool {
        name.utf8.count == identifierLength && Array(name.utf8).withUnsafeBytes { isIdentifier(at: 0, in: $0) }
    }

    /// Returns true if the bytes are hexadecimal digits in the form `8-4-4-4-12`.
    package static func isIdentifier(at start: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard start >= 0, start + identifierLength <= bytes.count else { return false }
        for index in 0..<identifierLength {
            let byte = bytes[start + index]
            switch index {
            case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return false }
            default:
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                    UInt8(ascii: "A")...UInt8(ascii: "F"):
                    continue
                default: return false
                }
            }
        }
        return true
    }
}
