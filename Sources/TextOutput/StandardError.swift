internal import FileSystem

/// Where a tool says what is wrong.
package enum StandardError {
    /// Writes lines; a name in them may hold anything.
    package static func say(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        write(lines.map { ByteText.printable($0) + "\n" }.joined())
    }

    /// Writes text as it is; where that cannot be, there is no one to tell.
    package static func write(_ text: String) { _ = Host.write(Array(text.utf8), to: 2) }
}
