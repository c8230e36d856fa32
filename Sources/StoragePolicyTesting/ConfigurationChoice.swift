public import StoragePolicy

/// Which configuration an expectation heeds.
public enum ConfigurationChoice: Sendable {
    /// The closest `.sandboxlint.yml` from the test's own source file upward, as the tool has it from a container's
    /// folder; none where there is none, as on a device, which has no sources.
    case closest
    /// The file at a path.
    case file(String)
    /// What the test says itself; `.stated(.none)` heeds no file.
    case stated(Configuration)

    /// What it comes to for a test in a source file.
    func configuration(for sourceFile: String) throws -> Configuration {
        switch self {
        case .closest: try Configuration.read(Configuration.discover(for: sourceFile))
        case .file(let path): try Configuration.read(path)
        case .stated(let configuration): configuration
        }
    }
}
