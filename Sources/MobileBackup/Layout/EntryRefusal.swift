/// Something that Apple's layout cannot tell: whoever exports it declares it as lost.
package struct EntryRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// What cannot be told. The set is closed.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// A name that is not UTF-8: the manifest holds texts.
        case nameNotText = "name-not-text"
        /// A link's target that is not UTF-8, is empty or holds a NUL.
        case targetNotText = "target-not-text"
        /// A path that is absolute or leads out, which no file system gives.
        case pathInvalid = "path-invalid"
        /// An identifier that is empty or holds a slash.
        case domainInvalid = "domain-invalid"
        /// Attributes that take more than a record may have.
        case attributesTooLarge = "attributes-too-large"
    }

    package let code: Code
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
