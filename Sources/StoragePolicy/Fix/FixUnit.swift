internal import Foundation

/// One thing that a fix does, whole or not at all: an action on an item, with the findings that it does away with.
package struct FixUnit: Sendable {
    /// What it does, in one word.
    package enum Verb: String, Sendable, CaseIterable {
        case flag, unflag, strip, remove, move
        case normalise = "normalise-flag"
    }
    /// What becomes of it.
    package enum Outcome: Sendable, Hashable {
        /// It is in the plan; done, where the plan has been carried out.
        case planned
        /// It is only done where a person agrees (`--unsafe`).
        case asks
        /// It is not done, for this reason.
        case refused(String)
    }
    package let verb: Verb
    /// Bytes relative to the container; empty for the container itself.
    package let path: [UInt8]
    /// Where a move leads.
    package let target: [UInt8]?
    /// The rules whose findings it does away with, by their numbers.
    package internal(set) var rules: [Rule]
    /// How many findings these are.
    package var findings: Int { keys.count }
    package internal(set) var outcome: Outcome

    /// The order in which units are told: by path.
    static func precedes(_ left: FixUnit, _ right: FixUnit) -> Bool {
        left.path == right.path
            ? left.verb.rawValue < right.verb.rawValue : left.path.lexicographicallyPrecedes(right.path)
    }

    /// What it must do away with.
    var keys: Set<FindingKey>
    var steps: [FixStep]
}

/// What tells one finding from another, where each is told.
struct FindingKey: Hashable, Sendable {
    let rule: Int
    let path: [UInt8]

    init(rule: Int, path: [UInt8]) { (self.rule, self.path) = (rule, path) }
    init(_ finding: Finding) { self.init(rule: finding.rule.number, path: finding.path) }
}
