/// `aggregate: { per: container, bytes-over: 2MiB }`: what a rule finds is one finding, if it comes to more than that
/// in one directory or in the container; a budget.
struct Aggregate: Sendable, Hashable {
    enum Scope: String, CaseIterable, Sendable { case directory, container }
    let scope: Scope
    /// More bytes than this are a finding.
    let bytes: UInt64
    /// More items than this are a finding.
    let items: Int

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["per", "bytes-over", "items-over"])
        scope = try value.required("per", of: fields).word("scope", Scope.self)
        bytes = try fields["bytes-over"]?.size() ?? .max
        items = try fields["items-over"]?.integer() ?? .max
        if fields["bytes-over"] == nil, fields["items-over"] == nil {
            throw value.error("an aggregate needs bytes-over or items-over")
        }
    }

    /// Whether so much is a finding; `budget` is the configuration's word instead of the rule's bytes.
    func isPassed(items count: Int, bytes sum: UInt64, budget: UInt64?) -> Bool {
        count > items || sum > (budget ?? bytes)
    }
}
