/// An absolute path into an app's or a group's container, or into an app's bundle, as it stands in some content.
///
/// Such a path does not last: the directory's name changes with every update and every restore. It is found plain,
/// percent-encoded (`%2F`) and as JSON may write it (`\/`); on a device and in a simulator.
package struct StoredPath: Sendable, Hashable {
    /// What follows the container's own directory, with plain separators: `Documents/a.txt`; cut at 1,024 bytes.
    package let tail: [UInt8]

    /// The first directory of the container that it names; nil for the container itself or what is not one of these.
    package var place: String? {
        let first = tail.split(separator: UInt8(ascii: "/"), maxSplits: 1).first.map {
            String(decoding: $0, as: UTF8.self)
        }
        return ["Documents", "Library", "tmp", "SystemData", "StoreKit"].first { $0 == first }
    }

    /// The paths whose last fixed name stands at one of `starts`; at most `most`.
    package static func paths(in bytes: UnsafeRawBufferPointer, from starts: Range<Int>, most: Int) -> [StoredPath] {
        var found: [StoredPath] = []
        var position = starts.lowerBound
        while found.count < most, let start = beginnings.first(in: bytes, from: position..<starts.upperBound) {
            if let path = path(namedAt: start, in: bytes) { found.append(path) }
            position = start + 1
        }
        return found
    }

    /// The paths in a text.
    package static func paths(in text: String, most: Int = 16) -> [StoredPath] {
        guard text.utf8.count >= shortest else { return [] }
        var text = text
        return text.withUTF8 { paths(in: UnsafeRawBufferPointer($0), from: 0..<$0.count, most: most) }
    }

    /// `/var/mobile/Applications/` and an identifier; no path is shorter.
    package static let shortest = 61

    /// What stands before the identifier, from the end on. An empty name is an identifier.
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
    private static let beginnings = Beginnings(of: links.map { $0[0] })
    private static let identifierLength = 36

    private static func path(namedAt start: Int, in bytes: UnsafeRawBufferPointer) -> StoredPath? {
        for chain in links where has(chain[0], at: start, in: bytes) {
            let end = start + chain[0].count
            let separator = separator(at: end, in: bytes)
            guard separator > 0, isIdentifier(at: end + separator, in: bytes) else { continue }
            guard isChain(chain.dropFirst(), before: start, in: bytes) else { continue }
            return StoredPath(tail: tail(from: end + separator + identifierLength, in: bytes))
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

    /// The length of the separator that begins here: `/`, `\/` or `%2F`; 0 where there is none.
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

    /// The length of the separator that ends here.
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

    /// Whether `8-4-4-4-12` hexadecimal digits stand here.
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
