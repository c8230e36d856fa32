// The build writes this array from the rule files. Their texts do not depend on the system.
extension EmbeddedFiles {
    package static let files: [File] = []
}
