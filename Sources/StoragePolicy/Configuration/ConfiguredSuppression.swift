internal import AppContainer

/// `{ path: "tmp/exports/**", rule: stale-tmp, reason: …, owner: …, until: 2026-06-30 }`: findings that a
/// configuration suppresses, and the reason. `{ fingerprint: 0123456789abcdef, reason: … }`: one finding.
struct ConfiguredSuppression: Sendable {
    let paths: [PathGlob]
    /// Ids, numbers or groups.
    let rules: [String]
    /// The fingerprint of the only finding; nil for all findings of the rules at the paths.
    let fingerprint: String?
    let reason: String
    let owner: String?
    /// The end as it is written.
    let until: String?
    /// Seconds since 1970 from which on it is over; a day counts to its end, in universal time.
    let end: Int64?

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["path", "rule", "fingerprint", "reason", "owner", "until"])
        let fingerprint = try fields["fingerprint"].map { value throws(SourceError) in
            let text = try value.string()
            guard value.recorder != nil || text.utf8.count == 16 && UInt64(text, radix: 16) != nil else {
                throw value.error("expected a fingerprint of 16 hexadecimal digits, as in a JSON report")
            }
            return text.lowercased()
        }
        self.fingerprint = fingerprint
        func field(_ name: String) throws(SourceError) -> YAMLValue? {
            if let field = fields[name] { return field }
            return fingerprint == nil ? try value.required(name, of: fields) : nil
        }
        paths = try field("path")?.globs().map(\.value) ?? []
        let words = try field("rule")
        words?.recorder?.record(.reference(SchemaName.ruleWords))
        rules = try words?.recorder == nil ? words?.strings() ?? [] : []
        let reason = try value.required("reason", of: fields)
        self.reason = try reason.string()
        if self.reason.allSatisfy(\.isWhitespace) { throw reason.error("a suppression needs a reason") }
        owner = try fields["owner"]?.string()
        until = try fields["until"]?.string()
        end = try fields["until"].map { value throws(SourceError) in
            let start = try value.moment()
            return try value.string().contains("T") ? start : start + 86_400
        }
    }

    /// The identifier, independent of the position.
    var name: String { fingerprint ?? pathName }

    private var pathName: String { rules.joined(separator: ",") + " " + paths.map(\.text).joined(separator: ",") }

    /// The directory that all of its paths lie in, as far as they name it; empty for the container itself.
    var directory: [UInt8] {
        guard let first = paths.first, paths.count == 1 else { return [] }
        let names = first.text.split(separator: "/").prefix { !$0.contains { "*?{".contains($0) } }
        return Array(names.joined(separator: "/").utf8)
    }
}
