/// Paths as bytes relative to a container.
package enum ItemPath {
    package static func parent(_ path: [UInt8]) -> [UInt8] {
        path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[..<$0]) } ?? []
    }

    package static func name(_ path: [UInt8]) -> [UInt8] {
        path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[($0 + 1)...]) } ?? path
    }

    package static func joined(_ directory: [UInt8], name: [UInt8]) -> [UInt8] {
        directory.isEmpty ? name : directory + [UInt8(ascii: "/")] + name
    }

    /// Returns the path and every directory above it except the container, the closest first.
    package static func lineage(_ path: [UInt8]) -> [[UInt8]] {
        var paths: [[UInt8]] = []
        var rest = path
        while !rest.isEmpty {
            paths.append(rest)
            rest = parent(rest)
        }
        return paths
    }

    /// The longest path of whole components that two paths begin with.
    package static func shared(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        if left == right { return left }
        let slash = UInt8(ascii: "/")
        let parts = zip(left.split(separator: slash), right.split(separator: slash)).prefix { $0.elementsEqual($1) }
        return Array(parts.map(\.0).joined(separator: [slash]))
    }
}

/// A path as an element of a set or a key of a dictionary. Hashes its bytes at once; an array hashes each by itself.
package struct PathKey: Hashable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}
