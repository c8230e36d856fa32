/// Patterns for items: one without a slash is compared with names, any other with paths from the container.
package struct ItemPatterns: Sendable {
    private var names: [PathPattern] = []
    private var paths: [PathPattern] = []
    private let ignoresCase: Bool
    /// The texts from which the patterns were made.
    package let texts: [String]

    /// True if there is no pattern.
    package var isEmpty: Bool { names.isEmpty && paths.isEmpty }

    /// Creates patterns from texts. A slash at the start of a text stands for the container, and one at its end is ignored.
    package init(_ texts: [String], ignoringCase ignoresCase: Bool = false) throws(PathPattern.TooLong) {
        self.ignoresCase = ignoresCase
        self.texts = texts
        let slash = UInt8(ascii: "/")
        for text in texts {
            var bytes = NameSpelling.composed(Array(text.utf8))[...]
            if ignoresCase { bytes = Array(String(decoding: bytes, as: UTF8.self).lowercased().utf8)[...] }
            while bytes.count > 1, bytes.last == slash { bytes.removeLast() }
            let isPath = bytes.contains(slash)
            while bytes.count > 1, bytes.first == slash { bytes.removeFirst() }
            let pattern = try PathPattern(Array(bytes))
            if isPath { paths.append(pattern) } else { names.append(pattern) }
        }
    }

    /// Returns true if the name or the path of an item matches a pattern.
    package func matches(name: [UInt8], path: @autoclosure () -> [UInt8]) -> Bool {
        if names.contains(where: { $0.matches(compared(name)) }) { return true }
        guard !paths.isEmpty else { return false }
        let path = compared(path())
        return paths.contains { $0.matches(path) }
    }

    /// Returns true if the path of an item, or the name at its end, matches a pattern.
    package func matches(path: [UInt8]) -> Bool {
        let name = path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[($0 + 1)...]) } ?? path
        return matches(name: name, path: path)
    }

    private func compared(_ bytes: [UInt8]) -> [UInt8] {
        ignoresCase ? Array(String(decoding: NameSpelling.composed(bytes), as: UTF8.self).lowercased().utf8) : bytes
    }
}
