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
            _ check: String, _ text: String, _ fingerprint: String, _ severity: String, _ anchor: Anchor,
            _ json: inout JSONWriter
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
                    "\(run.message(finding.message, in: finding.input)). "
                        + run.remedy([finding]).replacing("\n", with: ". "),
                    finding.fingerprint, Self.severity(finding.severity), run.anchors.anchor(of: finding), &json)
            }
            for gap in run.gaps {
                write("incomplete", gap.text, "incomplete-\(gap.reason)", "major", run.anchors.anchor(of: gap), &json)
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
