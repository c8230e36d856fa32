internal import HTMLReports
package import PolicyRecords

extension ClassSizes.Name {
    /// The name of the treatment in legends and tables, as on maps.
    package var label: String { storage.label }
}
