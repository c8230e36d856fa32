internal import AppContainer
internal import FileSystem

/// A pattern of a path from the container's root: globs for components, and `**` for any number of them. Canonically equal
/// names match: pattern and path are compared in composed Unicode form.
struct PathGlob: Sendable, Hashable {
    enum Component: Sendable, Hashable {
        case anyDepth
        case name(Glob)
    }
    let text: String
    let components: [Component]
    /// The longest bytes that every matching path contains. Empty for a pattern of wildcards.
    private let part: [UInt8]

    /// `{bundle-id}` becomes the app's identifier, or any name where that is not known.
    init(_ text: String, bundleIdentifier: String? = nil) {
        self.text = text
        components = NameSpelling.composed(Array(text.utf8)).split(separator: UInt8(ascii: "/")).map { part in
            guard !part.elementsEqual("**".utf8) else { return .anyDepth }
            return .name(
                Glob(String(decoding: part, as: UTF8.self).replacingBundleIdentifier(with: bundleIdentifier ?? "*")))
        }
        part = components.reduce([]) { longest, component in
            guard case .name(let glob) = component, glob.part.count > longest.count else { return longest }
            return glob.part
        }
    }

    /// True if the pattern depends on the app's identifier.
    var namesBundleIdentifier: Bool { text.firstIndex(ofBytes: String.bundleIdentifier) != nil }

    /// Returns true if the whole path matches.
    func matches(_ path: [UInt8]) -> Bool {
        NameSpelling.composed(path).withUnsafeBytes { path in
            // Most paths do not contain it, and then the components need not be compared.
            guard part.isEmpty || path.position(of: part) != nil else { return false }
            var (position, start) = (0, 0)
            // The last `**`, which takes one more component on a mismatch.
            var open: (position: Int, start: Int)?
            while start < path.count {
                let end = Self.end(of: path, from: start)
                if position < components.count, case .anyDepth = components[position] {
                    position += 1
                    open = (position, start)
                } else if position < components.count, case .name(let glob) = components[position],
                    glob.matches(UnsafeRawBufferPointer(rebasing: path[start..<end]))
                {
                    (position, start) = (position + 1, end + 1)
                } else if let last = open {
                    (position, start) = (last.position, Self.end(of: path, from: last.start) + 1)
                    open = (position, start)
                } else {
                    return false
                }
            }
            return isEnd(position)
        }
    }

    /// The pattern of the directories that may contain matches; nil for a pattern that ends in `**`, which matches the directories
    /// themselves.
    var parent: PathGlob? {
        guard case .name = components.last else { return nil }
        return PathGlob(components: components.dropLast(), text: text)
    }

    private init(components: some Sequence<Component>, text: String) {
        (self.text, self.components, part) = (text, Array(components), [])
    }

    /// Returns false if no path with this last component matches.
    func mayEnd(in name: UnsafeRawBufferPointer) -> Bool {
        guard case .name(let glob) = components.last else { return true }
        return glob.matches(name)
    }

    /// The end of the component that starts at this position.
    private static func end(of path: UnsafeRawBufferPointer, from start: Int) -> Int {
        // A search in a slice of the path takes several times as long.
        var end = start
        while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
        return end
    }

    /// Returns true if nothing more is needed at this position.
    func isEnd(_ position: Int) -> Bool { components[position...].allSatisfy { $0 == .anyDepth } }

    /// Returns true if the pattern, matched up to here, takes all that lies below.
    func takesAllBelow(_ position: Int) -> Bool { position < components.count && isEnd(position) }

    /// The positions after one more component of a path.
    func step(_ position: Int, name: UnsafeRawBufferPointer) -> [Int] {
        guard position < components.count else { return [] }
        switch components[position] {
        case .name(let glob): return glob.matches(name) ? [position + 1] : []
        case .anyDepth: return [position] + step(position + 1, name: name)
        }
    }
}

extension String {
    fileprivate static let bundleIdentifier = "{bundle-id}"

    fileprivate func replacingBundleIdentifier(with text: String) -> String {
        guard let start = firstIndex(ofBytes: Self.bundleIdentifier) else { return self }
        let rest = self[start...].utf8.dropFirst(Self.bundleIdentifier.utf8.count)
        return String(self[..<start]) + text + String(Substring(rest)).replacingBundleIdentifier(with: text)
    }

    /// Returns the position of the first occurrence of a text by its bytes, which is faster than by its characters.
    func firstIndex(ofBytes text: String) -> Index? {
        guard let first = text.utf8.first else { return startIndex }
        var rest = self[...].utf8
        while let index = rest.firstIndex(of: first) {
            if rest[index...].starts(with: text.utf8) { return index }
            rest = rest[rest.index(after: index)...]
        }
        return nil
    }
}

/// A pattern of a name, over bytes: `*` is any bytes, `?` is one. Fast where there is at most one `*`.
struct Glob: Sendable, Hashable {
    let text: String
    private let head: [UInt8]
    /// The text after the first `*`; nil without one.
    private let rest: [UInt8]?
    /// True if a second `*` follows.
    private let hasMore: Bool
    /// The longest part without wildcards.
    var part: [UInt8] {
        let parts = Array(text.utf8).split { $0 == Self.star || $0 == Self.one }
        return parts.max { $0.count < $1.count }.map(Array.init) ?? []
    }

    private static let star = UInt8(ascii: "*")
    private static let one = UInt8(ascii: "?")

    init(_ text: String) {
        self.text = text
        let bytes = Array(text.utf8)
        let star = bytes.firstIndex(of: Self.star)
        head = Array(bytes[..<(star ?? bytes.count)])
        rest = star.map { Array(bytes[($0 + 1)...]) }
        hasMore = rest?.contains(Self.star) ?? false
    }

    func matches(_ name: UnsafeRawBufferPointer) -> Bool {
        guard name.count >= head.count, Self.agree(head, name: name, at: 0) else { return false }
        guard let rest else { return name.count == head.count }
        if !hasMore {
            return name.count >= head.count + rest.count && Self.agree(rest, name: name, at: name.count - rest.count)
        }
        return Self.search(rest[...], name: name, from: head.count)
    }

    private static func agree(_ pattern: [UInt8], name: UnsafeRawBufferPointer, at start: Int) -> Bool {
        for index in pattern.indices where pattern[index] != one && pattern[index] != name[start + index] {
            return false
        }
        return true
    }

    /// The classic two-pointer match: on a mismatch the last `*` takes one byte more.
    private static func search(_ pattern: ArraySlice<UInt8>, name: UnsafeRawBufferPointer, from start: Int) -> Bool {
        var (p, n) = (pattern.startIndex, start)
        var (retryP, retryN) = (p, n)
        while n < name.count {
            if p < pattern.endIndex, pattern[p] == star {
                p += 1
                (retryP, retryN) = (p, n)
            } else if p < pattern.endIndex, pattern[p] == one || pattern[p] == name[n] {
                p += 1
                n += 1
            } else {
                retryN += 1
                (p, n) = (retryP, retryN)
            }
        }
        return pattern[p...].allSatisfy { $0 == star }
    }
}
