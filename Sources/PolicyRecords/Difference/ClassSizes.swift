package import ContainerTree
package import StoragePolicy

/// The bytes of a run by their treatment in backups, computed from totals that every report has.
///
/// Bytes in backups are divided by what the findings and the evidence say about them, all others by their location.
package struct ClassSizes: Sendable, Hashable {
    /// The treatments, in the order of tables. The sizes of all of them add up to the content.
    package enum Name: String, CaseIterable, Sendable {
        case backedUp, redownloadable, undecided, caches, temporary, excluded

        /// The class of items with this treatment.
        package var storage: StorageClass {
            switch self {
            case .backedUp: .backedUp
            case .redownloadable: .redownloadable
            case .undecided: .undecided
            case .caches: .caches
            case .temporary: .temporary
            case .excluded: .excluded
            }
        }
    }

    private var sizes: [Name: UInt64] = [:]

    package subscript(name: Name) -> UInt64 { sizes[name] ?? 0 }

    /// Creates sizes from the totals of a run. Totals that contradict each other, as those of a changed report may, are limited by
    /// the content.
    ///
    /// - Parameters:
    ///   - whole: The content.
    ///   - regenerable: The bytes in backups that the app can download or compute again.
    ///   - undecided: The bytes in backups of which nothing decides what they are.
    ///   - locations: The content of each location, by path.
    package init(
        whole: LintReport.Content, regenerable: UInt64, undecided: UInt64, locations: [String: LintReport.Content]
    ) {
        func take(_ bytes: UInt64, outOf rest: inout UInt64) -> UInt64 {
            let taken = min(bytes, rest)
            rest -= taken
            return taken
        }
        func bytesOutsideOfBackups(below path: String) -> UInt64 {
            locations.reduce(0) { sum, location in
                guard location.key == path || location.key.hasPrefix(path + "/") else { return sum }
                let content = location.value
                return sum.addingSaturated(content.bytes - min(content.bytes, content.backedUpBytes))
            }
        }
        var backedUp = min(whole.backedUpBytes, whole.bytes)
        var others = whole.bytes - backedUp
        sizes[.redownloadable] = take(regenerable, outOf: &backedUp)
        sizes[.undecided] = take(undecided, outOf: &backedUp)
        sizes[.backedUp] = backedUp
        sizes[.caches] = take(bytesOutsideOfBackups(below: "Library/Caches"), outOf: &others)
        sizes[.temporary] = take(bytesOutsideOfBackups(below: "tmp"), outOf: &others)
        sizes[.excluded] = others
    }
}
