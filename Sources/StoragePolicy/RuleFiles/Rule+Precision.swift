internal import PolicyRules

/// How often a rule is right on the labelled corpus.
package struct RulePrecision: Sendable, Hashable {
    /// Findings that should be.
    package let right: Int
    /// Findings that should not be.
    package let wrong: Int

    /// Of all findings that it makes on containers like those of the corpus, at least this part is right, in 97.5 of 100 cases:
    /// few labelled items tell little. The lower end of the interval at 95 %; source: Wilson, “Probable inference”, 1927.
    package var assured: Double {
        let (count, z) = (Double(right + wrong), 1.959964)
        guard count > 0 else { return 0 }
        let share = Double(right) / count
        let spread = z * (share * (1 - share) / count + z * z / (4 * count * count)).squareRoot()
        return (share + z * z / (2 * count) - spread) / (1 + z * z / count)
    }

    /// By rule, for the rules of this build that were measured: the table of rules/PRECISION.md.
    fileprivate static let all: [String: RulePrecision] = {
        var all: [String: RulePrecision] = [:]
        let page = EmbeddedRules.files.first { $0.path == "PRECISION.md" }?.text ?? ""
        for line in page.split(separator: "\n") where line.hasPrefix("| ") {
            let cells = line.split(separator: "|").map { $0.filter { $0 != " " } }
            guard cells.count >= 5, let right = Int(cells[3]), let wrong = Int(cells[4]), right + wrong > 0 else {
                continue
            }
            all[cells[0]] = RulePrecision(right: right, wrong: wrong)
        }
        return all
    }()
}

extension Rule {
    /// How often it is right, where that was measured.
    package var precision: RulePrecision? { RulePrecision.all[id] }
}
