/// The severity of a finding.
public enum Severity: String, Sendable, CaseIterable, Comparable {
    case error, warning, note

    private var rank: Int {
        switch self {
        case .error: 2
        case .warning: 1
        case .note: 0
        }
    }
    /// A note is less than a warning, which is less than an error.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
}

/// The subject area of a rule.
public enum RuleGroup: String, Sendable, CaseIterable {
    case backup, loss, stale, layout, privacy, database, preferences, archive, portability, integrity, exceptions
}

/// The maturity of a rule.
public enum RuleStage: String, Sendable, CaseIterable { case stable, preview, deprecated }
