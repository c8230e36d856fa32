internal import StoragePolicy
internal import TextOutput

/// The Code Quality format of GitLab: an array of findings and gaps.
///
/// Source: gitlab-org/gitlab, doc/ci/testing/code_quality.md. GitLab does not show `check_name`, so the description
/// begins with it. It keeps one of several findings with the same fingerprint, so all fingerprints are distinct. It shows
/// only the description, on one line, so the remedy is part of it.
struct GitLabReport {
    private let run: LintRun

    init(_ run: LintRun) { self.run = run }

    func write(to output: @escaping (String) -> Void) {
        var repetitions = Repetitions()
        func write(
            _ check: String, text: String, fingerprint: String, severity: String, anchor: Anchor,
            into json: inout JSONWriter
        ) {
            let ordinal = repetitions.next(fingerprint)
            json.object { json in
                json.field("description", "\(check): \(text)")
                json.field("check_name", check)
                json.field("fingerprint", ordinal == 1 ? fingerprint : "\(fingerprint)-\(ordinal)")
                json.field("severity", severity)
                json.object("location") { json in
                    json.field("path", anchor.shown)
                    json.object("lines") { $0.field("begin", anchor.line) }
                }
            }
        }
        var json = JSONWriter(to: output)
        json.array { json in
            for finding in run.report.findings {
                write(
                    finding.rule.id,
                    text: "\(run.message(finding.message, in: finding.input)). "
                        + (run.doubt(of: finding).map { "\($0). " } ?? "")
                        + run.remedy([finding]).replacing("\n", with: ". "),
                    fingerprint: finding.fingerprint, severity: Self.severity(finding.severity),
                    anchor: run.anchors.anchor(of: finding), into: &json)
            }
            for gap in run.gaps {
                write(
                    "incomplete", text: gap.text, fingerprint: "incomplete-\(gap.reason)", severity: "major",
                    anchor: run.anchors.anchor(of: gap), into: &json)
            }
        }
        output("\n")
    }

    private static func severity(_ severity: Severity) -> String {
        switch severity {
        case .error: "critical"
        case .warning: "major"
        case .note: "info"
        }
    }
}
