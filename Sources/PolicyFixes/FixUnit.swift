internal import ChangeHistory
internal import Foundation
package import StoragePolicy

/// An atomic part of a fix: an action on an item, with the findings that it fixes.
package struct FixUnit: Sendable {
    /// The kind of change, in one word.
    package enum Verb: String, Sendable, CaseIterable {
        case flag, unflag, strip, remove, move
        case normalise = "normalise-flag"
    }
    /// The outcome.
    package enum Outcome: Sendable, Hashable {
        /// The unit is planned, or applied if the plan was applied.
        case planned
        /// The unit needs `--unsafe`.
        case asks
        /// The unit is refused, for this reason.
        case refused(String)
    }
    package let verb: Verb
    /// The path relative to the container; empty for the container itself.
    package let path: [UInt8]
    /// The destination of a move.
    package let target: [UInt8]?
    /// The numbers of the rules whose findings it fixes.
    package internal(set) var rules: [Rule]
    /// The number of findings.
    package var findings: Int { keys.count }
    package internal(set) var outcome: Outcome
    /// The files that the change takes; nil if it does not rest on a declaration of the configuration.
    package internal(set) var taken: TakenFiles?

    /// The order of units in reports: by path.
    static func precedes(_ left: FixUnit, _ right: FixUnit) -> Bool {
        left.path == right.path
            ? left.verb.rawValue < right.verb.rawValue : left.path.lexicographicallyPrecedes(right.path)
    }

    /// The findings that it must fix.
    var keys: Set<FindingKey>
    var steps: [ChangeStep]
}

/// The identity of a finding.
struct FindingKey: Hashable, Sendable {
    let rule: Int
    let path: [UInt8]

    init(rule: Int, path: [UInt8]) { (self.rule, self.path) = (rule, path) }
    init(_ finding: Finding) { self.init(rule: finding.rule.number, path: finding.path) }
}
