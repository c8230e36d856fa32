// The build writes this array from the style and the script of pages. Their texts do not depend on the system.
extension EmbeddedFiles {
    static let files: [File] = []
}
