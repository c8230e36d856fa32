/// The style and the script of a page, as this build carries them.
///
/// `files` is written by the build from the files in `Page`.
enum EmbeddedFiles {
    /// A file's path below the target and its text.
    struct File: Sendable {
        let path: String
        let text: String
    }

    /// Returns the texts of the files with an extension, in the order of their names.
    static func text(ofType type: String) -> String {
        files.filter { $0.path.hasSuffix("." + type) }.map(\.text).joined()
    }
}
