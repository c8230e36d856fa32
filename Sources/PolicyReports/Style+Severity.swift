internal import StoragePolicy
internal import TextOutput

extension Style {
    /// Returns the name of a rule, as a link to its documentation.
    func link(_ text: String, of rule: Rule) -> String {
        rule.references.first { $0.hasPrefix("https://") }.map { link(text, to: $0) } ?? text
    }

    /// Returns text in the color of a severity.
    func severity(_ severity: Severity, text: String) -> String {
        switch severity {
        case .error: wrap(text, "1;31")
        case .warning: wrap(text, "1;33")
        case .note: wrap(text, "1;36")
        }
    }
}
