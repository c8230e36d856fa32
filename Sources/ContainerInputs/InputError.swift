internal import AppContainer
internal import FileSystem

/// An input without a container that can be read: the problem, and a solution.
package struct InputError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem in one sentence, then the solution.
    package let description: String

    init(_ problem: String, hint: String) {
        // Output of programs and names of files may contain control characters.
        description = "\(problem). \(hint)".printable
    }

    /// Creates an error of a text that contains the problem and the solution.
    init(_ text: String) { description = text.printable }

    init(_ error: ContainerError) { description = error.description }
}
