/// The rule files and the registry, as this build carries them.
///
/// The build writes `contents` from every `.yml` file of this folder, FORMAT.md and PRECISION.md.
package enum EmbeddedFiles {
    /// A file's path below `rules/`, its text and its tree.
    package struct File: Sendable {
        package let path: String
        package let text: String
        /// The bytes of its `YAMLTree`; empty for other files.
        package let tree: String
    }

    package static let files = contents().map { File(path: $0.path, text: $0.text, tree: $0.tree) }
}
