internal import StoragePolicy
internal import TextOutput

extension Style {
    /// Text in the colour of a severity.
    func severity(_ severity: Severity, _ text: String) -> String {
        switch severity {
        case .error: wrap(text, "1;31")
        case .warning: wrap(text, "1;33")
        case .note: wrap(text, "1;36")
        }
    }
}
