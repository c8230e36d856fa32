/// `levels: [{ severity: warning, when: {…}, message: … }]`: a finding is of the first level whose condition holds,
/// and of the rule's own severity where none does.
struct RuleLevel: Sendable {
    let severity: Severity
    let condition: Condition
    let message: String?

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["severity", "when", "message"])
        severity = try value.required("severity", of: fields).word("severity", Severity.self)
        condition = try Condition(try value.required("when", of: fields))
        message = try fields["message"]?.string()
    }
}
