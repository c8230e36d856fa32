internal import Foundation

/// One thing that a fix does, whole or not at all: an action on an item, with the findings that it does away with.
package struct FixUnit: Sendable {
    /// The kind of change, in one word.
    package enum Verb: String, Sendable, CaseIterable {
        case flag, unflag, strip, remove, move
        case normalise = "normalise-flag"
    }
    /// The outcome.
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
    /// The destination of a move.
    package let target: [UInt8]?
    /// The numbers of the rules whose findings it fixes.
    package internal(set) var rules: [Rule]
    /// The number of findings.
    package var findings: Int { keys.count }
    package internal(set) var outcome: Outcome

    /// The order in which units are told: by path.
    static func precedes(_ left: FixUnit, _ right: FixUnit) -> Bool {
        left.path == right.path
            ? left.verb.rawValue < right.verb.rawValue : left.path.lexicographicallyPrecedes(right.path)
    }

    /// The findings that it must fix.
    var keys: Set<FindingKey>
    var steps: [FixStep]
}

/// The identity of a finding.
struct FindingKey: Hashable, Sendable {
    let rule: Int
    let path: [UInt8]

    init(rule: Int, path: [UInt8]) { (self.rule, self.path) = (rule, path) }
    init(_ finding: Finding) { self.init(rule: finding.rule.number, path: finding.path) }
}
