internal import AppContainer
internal import PolicyTexts
internal import StoragePolicy
internal import TextOutput

/// The files that a change takes because the configuration declares them, by what the evidence alone says of them. A pattern
/// may match more than its author thought of.
package struct TakenFiles: Sendable, Hashable {
    /// Files that look like user data.
    package private(set) var userData = 0
    /// Files of which the evidence does not decide what they are.
    package private(set) var undecided = 0
    /// Files that look re-downloadable.
    package private(set) var regenerable = 0

    /// Counts the files that changes take.
    ///
    /// - Parameters:
    ///   - units: The changes.
    ///   - container: The container, which is linted once more, as if nothing were declared.
    ///   - linter: The linter that found what the changes fix.
    /// - Returns: The changes, those that rest on a declaration with the files that they take.
    /// - Throws: A failure to read the container or a rule setting.
    static func counted(in units: [FixUnit], of container: Container, by linter: Linter) throws -> [FixUnit] {
        let configuration = linter.configuration
        let declared = units.indices.filter { index in
            [.flag, .remove].contains(units[index].verb)
                && units[index].keys.contains {
                    configuration.declares($0.path, anyOf: [.downloaded, .caches, .mustExclude])
                }
        }
        guard !declared.isEmpty else { return units }
        let plain = try Linter(
            catalogue: linter.catalogue, configuration: configuration.withoutDeclarations, now: linter.now,
            threads: linter.threads, honorsItemSuppressions: linter.honorsItemSuppressions)
        var taken = Dictionary(declared.map { (units[$0].path, TakenFiles()) }) { first, _ in first }
        for record in try plain.evidence(in: container) {
            let itemClass = ItemVerdict.itemClass(of: record.probability)
            for above in [[]] + ItemPath.lineage(record.directory) {
                taken[above]?.add(record.items, itemClass: itemClass)
            }
            for name in record.names {
                taken[ItemPath.joined(record.directory, name: name)]?.add(1, itemClass: itemClass)
            }
        }
        var units = units
        for index in declared { units[index].taken = taken[units[index].path] }
        return units
    }

    private mutating func add(_ files: Int, itemClass: ItemClass) {
        switch itemClass {
        case .userData: userData += files
        case .regenerable: regenerable += files
        default: undecided += files
        }
    }

    /// The numbers in words: `1 user data, 3 undecided`; nil if no file was weighed.
    package var text: String? {
        let parts = [(userData, ItemClass.userData), (undecided, .undecided), (regenerable, .regenerable)]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.1.phrase)" }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
