internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// The data that a run collects: for the whole container, and for one directory while it is read.
extension LintVisitor {
    /// The counters and incidents of one run.
    final class Totals: Sendable {
        struct Counts {
            var content = LintReport.Content()
            var earliest = Timestamp(seconds: .max)
            var latest = Timestamp(seconds: .min)
            var datedFiles = 0
            var incidents: [Incident] = []
            var carriesAttributes = true
            /// True if any item has an attribute.
            var hasAttributes = false
            /// Findings that the configuration leaves out.
            var suppressed = 0
            /// The content of each location, without the locations below it.
            var locations: [Location: LintReport.Content] = [:]
        }
        let counts = LockedValue(Counts())
    }

    /// The results collected while one directory is read.
    struct Accumulator {
        var counts = Totals.Counts()
        var siblings = Siblings()
        var names: NameCollisions?
        var exclusions: ExcludedSiblings?
        /// The rules to evaluate for the current item. Kept to reuse its memory.
        var candidates: [RuleCandidate] = []
        var kept = RetainedItems()
        var decided: [DecidedGroup] = []
        var groups: [RuleIndex: FindingGroup] = [:]
        var pending: [Pending: FindingGroup] = [:]
        var suppressed: [Suppressed: FindingGroup] = [:]
        /// The candidates for a verdict, where there can be any.
        var evidence: EvidenceCollector?
        /// The sizes of the items, if requested.
        var map: StorageMapBuilder.Contents?
        /// The patterns of the configuration that items of the directory may match.
        var patterns: [Int] = []

        /// Returns the number of items that a rule has found so far, including suppressed ones.
        func found(by rule: RuleIndex) -> Int {
            (groups[rule]?.items ?? 0) + suppressed.reduce(0) { $0 + ($1.key.rule == rule ? $1.value.items : 0) }
        }
    }

    /// The findings of one rule that one suppression applies to.
    struct Suppressed: Hashable {
        let rule: RuleIndex
        let source: Suppressions.Source
        /// The question about the siblings that must be answered first.
        let question: SiblingQuestion?
    }

    /// A rule whose result depends on the siblings.
    struct Pending: Hashable {
        let rule: RuleIndex
        let question: SiblingQuestion
    }
}
