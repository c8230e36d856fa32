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

    /// The results of one directory.
    struct Accumulator {
        var counts = Totals.Counts()
        var siblings = Siblings()
        /// True if the counters are those of the whole directory, although only a part of it was visited.
        var hasAllSiblings = false
        var names: NameCollisions?
        var exclusions: ExcludedSiblings?
        /// The rules to evaluate for the current item. Kept to reuse its memory.
        var candidates: [RuleCandidate] = []
        /// The matches that traits decide, until all items of the directory have been evaluated.
        var decided: [DecidedMatches] = []
        var groups: [RuleIndex: FindingGroup] = [:]
        /// The rules of which another finding is only counted: those with a total, and those whose group is full.
        var counted: Set<RuleIndex> = []
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

    /// A directory among the items of another.
    struct Entered {
        let index: Int
        let directory: Directory
        /// The context of its items.
        let inside: DirectoryContext
        /// The context of the directory itself.
        let asItem: DirectoryContext
    }

    /// The findings of one rule that one suppression applies to.
    struct Suppressed: Hashable {
        let rule: RuleIndex
        let source: SuppressionSource
    }
}
