package import SystemPackage

/// A kernel call that failed, with what was being done and to what.
package struct FileSystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was being done, as a verb with its object: "open", "list attributes".
    package let operation: String
    /// What it was done to, as the caller named it.
    package let path: FilePath
    /// The kernel's reason.
    package let errno: Errno

    package init(_ operation: String, _ path: FilePath, _ errno: Errno) {
        self.operation = operation
        self.path = path
        self.errno = errno
    }

    package var description: String { "cannot \(operation) “\(path.string.printable)”: \(errno)" }
}

extension StringProtocol {
    /// The text for a message of one line: a name in it may hold newlines, escapes and marks that turn text about, and
    /// each of these is replaced by U+FFFD.
    package var printable: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{fffd}"
                    default: scalar
                    }
                }))
    }
}

/// Gives back a call's result, or throws its negated errno.
@discardableResult
func succeed(_ result: Int32, _ operation: String, _ path: @autoclosure () -> FilePath) throws(FileSystemError) -> Int32
{
    guard result < 0 else { return result }
    throw FileSystemError(operation, path(), Errno(rawValue: -result))
}
