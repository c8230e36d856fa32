internal import AppContainer
internal import ContainerLifecycle

/// A finding while its container is read. Evidence, the answers to open questions and a suppression are added until it
/// becomes a `Finding` or is discarded.
struct FindingCandidate: Sendable {
    let rule: Rule
    let severity: Severity
    /// The index of the input in the report.
    var input = 0
    let path: [UInt8]
    var items = 1
    var bytes: UInt64
    /// The content of directories, which is not in `bytes`.
    var size: DirectorySize?
    /// The largest of several items.
    var largest: [UInt8]?
    /// The message of a combined finding, instead of the rule's.
    @Seldom var summary: String? = nil
    /// The message of the rule level, instead of the rule's.
    @Seldom var template: String? = nil
    var evidence: [Evidence] = []
    var exclusion: BackupExclusion
    let location: Location
    let isBackedUp: Bool
    var confidence: Double?
    /// The questions about the whole container that must be true for the finding to be reported.
    var questions: [ContainerQuestion] = []
    @Seldom var source: CodeLocation? = nil
    /// The event of a device that causes the problem, in a run that plays events.
    var after: LifecycleEvent?
    var part = Finding.Part.item
    /// The bundle identifier of the container.
    var container = ""
    /// The source of the suppression, until the suppression is used.
    var suppressionSource: SuppressionSource?
    @Seldom var suppression: Finding.Suppression? = nil
    @Seldom var declaredAt: SourcePosition? = nil
    /// False if the rule's fix is for other items of the rule.
    var isFixable = true
    /// The safety of the rule's fix for the item, or for the least safe of several.
    var fixSafety: RuleFix.Safety?
}

extension FindingCandidate {
    /// A candidate in memory of its own, so that a list of thousands is sorted and extended without a copy of them.
    final class Held: Sendable {
        let candidate: FindingCandidate
        init(_ candidate: FindingCandidate) { self.candidate = candidate }

        static func precedes(_ left: Held, _ right: Held) -> Bool {
            left.candidate.path.lexicographicallyPrecedes(right.candidate.path)
        }
    }
}
