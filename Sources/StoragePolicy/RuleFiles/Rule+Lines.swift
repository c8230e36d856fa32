extension Rule {
    /// The lines of the rule's file that a key has, as they are written; nil where it has none.
    package func lines(of key: String) -> String? {
        var lines: [Substring] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if lines.isEmpty {
                if line.hasPrefix("\(key):") { lines.append(line) }
            } else if let first = line.first, first != " ", first != "-" {
                break
            } else if !line.isEmpty {
                lines.append(line)
            }
        }
        return lines.isEmpty ? nil : lines.map { $0 + "\n" }.joined()
    }
}
