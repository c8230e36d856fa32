/// The style and the script of a page, as this build carries them.
///
/// The build writes `contents` from the files in `Page`.
enum EmbeddedFiles {
    /// Returns the texts of the files with an extension, in the order of their names.
    static func text(ofType type: String) -> String {
        contents().filter { $0.path.hasSuffix("." + type) }.map(\.text).joined()
    }
}
