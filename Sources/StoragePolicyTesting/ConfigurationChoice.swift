public import StoragePolicy

/// The configuration of an expectation.
public enum ConfigurationChoice: Sendable {
    /// The closest `.sandboxlint.yml` in the directory of the test's source file or a directory above it. Without such
    /// a file, as on a device, which has no sources, the default configuration is used.
    case closest
    /// The file at a path.
    case file(String)
    /// The given configuration. `.stated(.none)` uses no file.
    case stated(Configuration)

    /// Returns the configuration for a test in a source file.
    func configuration(for sourceFile: String) throws -> Configuration {
        switch self {
        case .closest: try Configuration.read(Configuration.closest(above: sourceFile))
        case .file(let path): try Configuration.read(path)
        case .stated(let configuration): configuration
        }
    }
}
