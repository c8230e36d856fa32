package import StoragePolicy

/// The owners of containers in fingerprints and baselines.
///
/// An owner is the bundle identifier. If several containers of a run have the same, it is followed by the name of the
/// container in reports.
package struct InputOwners {
    /// For each container, the owner; nil for its bundle identifier.
    package let owners: [String?]

    /// Creates the owners of containers.
    ///
    /// - Parameters:
    ///   - identifiers: The bundle identifier of each container; nil without one.
    ///   - names: The path and the label of each container.
    package init(identifiers: [String?], names: [(path: String, label: String?)]) {
        let counts = Dictionary(identifiers.map { ($0 ?? "", 1) }, uniquingKeysWith: +)
        let shown = InputNames(names)
        owners = identifiers.enumerated().map { index, identifier in
            let identifier = identifier ?? ""
            guard counts[identifier, default: 0] > 1 else { return nil }
            return [identifier, shown.name(of: index)].filter { !$0.isEmpty }.joined(separator: " in ")
        }
    }

    /// Creates the owners of the containers of a report.
    package init(of report: LintReport) {
        self.init(
            identifiers: report.inputs.map(\.bundleIdentifier), names: report.inputs.map { ($0.path, $0.label) })
    }
}
