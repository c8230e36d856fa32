internal import AppContainer
internal import FileSystem

/// An input without a container that can be read: the problem, and a solution.
package struct InputError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error.
    package enum Code: Sendable, Hashable {
        /// The containers are not directories that stay: the input is an archive, a device backup, or an app on a device.
        case notInPlace
        /// The input is of a kind that is not read, such as a backup from before iOS 10.2. Every tool exits with 3.
        case notRead
        /// The input is missing, cannot be read, or does not have the containers.
        case failed
    }

    package let code: Code
    /// The problem in one sentence, then the solution.
    package let description: String

    init(_ problem: String, hint: String, code: Code = .failed) {
        // Output of programs and names of files may contain control characters.
        self.init("\(problem). \(hint)", code: code)
    }

    /// Creates an error of a text that contains the problem and the solution.
    init(_ text: String, code: Code = .failed) { (self.code, description) = (code, text.printable) }

    init(_ error: ContainerError) { (code, description) = (.failed, error.description) }
}
