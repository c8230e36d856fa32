// The build writes this function from the rule files. Their texts do not depend on the system.
extension EmbeddedFiles {
    static func contents() -> [(path: String, text: String, tree: String)] { [] }
}
