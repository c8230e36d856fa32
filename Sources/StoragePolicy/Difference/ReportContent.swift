/// The content of a JSON report, not yet validated.
struct ReportContent: Decodable, Sendable {
    static let format = "sandboxlint-report/1"

    /// A JSON object of another format.
    struct OtherFormat: Error { let schema: String }

    struct Tool: Decodable, Sendable {
        let version: String
        let rules: String
    }
    struct Location: Decodable, Sendable, Hashable {
        let location: String
        let items: UInt32
        let bytes: UInt64
        let backedUpBytes: UInt64

        var content: LintReport.Content {
            LintReport.Content(items: Int(items), bytes: bytes, backedUpBytes: backedUpBytes)
        }
    }
    struct Input: Decodable, Sendable, Hashable {
        let path: String
        let bundleID: String?
        let app: String?
        let exclusionEvidence: String
        let label: String?
        let items: UInt32
        let bytes: UInt64
        let backedUpBytes: UInt64
        let undecidedBackedUpBytes: UInt64
        let ignored: UInt32
        let baselined: UInt32
        let disabled: [String]
        let locations: [Location]
    }
    struct Summary: Decodable, Sendable {
        let items: UInt32
        let bytes: UInt64
        let backedUpBytes: UInt64
        let suppressed: UInt32
        let baselined: UInt32
    }
    struct Incident: Decodable, Sendable, Hashable {
        var input: Int
        let path: String
        let reason: String
    }
    struct Evidence: Decodable, Sendable, Hashable {
        let kind: String
        let value: String
        let weight: Double?
    }
    struct Exclusion: Decodable, Sendable, Hashable {
        let state: String
        let decidedBy: String
        let at: String?
    }
    struct Line: Decodable, Sendable, Hashable {
        let file: String
        let line: UInt32
    }
    struct Anchor: Decodable, Sendable, Hashable {
        let kind: String
        let file: String
        let line: UInt32
    }
    struct Finding: Decodable, Sendable, Hashable {
        let fingerprint: String
        let rule: String
        let severity: String
        let path: String
        let items: UInt32
        let bytes: UInt64
        let message: String
        var input: Int
        let after: String?
        let confidence: Double?
        let evidence: [Evidence]
        let exclusion: Exclusion
        let source: Line?
        let location: String
        let backedUp: Bool
        let largest: String?
        let fix: Fix?
        let part: String?
        let ordinal: UInt32?
        let declared: String?
        let anchor: Anchor?
        // Only a finding that is suppressed or accepted has these.
        let by: String?
        let place: String?
        let reason: String?
        let owner: String?
        let until: String?
    }

    struct Fix: Decodable, Sendable, Hashable {
        let safety: String
    }

    let tool: Tool
    let now: String?
    let inputs: [Input]
    let summary: Summary
    let locations: [Location]
    let usedSuppressions: [String]
    let complete: Bool
    let failures: [String]
    let incidents: [Incident]
    let findings: [Finding]
    let suppressed: [Finding]
    let accepted: [Finding]

    enum CodingKeys: String, CodingKey {
        case schema, tool, now, inputs, summary, locations, usedSuppressions, complete, failures, incidents, findings,
            suppressed, accepted
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let schema = try values.decode(String.self, forKey: .schema)
        guard schema == Self.format else { throw OtherFormat(schema: schema) }
        tool = try values.decode(Tool.self, forKey: .tool)
        now = try values.decodeIfPresent(String.self, forKey: .now)
        inputs = try values.decode([Input].self, forKey: .inputs)
        summary = try values.decode(Summary.self, forKey: .summary)
        locations = try values.decode([Location].self, forKey: .locations)
        usedSuppressions = try values.decode([String].self, forKey: .usedSuppressions)
        complete = try values.decode(Bool.self, forKey: .complete)
        failures = try values.decode([String].self, forKey: .failures)
        incidents = try values.decode([Incident].self, forKey: .incidents)
        findings = try values.decode([Finding].self, forKey: .findings)
        suppressed = try values.decode([Finding].self, forKey: .suppressed)
        accepted = try values.decode([Finding].self, forKey: .accepted)
    }
}
