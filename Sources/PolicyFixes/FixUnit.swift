internal import ChangeHistory
internal import Foundation
package import StoragePolicy
internal import TextOutput

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

extension FixUnit {
    /// Returns the unit as a diff of the tree: `-` for a removed item, `+` for an added one, `~` for changed attributes. Each
    /// line ends with a newline.
    package func lines(before: String = "", after: String = "") -> String {
        let path = path.isEmpty ? "the container itself" : ByteText.escaped(path)
        let taken = taken?.text.map { "; by the evidence alone \($0)" } ?? ""
        let rules = rules.map(\.id).joined(separator: ", ")
        let why = "   (\(Quantity.count(findings, "finding")): \(rules)\(taken)\(after))"
        switch verb {
        case .remove: return "\(before)- \(path)\(why)\n"
        case .move: return "\(before)- \(path)\n\(before)+ \(ByteText.escaped(target ?? []))\(why)\n"
        case .flag: return "\(before)~ exclude from backup: \(path)\(why)\n"
        case .unflag: return "\(before)~ include in backup: \(path)\(why)\n"
        case .strip: return "\(before)~ remove attributes: \(path)\(why)\n"
        case .normalise: return "\(before)~ normalize backup exclusion: \(path)\(why)\n"
        }
    }
}

/// The identity of a finding.
struct FindingKey: Hashable, Sendable {
    let rule: Int
    let path: [UInt8]

    init(rule: Int, path: [UInt8]) { (self.rule, self.path) = (rule, path) }
    init(_ finding: Finding) { self.init(rule: finding.rule.number, path: finding.path) }
}
