package import StoragePolicy

/// A cause of findings in two runs. Every text is safe to show.
package struct CauseChange: Codable, Sendable {
    /// The changes, in the order of reports.
    package enum Kind: String, CaseIterable, Sendable {
        /// Only the later run has the cause.
        case new
        /// Its items have more bytes than before.
        case grown
        /// It has new findings or another severity, and not more bytes.
        case changed
        /// Only the earlier run has the cause.
        case fixed
        /// It has fewer bytes or findings, and no new ones.
        case smaller
        case unchanged
    }

    /// The findings of a cause in one run.
    package struct Extent: Codable, Hashable, Sendable {
        @Count package private(set) var findings: Int
        @Count package private(set) var items: Int
        package let bytes: UInt64

        package init(findings: Int, items: Int, bytes: UInt64) {
            self.bytes = bytes
            (_findings, _items) = (Count(wrappedValue: findings), Count(wrappedValue: items))
        }

        /// Returns the sum of several; nil if there are none.
        package static func sum(of all: [Extent]) -> Extent? {
            guard !all.isEmpty else { return nil }
            return Extent(
                findings: all.reduce(0) { $0 + $1.findings }, items: all.reduce(0) { $0 + $1.items },
                bytes: all.reduce(0) { $0.addingSaturated($1.bytes) })
        }
    }

    @Word package private(set) var change: Kind
    /// The name of the cause, as findings in reports have it.
    package let name: String
    package let title: String
    /// The item, or the directory of several, with the name of the container if there are several.
    package let path: String
    /// The ids of the rules that report the items.
    package let rules: [String]
    /// The severity in the later run; in the earlier one if it is fixed.
    @Word package private(set) var severity: Severity
    /// Null for a new cause.
    @Nullable package private(set) var before: Extent?
    /// Null for a fixed cause.
    @Nullable package private(set) var after: Extent?
    /// The number of findings that only the later run has.
    @Count package private(set) var newFindings: Int
    /// The number of findings that only the earlier run has.
    @Count package private(set) var fixedFindings: Int

    /// Creates the change of a cause.
    ///
    /// - Parameters:
    ///   - texts: The name, the title and the path.
    ///   - rules: The ids of the rules.
    ///   - severities: The severity in each run that has the cause.
    ///   - before: The findings of the earlier run.
    ///   - after: The findings of the later run.
    ///   - new: The number of findings that only the later run has.
    ///   - fixed: The number of findings that only the earlier run has.
    package init(
        _ texts: (name: String, title: String, path: String), rules: [String],
        severities: (before: Severity?, after: Severity?), from before: Extent?, to after: Extent?, new: Int, fixed: Int
    ) {
        (name, title, path) = texts
        self.rules = rules
        _severity = Word(wrappedValue: severities.after ?? severities.before ?? .note)
        (_before, _after) = (Nullable(wrappedValue: before), Nullable(wrappedValue: after))
        (_newFindings, _fixedFindings) = (Count(wrappedValue: new), Count(wrappedValue: fixed))
        let kind: Kind
        if let before, let after {
            if after.bytes > before.bytes {
                kind = .grown
            } else if new > 0 || severities.before != severities.after {
                kind = .changed
            } else {
                kind = after.bytes < before.bytes || fixed > 0 ? .smaller : .unchanged
            }
        } else {
            kind = before == nil ? .new : .fixed
        }
        _change = Word(wrappedValue: kind)
    }

    /// The bytes that the later run has more; 0 if it has fewer.
    package var growth: UInt64 {
        let (old, new) = (before?.bytes ?? 0, after?.bytes ?? 0)
        return new > old ? new - old : 0
    }
}
