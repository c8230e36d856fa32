internal import PolicyRules

/// A rule's findings on the regression corpus. The corpus was written together with the rules, so this measures agreement
/// with their intention, not precision on real apps.
package struct RulePrecision: Sendable, Hashable {
    /// Findings that should be.
    package let right: Int
    /// Findings that should not be.
    package let wrong: Int

    /// At least this part of its findings on containers like those of the corpus is right, in 97.5 of 100 cases:
    /// few labelled items tell little. The lower end of the interval at 95 %; source: Wilson, “Probable inference”, 1927.
    package var assured: Double {
        let (count, z) = (Double(right + wrong), 1.959964)
        guard count > 0 else { return 0 }
        let share = Double(right) / count
        let spread = z * (share * (1 - share) / count + z * z / (4 * count * count)).squareRoot()
        return (share + z * z / (2 * count) - spread) / (1 + z * z / count)
    }

    /// Returns the figures by rule of a page: the table between the marks of the regression corpus.
    static func table(of page: String) -> [String: RulePrecision] {
        var all: [String: RulePrecision] = [:]
        let parts = page.split(separator: "<!-- corpus -->", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return [:] }
        let section = parts[1].split(separator: "<!-- end: corpus -->", omittingEmptySubsequences: false)[0]
        for line in section.split(separator: "\n") where line.hasPrefix("| ") {
            let cells = line.split(separator: "|").map { $0.filter { $0 != " " } }
            guard cells.count >= 5, let right = Int(cells[3]), let wrong = Int(cells[4]), right + wrong > 0 else {
                continue
            }
            all[cells[0]] = RulePrecision(right: right, wrong: wrong)
        }
        return all
    }

    /// By rule, for the rules of this build that were measured: the table of rules/PRECISION.md.
    fileprivate static let all = table(of: EmbeddedFiles.files.first { $0.path == "PRECISION.md" }?.text ?? "")
}

extension Rule {
    /// The findings on the regression corpus, where there are any.
    package var precision: RulePrecision? { RulePrecision.all[id] }
}
