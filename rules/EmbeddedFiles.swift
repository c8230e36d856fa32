/// The rule files and the registry, as this build carries them.
///
/// `files` is written by the build from every `.yml` file of this folder, and PRECISION.md.
package enum EmbeddedFiles {
    /// A file's path below `rules/` and its text.
    package struct File: Sendable {
        package let path: String
        package let text: String
    }
}
