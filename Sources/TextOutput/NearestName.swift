/// The nearest of several names to one that is not among them.
package enum NearestName {
    /// Returns the name with the fewest edits from `name`; nil if none is within the limit (by default a third of the
    /// name, at least two).
    package static func of(_ name: String, among names: some Sequence<String>, within limit: Int? = nil) -> String? {
        let limit = limit ?? max(2, name.count / 3)
        return names.map { ($0, distance(name, $0)) }.filter { $0.1 <= limit }.min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
    }

    /// Returns the number of insertions, deletions, substitutions and swaps of neighbors between two texts, without case
    /// (optimal string alignment distance).
    private static func distance(_ left: String, _ right: String) -> Int {
        let (a, b) = (Array(left.lowercased().prefix(64)), Array(right.lowercased().prefix(64)))
        var rows = [Array(0...b.count)]
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var best = min(rows[i][j] + (a[i] == b[j] ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, rows[i - 1][j - 1] + 1) }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
