/// `levels: [{ severity: warning, when: {…}, message: … }]`: a finding is of the first level whose condition holds,
/// and of the rule's own severity where none does.
struct RuleLevel: Sendable {
    let severity: Severity
    let condition: Condition
    let message: String?

    /// A level of a rule's file; what a configuration says stands for its severity.
    init(_ value: YAMLValue, severity configured: Severity? = nil) throws(SourceError) {
        let fields = try value.fields(["severity", "when", "message"])
        let own = try value.required("severity", of: fields).word("severity", Severity.self)
        severity = configured ?? own
        condition = try Condition(try value.required("when", of: fields))
        message = try fields["message"]?.shownString()
    }
}
