package import StoragePolicy
internal import Yams

/// A rule without one part of its condition or scope: a predicate, a branch, a word. Good examples distinguish it from
/// the rule.
package struct RuleMutant: Sendable {
    /// The way to what was taken out, and what that was: `when.all.1: older-than: 7d`.
    package let title: String
    let text: String
    /// True if it is of the rule's scope.
    let isScope: Bool

    /// Every mutant of a rule.
    static func all(of rule: Rule) throws -> [RuleMutant] {
        guard let top = try Yams.compose(yaml: rule.text)?.mapping else { return [] }
        var mutants: [RuleMutant] = []
        func add(_ key: Node, cuts: [Cut]) throws {
            for cut in cuts {
                var changed = top
                changed[key] = cut.rest
                let text = try Yams.serialize(node: .mapping(changed))
                mutants.append(
                    RuleMutant(
                        title: ([key.scalar?.string ?? ""] + cut.path).joined(separator: "."), text: text,
                        isScope: key.scalar?.string == "applies"))
            }
        }
        for (key, value) in top {
            switch key.scalar?.string {
            case "when": try add(key, cuts: condition(value))
            case "applies": try add(key, cuts: scope(value))
            case "levels":
                for (index, level) in (value.sequence ?? []).enumerated() {
                    guard let levels = value.sequence, let when = level.mapping?["when"] else { continue }
                    try add(
                        key,
                        cuts: condition(when).map { cut in
                            var (changed, all) = (level, levels)
                            changed["when"] = cut.rest
                            all[index] = changed
                            return Cut(path: ["\(index)"] + cut.path, rest: .sequence(all))
                        })
                }
            default: break
            }
        }
        return mutants
    }

    /// A value without one of its parts, and the path of the part.
    private struct Cut {
        let path: [String]
        let rest: Node
    }

    /// Takes out each test, each member of `all` and `any`, and what `not` holds.
    private static func condition(_ node: Node) -> [Cut] {
        guard let mapping = node.mapping else { return [] }
        var cuts: [Cut] = []
        for (key, value) in mapping {
            let name = key.scalar?.string ?? ""
            func putBack(_ rest: Node) -> Node {
                var changed = mapping
                changed[key] = rest
                return .mapping(changed)
            }
            switch name {
            case "all", "any":
                let members = value.sequence.map(Array.init) ?? [value]
                for (index, member) in members.enumerated() {
                    var rest = members
                    rest.remove(at: index)
                    cuts.append(Cut(path: [name, "\(index): \(flow(member))"], rest: putBack(Node(rest))))
                    // Without the only thing in it, it is the member that is missing.
                    let isSingle = member.mapping?.count == 1
                    for cut in condition(member) where !(isSingle && cut.path.count == 1) {
                        var changed = members
                        changed[index] = cut.rest
                        cuts.append(Cut(path: [name, "\(index)"] + cut.path, rest: putBack(Node(changed))))
                    }
                }
            case "not":
                cuts.append(Cut(path: ["not: \(flow(value))"], rest: without(key, mapping: mapping)))
                if !isWhole(value) {
                    cuts += condition(value).map { Cut(path: ["not"] + $0.path, rest: putBack($0.rest)) }
                }
            default: cuts.append(Cut(path: ["\(name): \(flow(value))"], rest: without(key, mapping: mapping)))
            }
        }
        return cuts
    }

    /// Returns true if it is one test, which is already taken out with what holds it.
    private static func isWhole(_ node: Node) -> Bool {
        guard let mapping = node.mapping, mapping.count == 1, let name = mapping.first?.key.scalar?.string else {
            return false
        }
        return !["all", "any", "not"].contains(name)
    }

    /// A condition without one of its keys: one without any always holds.
    private static func without(_ key: Node, mapping: Node.Mapping) -> Node {
        let rest = mapping.filter { $0.key != key }
        return rest.isEmpty ? Node([(Node("all"), Node([Node]()))]) : Node(rest.map { ($0.key, $0.value) })
    }

    /// Takes out each word of each key.
    private static func scope(_ node: Node) -> [Cut] {
        guard let mapping = node.mapping else { return [] }
        var cuts: [Cut] = []
        for (key, value) in mapping {
            let name = key.scalar?.string ?? ""
            let words = value.sequence.map(Array.init) ?? [value]
            for (index, word) in words.enumerated() {
                var rest = words
                rest.remove(at: index)
                var changed = mapping
                changed[key] = rest.isEmpty ? nil : Node(rest)
                cuts.append(Cut(path: ["\(name): \(flow(word))"], rest: .mapping(changed)))
            }
        }
        return cuts
    }

    private static func flow(_ node: Node) -> String {
        let line = JSONValue(node).flow
        return line.count > 70 ? line.prefix(67) + "…" : line
    }
}

extension JSONValue {
    /// A value of YAML whose scalars are texts.
    fileprivate init(_ node: Node) {
        if let mapping = node.mapping {
            self = .members(mapping.map { ($0.key.scalar?.string ?? "", JSONValue($0.value)) })
        } else if let sequence = node.sequence {
            self = .array(sequence.map { JSONValue($0) })
        } else {
            self = .string(node.scalar?.string ?? "")
        }
    }
}

/// A check that the examples of rules detect mutated rules.
package struct MutantChecker {
    /// The result for the mutants of a rule.
    package struct Result: Sendable {
        package let rule: String
        package let mutants: Int
        /// The mutants that no example detects.
        package let missed: [String]
    }

    private let catalogue: Catalogue

    package init(_ catalogue: Catalogue) { self.catalogue = catalogue }

    /// Evaluates every mutant of every rule for the rule's examples, which are created once.
    package func run() throws -> [Result] {
        try catalogue.rules.map { rule in
            try ExampleChecker.withScratch { scratch throws in
                let run = ExampleRun(scratch: scratch, catalogue: catalogue)
                // An example that cannot be created detects nothing; `ExampleChecker` reports it.
                let made = rule.examples.enumerated().compactMap { number, example in
                    (try? run.make(example, of: rule, number: number)).map { (example, $0) }
                }
                // A change that does not affect the evaluated items is not a mutant.
                let mutants = try RuleMutant.all(of: rule).map {
                    (title: $0.title, rule: try rule.with(text: $0.text), isScope: $0.isScope)
                }.filter { !$0.isScope || !$0.rule.hasSamePrefilters(as: rule) }
                let missed = try mutants.filter { mutant in
                    let changed = mutant.rule
                    return try made.allSatisfy { example, container in
                        try run.paths(foundBy: changed, in: example, at: container) == example.finds.sorted()
                    }
                }
                return Result(rule: rule.id, mutants: mutants.count, missed: missed.map(\.title))
            }
        }
    }
}
