internal import FileSystem

/// The patterns of one `.gitignore`: `#`, `!`, `\`, a slash at the start, in the middle or at the end, `*`, `?`, sets and
/// `**`. Source: git-scm.com/docs/gitignore, “Pattern format”.
struct IgnoreFile: Sendable {
    /// Lines that are read. The rest of a longer file is ignored.
    private static let mostLines = 2_000

    private struct Rule: Sendable {
        let pattern: PathPattern
        /// The end of names that the pattern `*.end` matches, which is compared without the pattern.
        let suffix: [UInt8]?
        let isNegated: Bool
        let onlyDirectories: Bool
        /// True if the pattern is compared with the path from the directory of the file, not with the name.
        let isPath: Bool
    }

    private var rules: [Rule] = []
    /// The directory that contains the file, as a path in the root.
    private let directory: [UInt8]

    /// Creates the patterns of a file in a directory. Patterns that are too long are left out.
    init(_ text: [UInt8], in directory: [UInt8]) {
        self.directory = directory
        for line in text.split(separator: 0x0a, maxSplits: Self.mostLines).prefix(Self.mostLines) {
            if let rule = Self.rule(line) { rules.append(rule) }
        }
    }

    private static func rule(_ line: ArraySlice<UInt8>) -> Rule? {
        let slash = UInt8(ascii: "/")
        var line = line
        while let last = line.last, last == 0x0d || last == 0x20 || last == 0x09 { line.removeLast() }
        guard let first = line.first, first != UInt8(ascii: "#") else { return nil }
        let isNegated = first == UInt8(ascii: "!")
        if isNegated { line.removeFirst() }
        let onlyDirectories = line.last == slash
        if onlyDirectories { line.removeLast() }
        // In every directory below: a pattern without a slash says the same of the name, at less cost.
        while line.starts(with: "**/".utf8) { line.removeFirst(3) }
        let isPath = line.contains(slash)
        if line.first == slash { line.removeFirst() }
        guard !line.isEmpty, let pattern = try? PathPattern(Array(line)) else { return nil }
        let end = line.dropFirst()
        let isSuffix = !isPath && line.first == UInt8(ascii: "*") && !end.contains { "*?[\\".utf8.contains($0) }
        return Rule(
            pattern: pattern, suffix: isSuffix ? Array(end) : nil, isNegated: isNegated,
            onlyDirectories: onlyDirectories,
            isPath: isPath)
    }

    /// Returns true or false if the last pattern that matches ignores or includes an item; nil if none matches.
    func decides(_ path: [UInt8], name: [UInt8], isDirectory: Bool) -> Bool? {
        for rule in rules.reversed() where isDirectory || !rule.onlyDirectories {
            let isMatch =
                if let suffix = rule.suffix {
                    name.count >= suffix.count && name.suffix(suffix.count).elementsEqual(suffix)
                } else if !rule.pattern.isPattern {
                    rule.isPath
                        ? path.count == directory.count + rule.pattern.literal.count + (directory.isEmpty ? 0 : 1)
                            && path.suffix(rule.pattern.literal.count).elementsEqual(rule.pattern.literal)
                        : name == rule.pattern.literal
                } else {
                    rule.pattern.matches(
                        rule.isPath ? Array(path.dropFirst(directory.isEmpty ? 0 : directory.count + 1)) : name)
                }
            if isMatch { return !rule.isNegated }
        }
        return nil
    }
}
