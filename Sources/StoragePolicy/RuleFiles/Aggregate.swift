/// `aggregate: { per: container, bytes-over: 2MiB }`: what a rule finds is one finding, if it comes to more than that
/// in one directory, in one location or in the container; a budget. With `registry-limits: true`, also if what one SDK
/// keeps comes to more than the registry knows it to allow itself.
package struct Aggregate: Sendable, Hashable {
    enum Scope: String, CaseIterable, Sendable { case directory, location, container }
    let scope: Scope
    /// More bytes than this are a finding.
    package let bytes: UInt64
    /// More items than this are a finding.
    let items: Int
    let hasRegistryLimits: Bool

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["per", "bytes-over", "items-over", "registry-limits"])
        scope = try value.required("per", of: fields).word("scope", type: Scope.self)
        bytes = try fields["bytes-over"]?.size() ?? .max
        items = try fields["items-over"]?.integer() ?? .max
        hasRegistryLimits = try fields["registry-limits"]?.boolean() ?? false
        if fields["bytes-over"] == nil, fields["items-over"] == nil {
            throw value.error("an aggregate needs bytes-over or items-over")
        }
    }

    /// Returns true if so much is a finding; `budget` is the configuration's word instead of the rule's bytes.
    func isPassed(items count: Int, bytes sum: UInt64, budget: UInt64?) -> Bool {
        count > items || sum > (budget ?? bytes)
    }
}
