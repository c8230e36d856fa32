/// An error of an operation on a container at the command line.
package struct ExplorerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error.
    package enum Code: Sendable, Hashable {
        /// The arguments are wrong; nothing was read or changed.
        case usage
        /// No item matches.
        case notFound
        /// The operation is refused, because it could lose data or leave the container.
        case refused
        /// A content does not have the expected format or type.
        case wrongContent
        /// The user has cancelled the operation; nothing was changed.
        case cancelled
        /// Another failure.
        case failed
    }

    /// The kind of the error.
    package let code: Code
    /// The failure, the state on disk and a solution.
    package let description: String

    package init(_ code: Code, description: String) {
        self.code = code
        self.description = description
    }
}
