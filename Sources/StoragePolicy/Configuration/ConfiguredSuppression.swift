internal import AppContainer

/// `{ path: "tmp/exports/**", rule: stale-tmp, reason: …, owner: …, until: 2026-06-30 }`: findings that a
/// configuration suppresses, and the reason.
struct ConfiguredSuppression: Sendable {
    let paths: [PathGlob]
    /// Ids, numbers or groups.
    let rules: [String]
    let reason: String
    let owner: String?
    /// Seconds since 1970 from which on it is over; a day counts to its end, in universal time.
    let end: Int64?

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["path", "rule", "reason", "owner", "until"])
        paths = try value.required("path", of: fields).globs().map(\.value)
        rules = try value.required("rule", of: fields).strings()
        let reason = try value.required("reason", of: fields)
        self.reason = try reason.string()
        if self.reason.allSatisfy(\.isWhitespace) { throw reason.error("a suppression needs a reason") }
        owner = try fields["owner"]?.string()
        end = try fields["until"].map { value throws(SourceError) in
            let start = try value.moment()
            return try value.string().contains("T") ? start : start + 86_400
        }
    }

    /// The identifier, independent of the position.
    var name: String { rules.joined(separator: ",") + " " + paths.map(\.text).joined(separator: ",") }

    /// The directory that all of its paths lie in, as far as they name it; empty for the container itself.
    var directory: [UInt8] {
        guard let first = paths.first, paths.count == 1 else { return [] }
        let names = first.text.split(separator: "/").prefix { !$0.contains { "*?{".contains($0) } }
        return Array(names.joined(separator: "/").utf8)
    }
}
