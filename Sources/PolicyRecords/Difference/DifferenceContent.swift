internal import StoragePolicy

/// The JSON of the changes between two containers or reports, `sandboxlint-diff/1`.
///
/// This is the only declaration of its keys: `DifferenceReport` writes them, and `RecordSchema` records them. Later versions
/// may add keys.
package struct DifferenceContent: Codable {
    /// The formats.
    package enum Format: String, CaseIterable, Sendable { case current = "sandboxlint-diff/1" }

    /// The program that wrote it.
    struct Tool: Codable {
        @Word var name: ReportContent.Tool.Name
        let version: String
    }

    /// The findings that only one side has, and the number of those that both have.
    struct Findings: Codable {
        let new: [ReportSnapshot.Line]
        let gone: [ReportSnapshot.Line]
        @Count var kept: Int
    }

    /// A value of both sides.
    struct Change<Value: Codable>: Codable {
        let before: Value
        let after: Value
    }

    /// The items whose backup exclusion changed.
    struct Exclusion: Codable, Hashable {
        let changes: [ExclusionChanges.Change]
        /// The number of changes that are not listed.
        @Count var others: Int
    }

    /// The bytes with one treatment in backups.
    struct ClassChange: Codable {
        @Word var name: ClassSizes.Name
        let before: UInt64
        let after: UInt64
    }

    @Word var schema: Format
    let tool: Tool
    /// True if both sides are complete.
    let complete: Bool
    let findings: Findings
    /// The numbers of findings that are suppressed or accepted, and not compared.
    let hidden: Change<Count>
    let content: Change<ReportContent.Content>
    /// The locations whose content changed, by path.
    let locations: [Joined<ReportContent.LocationPath, Change<ReportContent.Content>>]
    /// Null if one side is a report, which does not contain exclusions.
    @Nullable var exclusion: Exclusion?
    /// The causes of the findings, the most severe changes first.
    let causes: [CauseChange]?
    /// The bytes of all containers by their treatment in backups.
    let classes: [ClassChange]?
    /// Facts about the comparison that a reader must know, one sentence each.
    let notes: [String]?
}

extension DifferenceContent {
    /// The record of a difference.
    ///
    /// - Parameters:
    ///   - difference: The changes.
    ///   - causes: The changes of causes.
    ///   - notes: The notes, one sentence each.
    ///   - exclusion: The changes of backup exclusions; nil if they were not compared.
    ///   - isComplete: True if both sides are complete.
    ///   - version: The version of the tool.
    package init(
        _ difference: ReportDifference, causes: [CauseChange], notes: [String], exclusion: ExclusionChanges?,
        isComplete: Bool, version: String
    ) {
        let (before, after) = (difference.before, difference.after)
        func sizes(_ before: LintReport.Content, _ after: LintReport.Content) -> Change<ReportContent.Content> {
            Change(before: ReportContent.Content(before), after: ReportContent.Content(after))
        }
        self.init(
            schema: .current, tool: Tool(name: .sandboxlint, version: version), complete: isComplete,
            findings: Findings(new: difference.new, gone: difference.gone, kept: difference.kept),
            hidden: Change(before: Count(wrappedValue: before.hidden), after: Count(wrappedValue: after.hidden)),
            content: sizes(before.whole, after.whole),
            locations: difference.locations.map {
                Joined(ReportContent.LocationPath(location: $0.path), sizes($0.before, $0.after))
            },
            exclusion: exclusion.map { Exclusion(changes: $0.listed, others: $0.others) }, causes: causes,
            classes: ClassSizes.Name.allCases.map {
                ClassChange(
                    name: $0, before: before.sizes[$0], after: after.sizes[$0])
            }, notes: notes.isEmpty ? nil : notes)
    }
}
