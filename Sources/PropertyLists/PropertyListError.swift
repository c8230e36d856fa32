/// An error of reading or writing a property list.
package struct PropertyListError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error. The set is closed.
    package struct Code: Sendable, Hashable {
        private enum Kind { case notAPropertyList, truncated, malformed, tooLarge, unsupported }
        private let kind: Kind
        /// The bytes do not begin as any supported format.
        package static let notAPropertyList = Code(kind: .notAPropertyList)
        /// The bytes are truncated.
        package static let truncated = Code(kind: .truncated)
        /// An offset, a size, a reference or a string is not valid.
        package static let malformed = Code(kind: .malformed)
        /// A limit is exceeded.
        package static let tooLarge = Code(kind: .tooLarge)
        /// The format cannot represent a value.
        package static let unsupported = Code(kind: .unsupported)
    }
    package let code: Code
    /// The offset of the problem in bytes.
    package let offset: Int
    /// A short description of the problem.
    package let description: String

    init(_ code: Code, at offset: Int, _ description: String) {
        self.code = code
        self.offset = offset
        self.description = "\(description) (at byte \(offset))"
    }
}
