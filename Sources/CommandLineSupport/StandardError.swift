internal import FileSystem
internal import TextOutput

/// Standard error.
package enum StandardError {
    /// Writes lines. Control characters are replaced.
    package static func say(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        write(lines.map { ByteText.printable($0) + "\n" }.joined())
    }

    /// Writes text without changes. Errors are ignored.
    package static func write(_ text: String) { _ = Host.write(Array(text.utf8), to: 2) }
}
