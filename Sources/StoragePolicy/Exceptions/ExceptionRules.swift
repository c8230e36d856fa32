internal import AppContainer

/// The rules about suppressions and baselines, with the configured settings.
struct ExceptionRules: Sendable {
    private let forms: [RuleForm]

    init(_ forms: [RuleForm]) { self.forms = forms }

    /// A problem of a suppression or a baseline entry.
    struct Problem: Sendable {
        let word: ExceptionPredicate.Word
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
        forms.filter { $0.rule.exception == problem.word && $0.paths?.takes(problem.path) ?? true }.map { form in
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
