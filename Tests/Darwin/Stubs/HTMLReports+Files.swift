// The build writes this function from the style and the script of pages. Their texts do not depend on the system.
extension EmbeddedFiles {
    static func contents() -> [(path: String, text: String, tree: String)] { [] }
}
