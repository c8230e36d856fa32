package import SystemPackage

/// A failed system call, with the operation and the path.
package struct FileSystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The operation, as a verb with its object: "open", "list attributes".
    package let operation: String
    /// The path, as the caller passed it.
    package let path: FilePath
    /// The error number of the kernel.
    package let errno: Errno

    package init(_ operation: String, path: FilePath, errno: Errno) {
        self.operation = operation
        self.path = path
        self.errno = errno
    }

    package var description: String { "cannot \(operation) “\(path.string.printable)”: \(errno)" }
}

extension String {
    /// The text for a one-line message. Newlines, escapes and bidirectional marks, which a file name may contain, are
    /// replaced by U+FFFD.
    package var printable: String {
        guard utf8.contains(where: { $0 < 0x20 || $0 >= 0x7f }) else { return self }
        return String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{fffd}"
                    default: scalar
                    }
                }))
    }
}

/// Returns the result of a system call, or throws an error for a negated errno.
@discardableResult
func succeed(_ result: Int32, operation: String, _ path: @autoclosure () -> FilePath) throws(FileSystemError) -> Int32 {
    guard result < 0 else { return result }
    throw FileSystemError(operation, path: path(), errno: Errno(rawValue: -result))
}
