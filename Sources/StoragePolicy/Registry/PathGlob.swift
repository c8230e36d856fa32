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
