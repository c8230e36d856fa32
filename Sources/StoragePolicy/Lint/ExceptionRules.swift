internal import AppContainer

/// The rules about suppressions and baselines, with the configured settings.
struct ExceptionRules: Sendable {
    private let forms: [RuleForm]

    init(_ forms: [RuleForm]) { self.forms = forms }

    /// A problem of a suppression or a baseline entry.
    struct Problem: Sendable {
        let word: ExceptionWord
        let path: [UInt8]
        /// The identifier among problems at the same path.
        let name: String
        var evidence: [(kind: String, value: String)]
        var position: SourcePosition?
    }

    /// A finding for each rule that is about such a problem, with the rule's severity or the one given.
    func findings(
        for problem: Problem, bundleIdentifier: String?, severity: Severity? = nil
    ) -> [FindingCandidate] {
        forms.filter { $0.rule.exception == problem.word && $0.paths?.applies(problem.path) ?? true }.map { form in
            FindingCandidate(
                rule: form.rule, severity: severity ?? form.rule.severity, path: problem.path, bytes: 0,
                evidence: problem.evidence.map { Evidence(kind: $0.kind, value: $0.value) },
                exclusion: .unknown, location: Self.location(of: problem.path, bundleIdentifier), isBackedUp: false,
                part: .exception(problem.name), declaredAt: problem.position)
        }
    }

    private static func location(of path: [UInt8], _ bundleIdentifier: String?) -> Location {
        let names = path.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
        let lengths = stride(from: min(names.count, 8), to: 0, by: -1)
        return lengths.lazy.compactMap {
            Location.exactly(Array(names.prefix($0)), bundleIdentifier: bundleIdentifier)
        }.first ?? .root
    }
}

extension LintReport {
    /// The most findings of a rule in a container, and the most in one directory, that are listed one by one.
    package static let (mostOfRule, mostOfDirectory) = (FindingAccumulator.standardLimit, FindingGroup.limit)

    /// Adds a finding about each entry of a baseline that `visit` adds with its input, path, line and rule: with a
    /// severity, or else with that of the rule.
    package mutating func addStaleEntries(
        _ severity: Severity?, _ visit: (_ add: (Int, [UInt8], String, String) -> Void) -> Void
    ) {
        // In bounded memory, like the findings of any other rule.
        let stale = FindingAccumulator()
        visit { input, path, line, rule in
            let problem = ExceptionRules.Problem(
                word: .staleInBaseline, path: path, name: line, evidence: [("rule", rule)])
            let container = asked[input].container
            stale.add(
                asked[input].exceptions.findings(for: problem, bundleIdentifier: container, severity: severity)
                    .map { candidate in
                        var candidate = candidate
                        (candidate.input, candidate.container) = (input, container)
                        return candidate
                    }, of: .only)
        }
        findings += (stale.takeAll()[.only] ?? []).map { Finding($0, container: $0.candidate.container) }
        Finding.sort(&findings)
    }
}
