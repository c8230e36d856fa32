/// A pattern of a path from the container's root: globs for components, and `**` for any number of them.
struct PathGlob: Sendable, Hashable {
    enum Component: Sendable, Hashable {
        case anyDepth
        case name(Glob)
    }
    let text: String
    let components: [Component]

    /// `{bundle-id}` becomes the app's identifier, or any name where that is not known.
    init(_ text: String, bundleIdentifier: String? = nil) {
        self.text = text
        components = text.split(separator: "/").map { part in
            guard part != "**" else { return .anyDepth }
            // A text with brackets of its own is no reason to take Foundation in: one split does it.
            let pieces = String(part).components(around: "{bundle-id}")
            return .name(Glob(pieces.joined(separator: bundleIdentifier ?? "*")))
        }
    }

    /// Returns true if the whole path matches.
    func matches(_ path: [UInt8]) -> Bool {
        var states: Set<Int> = [0]
        for name in path.split(separator: UInt8(ascii: "/")) {
            var next: Set<Int> = []
            for state in states { next.formUnion(name.withUnsafeBytes { step(state, $0) }) }
            if next.isEmpty { return false }
            states = next
        }
        return states.contains { isEnd($0) }
    }

    /// Returns true if nothing more is needed at this position.
    func isEnd(_ position: Int) -> Bool { components[position...].allSatisfy { $0 == .anyDepth } }

    /// Returns true if the pattern, matched up to here, takes all that lies below.
    func takesAllBelow(_ position: Int) -> Bool { position < components.count && isEnd(position) }

    /// The positions after one more component of a path.
    func step(_ position: Int, _ name: UnsafeRawBufferPointer) -> [Int] {
        guard position < components.count else { return [] }
        switch components[position] {
        case .name(let glob): return glob.matches(name) ? [position + 1] : []
        case .anyDepth: return [position] + step(position + 1, name)
        }
    }
}

extension String {
    fileprivate func components(around separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
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

    /// True if a part in the middle must be searched for.
    var needsSearch: Bool { hasMore }

    func matches(_ name: UnsafeRawBufferPointer) -> Bool {
        guard name.count >= head.count, Self.agree(head, name, at: 0) else { return false }
        guard let rest else { return name.count == head.count }
        if !hasMore {
            return name.count >= head.count + rest.count && Self.agree(rest, name, at: name.count - rest.count)
        }
        return Self.search(rest[...], name, from: head.count)
    }

    private static func agree(_ pattern: [UInt8], _ name: UnsafeRawBufferPointer, at start: Int) -> Bool {
        for index in pattern.indices where pattern[index] != one && pattern[index] != name[start + index] {
            return false
        }
        return true
    }

    /// The classic two-pointer match: on a mismatch the last `*` takes one byte more.
    private static func search(_ pattern: ArraySlice<UInt8>, _ name: UnsafeRawBufferPointer, from start: Int) -> Bool {
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
