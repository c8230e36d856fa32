internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import Foundation
internal import TextOutput

/// The suppressions of one run, from the configuration and from attributes of items, and which of them were used.
final class Suppressions: Sendable {
    typealias Source = SuppressionSource
    typealias Carried = CarriedSuppression

    private struct Configured: Sendable {
        let located: Located<ConfiguredSuppression>
        let rules: Set<String>
        let isOver: Bool
    }

    private struct Seen {
        var carried: [Carried] = []
        /// The numbers of those that an item carries itself.
        var byPath: [[UInt8]: [Int]] = [:]
        var malformed: [ExceptionRules.Problem] = []
        var used: Set<Source> = []
        var isFull = false
    }

    private let configured: [Configured]
    /// The indices of the configured suppressions of single findings, without expired ones.
    private let fingerprints: [String: Int]
    private let catalogue: Catalogue
    private let now: Int64
    /// True if the attributes of items are read.
    private let readsItems: Bool
    private let seen = LockedValue(Seen())
    private let hasCarried = AtomicFlag(false)
    /// More than these are not kept, and the run is not complete.
    private static let most = 20_000

    init(_ configuration: Configuration, catalogue: Catalogue, now: Int64, readsItems: Bool) {
        self.catalogue = catalogue
        self.now = now
        self.readsItems = readsItems
        let configured = configuration.suppressions.map { located in
            Configured(
                located: located, rules: Set(located.value.rules.flatMap { catalogue.loaded(named: $0).map(\.id) }),
                isOver: located.value.end.map { $0 <= now } ?? false)
        }
        self.configured = configured
        fingerprints = Self.fingerprints(configured)
    }

    /// Returns the suppressions by their fingerprint.
    private static func fingerprints(_ configured: [Configured]) -> [String: Int] {
        var fingerprints: [String: Int] = [:]
        for (index, suppression) in configured.enumerated() where !suppression.isOver {
            if let fingerprint = suppression.located.value.fingerprint { fingerprints[fingerprint] = index }
        }
        return fingerprints
    }

    /// Returns true if the configuration suppresses any finding of a rule.
    func concerns(_ rule: Rule) -> Bool {
        configured.contains { !$0.isOver && $0.rules.contains(rule.id) && $0.located.value.fingerprint == nil }
    }

    /// Returns true if an item carries a suppression.
    static func isCarried(by item: Item) -> Bool {
        !item.attributes.isEmpty && item.attributes.contains(Suppression.attribute)
    }

    /// Takes in what an item carries.
    @discardableResult
    func read(_ item: Item, at path: @autoclosure () -> [UInt8]) -> [Carried] {
        guard readsItems, Self.isCarried(by: item) else { return [] }
        let path = path()
        let lines = Suppression.lines(item.entry.attribute(Suppression.attribute) ?? [])
        return seen.withLock { seen in
            var own: [Carried] = []
            for (index, line) in lines.prefix(64).enumerated() {
                guard seen.carried.count + seen.malformed.count < Self.most else {
                    seen.isFull = true
                    break
                }
                switch line {
                case .wrong(let what):
                    seen.malformed.append(
                        problem(.malformed, path: path, name: "\(index)", evidence: [("problem", what)]))
                case .suppression(let suppression) where path.isEmpty && RuleGroup(rawValue: suppression.rule) != nil:
                    // One line would hide a whole group of the container's findings.
                    let what =
                        "a suppression of the whole container must name rules, but “\(suppression.rule)” is a group"
                    seen.malformed.append(
                        problem(.malformed, path: path, name: "\(index)", evidence: [("problem", what)]))
                case .suppression(let suppression):
                    let rules = Set(catalogue.loaded(named: suppression.rule).map(\.id))
                    guard !rules.isEmpty else {
                        let what = "there is no rule or group “\(suppression.rule.prefix(80))”"
                        seen.malformed.append(
                            problem(.malformed, path: path, name: "\(index)", evidence: [("problem", what)]))
                        continue
                    }
                    own.append(
                        Carried(
                            number: seen.carried.count, path: path, suppression: suppression, rules: rules,
                            isOver: suppression.until.map { $0.timeIntervalSince1970 <= Double(now) } ?? false))
                    seen.carried.append(own[own.count - 1])
                }
            }
            guard !own.isEmpty else { return [] }
            seen.byPath[path] = own.map(\.number)
            hasCarried.set(true)
            return own
        }
    }

    /// Returns the suppression of a rule's finding at a path whose ancestors carry `above`.
    func source(for rule: Rule, at path: @autoclosure () -> [UInt8], _ above: [Carried]) -> Source? {
        func fits(_ carried: Carried) -> Bool { !carried.isOver && carried.rules.contains(rule.id) }
        if let carried = above.first(where: fits) { return .carried(carried.number) }
        if hasCarried.value {
            let path = path()
            let own = seen.withLock { seen in seen.byPath[path]?.first { fits(seen.carried[$0]) } }
            if let own { return .carried(own) }
        }
        guard concerns(rule) else { return nil }
        let path = path()
        return configured.firstIndex { suppression in
            !suppression.isOver && suppression.rules.contains(rule.id) && suppression.located.value.fingerprint == nil
                && suppression.located.value.paths.contains { $0.matches(path) }
        }.map { .configured($0) }
    }

    /// The same for a finding about many items: what the directory itself carries, or one above it.
    func source(for finding: FindingCandidate) -> Source? {
        var above: [Carried] = []
        if hasCarried.value {
            let names = finding.path.split(separator: UInt8(ascii: "/"))
            above = (0...names.count).flatMap { count in
                let path = Array(names.prefix(count).joined(separator: [UInt8(ascii: "/")]))
                return seen.withLock { seen in seen.byPath[path]?.map { seen.carried[$0] } ?? [] }
            }
        }
        return source(for: finding.rule, at: finding.path, above)
    }

    /// Returns the suppression of a finding by its fingerprint.
    func source(for finding: Finding) -> Source? {
        guard !fingerprints.isEmpty else { return nil }
        return finding.knownFingerprints.lazy.compactMap { self.fingerprints[$0] }.first.map { .configured($0) }
    }

    /// Records the use of a suppression, and returns its description for reports.
    func use(_ source: Source) -> Finding.Suppression {
        seen.withLock { seen in
            seen.used.insert(source)
            switch source {
            case .configured(let index): return Finding.Suppression(configured[index].located)
            case .carried(let number):
                let carried = seen.carried[number]
                return Finding.Suppression(carried.suppression, on: carried.path)
            }
        }
    }

    // MARK: - When the run is over

    /// True if there were too many suppressions to keep.
    var isFull: Bool { seen.withLock { $0.isFull } }

    /// The positions of the configured suppressions that were used.
    var usedPositions: Set<String> {
        let used = seen.withLock { $0.used }
        return Set(
            configured.indices.filter { used.contains(.configured($0)) }.map {
                configured[$0].located.position.identity
            })
    }

    /// Returns the problems of the suppressions. Unused ones are included only if all their rules were evaluated for
    /// all items.
    func problems(isComplete: Bool) -> [ExceptionRules.Problem] {
        let seen = seen.withLock { $0 }
        func isUnused(_ source: Source, words: [String]) -> Bool {
            // A fingerprint without a rule may be of any.
            let words = words.isEmpty ? RuleGroup.allCases.map(\.rawValue) : words
            return isComplete && !seen.used.contains(source) && words.allSatisfy { catalogue.hasAll(named: $0) }
        }
        var problems = seen.malformed
        for (index, suppression) in configured.enumerated() {
            let value = suppression.located.value
            let isUnused = isUnused(.configured(index), words: value.rules)
            guard suppression.isOver || isUnused else { continue }
            let shown = Finding.Suppression(suppression.located)
            var problem = problem(
                suppression.isOver ? .expired : .unused, path: value.directory, name: value.name,
                evidence: [
                    ("rule", value.rules.joined(separator: ", ")), ("reason", shown.reason),
                    (
                        "place",
                        "\(shown.location) (\(value.fingerprint ?? ByteText.printable(value.paths.map(\.text).joined(separator: ", "))))"
                    ),
                ])
            if let owner = shown.owner { problem.evidence.append(("owner", owner)) }
            problem.position = suppression.located.position
            problems.append(problem)
        }
        for carried in seen.carried {
            let rule = carried.suppression.rule
            guard carried.isOver || isUnused(.carried(carried.number), words: [rule]) else { continue }
            let shown = Finding.Suppression(carried.suppression, on: carried.path)
            problems.append(
                problem(
                    carried.isOver ? .expired : .unused, path: carried.path, name: rule,
                    evidence: [
                        ("rule", rule), ("reason", shown.reason), ("place", "an attribute of \(shown.location)"),
                    ]))
        }
        return problems
    }

    private func problem(
        _ word: ExceptionWord, path: [UInt8], name: String, evidence: [(kind: String, value: String)]
    ) -> ExceptionRules.Problem {
        ExceptionRules.Problem(word: word, path: path, name: name, evidence: evidence)
    }
}
