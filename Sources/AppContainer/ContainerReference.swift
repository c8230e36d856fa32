internal import FileSystem
internal import SystemPackage

/// A reference to an item of a container, found in a text or a link.
package struct ContainerReference: Sendable, Hashable {
    /// The path of the target, relative to the container. Empty for the container itself.
    package let path: [UInt8]
    /// True for an absolute path, which becomes invalid when the container gets a new path.
    package let isAbsolute: Bool
}

/// A search for references to items of one container: absolute paths into it, and paths relative to it.
///
/// An absolute path begins with the container's own path, or has the form of a path on a device or in a simulator
/// (`StoredPath`). If the directory of the container is named by a UUID, a path with another UUID belongs to another
/// container or to a former path of this one. A relative path begins with Documents, Library or tmp.
package struct ContainerReferences: Sendable {
    /// The absolute paths of the container, plain and percent-encoded.
    private let ownPaths: [[UInt8]]
    /// The UUID that names the directory of the container, in capital letters.
    private let identifier: String?

    package init(to container: Container) {
        var paths: Set<[UInt8]> = []
        for path in [container.location, try? container.folder.absolutePath()].compactMap(\.self)
        where path.isAbsolute && path.components.count > 1 {
            paths.formUnion([path.bytes, Self.percentEncoded(path.bytes)])
        }
        ownPaths = paths.sorted { $0.lexicographicallyPrecedes($1) }
        let name = container.location.lastComponent?.string ?? ""
        identifier = StoredPath.isIdentifier(name) ? name.uppercased() : nil
    }

    /// Returns the possible targets of the references in a text, the most likely first. The caller decides by the items
    /// of the container.
    package func references(in text: String) -> [ContainerReference] {
        guard text.utf8.count >= Self.shortest else { return [] }
        var text = text
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            return absolute(in: bytes) + (relative(Array(bytes.prefix(Self.longest + 1))).map { [$0] } ?? [])
        }
    }

    /// Returns the possible targets of a symbolic link of the directory at `directory`.
    package func references(inLink target: [UInt8], of directory: [UInt8]) -> [ContainerReference] {
        guard target.first != Self.slash else {
            return target.withUnsafeBytes { absolute(in: $0) }
        }
        return Self.normalized(directory + [Self.slash] + target).map {
            [ContainerReference(path: $0, isAbsolute: false)]
        } ?? []
    }

    /// `tmp/a`.
    private static let shortest = 5
    private static let longest = 1_024
    private static let slash = UInt8(ascii: "/")
    private static let roots = ["Documents/", "Library/", "tmp/"].map { Array($0.utf8) }

    private func absolute(in bytes: UnsafeRawBufferPointer) -> [ContainerReference] {
        var tails: [[UInt8]] = []
        for own in ownPaths { tails += Self.tails(of: own, in: bytes) }
        for stored in StoredPath.paths(in: bytes, from: 0..<bytes.count, most: 16) where !stored.isInBundle {
            if identifier == nil || identifier == stored.identifier { tails.append(stored.tail) }
        }
        var found: [ContainerReference] = []
        for tail in tails {
            for path in [Self.normalized(tail), Self.percentDecoded(tail).flatMap(Self.normalized)] {
                guard let path else { continue }
                let reference = ContainerReference(path: path, isAbsolute: true)
                if !found.contains(reference) { found.append(reference) }
            }
        }
        return found
    }

    private func relative(_ text: [UInt8]) -> ContainerReference? {
        let path = Array(text.drop { $0 == Self.slash })
        guard text.count <= Self.longest, Self.roots.contains(where: { path.starts(with: $0) }),
            !path.contains(where: { $0 < 0x20 }), let path = Self.normalized(path)
        else { return nil }
        return ContainerReference(path: path, isAbsolute: false)
    }

    /// Returns what follows an absolute path wherever a text contains it; at most 16 times.
    private static func tails(of path: [UInt8], in bytes: UnsafeRawBufferPointer) -> [[UInt8]] {
        var tails: [[UInt8]] = []
        guard let first = path.first, bytes.count >= path.count else { return [] }
        var start = 0
        while tails.count < 16, start <= bytes.count - path.count {
            guard bytes[start] == first, path.indices.allSatisfy({ bytes[start + $0] == path[$0] }) else {
                start += 1
                continue
            }
            start += path.count
            let end = bytes[start...].firstIndex { $0 < 0x20 || "\"'<>`|\\".utf8.contains($0) } ?? bytes.endIndex
            // A longer name is the path of another directory.
            if start == end || bytes[start] == slash { tails.append(Array(bytes[start..<min(end, start + longest)])) }
        }
        return tails
    }

    /// Returns a path without empty and `.` components, or nil if it leads out of its directory.
    private static func normalized(_ path: [UInt8]) -> [UInt8]? {
        var components: [ArraySlice<UInt8>] = []
        for component in path.split(separator: slash) where !component.elementsEqual(".".utf8) {
            guard component.elementsEqual("..".utf8) else {
                components.append(component)
                continue
            }
            guard components.popLast() != nil else { return nil }
        }
        return Array(components.joined(separator: [slash]))
    }

    private static func percentEncoded(_ path: [UInt8]) -> [UInt8] {
        let plain = Set("/-._~!$&'()*+,=:@".utf8)
        return path.flatMap { byte -> [UInt8] in
            let isPlain =
                (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte || (UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= byte
                || (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= byte || plain.contains(byte)
            guard !isPlain else { return [byte] }
            let digits = String(byte, radix: 16, uppercase: true)
            return Array("%\(digits.utf8.count == 1 ? "0" : "")\(digits)".utf8)
        }
    }

    /// Returns a path without percent encoding, or nil if it has none.
    private static func percentDecoded(_ path: [UInt8]) -> [UInt8]? {
        guard path.contains(UInt8(ascii: "%")) else { return nil }
        var decoded: [UInt8] = []
        var position = 0
        while position < path.count {
            let digits = path[position...].dropFirst().prefix(2)
            if path[position] == UInt8(ascii: "%"), digits.count == 2,
                let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), byte != 0
            {
                decoded.append(byte)
                position += 3
            } else {
                decoded.append(path[position])
                position += 1
            }
        }
        return decoded
    }
}
