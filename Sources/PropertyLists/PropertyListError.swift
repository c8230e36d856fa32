/// Bytes that are not the property list they claim to be.
package struct PropertyListError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong. The set is closed.
    package struct Code: Sendable, Hashable {
        private enum Kind { case notAPropertyList, truncated, malformed, tooLarge, unsupported }
        private let kind: Kind
        /// The bytes begin as no known form does.
        package static let notAPropertyList = Code(kind: .notAPropertyList)
        /// The bytes end before what they announce.
        package static let truncated = Code(kind: .truncated)
        /// An offset, a size, a reference or a text is wrong.
        package static let malformed = Code(kind: .malformed)
        /// A limit is passed.
        package static let tooLarge = Code(kind: .tooLarge)
        /// A value that this form cannot hold.
        package static let unsupported = Code(kind: .unsupported)
    }
    package let code: Code
    /// The byte at which it was seen.
    package let offset: Int
    /// What is wrong, in a few words.
    package let description: String

    init(_ code: Code, at offset: Int, _ description: String) {
        self.code = code
        self.offset = offset
        self.description = "\(description) (at byte \(offset))"
    }
}
