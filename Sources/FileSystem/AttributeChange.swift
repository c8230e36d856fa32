internal import SystemPackage

/// A change to one extended attribute of a file.
package struct AttributeChange: Sendable, Hashable {
    package let name: String
    /// The new value. Nil removes the attribute.
    package let value: [UInt8]?
    /// True if the change may be skipped on a file system that cannot store the attribute.
    package let isOptional: Bool

    package init(_ name: String, _ value: [UInt8]?, isOptional: Bool = false) {
        self.name = name
        self.value = value
        self.isOptional = isOptional
    }
}

extension OpenFile {
    /// Applies changes to the attributes of the file.
    func apply(_ changes: [AttributeChange]) throws(FileSystemError) {
        for change in changes {
            do throws(FileSystemError) {
                if let value = change.value {
                    try setAttribute(change.name, value)
                } else {
                    try removeAttribute(change.name)
                }
            } catch {
                // The file system stores no attributes, is full, or limits the size of a value.
                let refusals: [Errno] = [.notSupported, .notSupportedOnSocket, .noSpace, .argListTooLong, .outOfRange]
                let isUnsupported = refusals.contains(error.errno)
                guard isUnsupported, change.isOptional || change.value == nil else { throw error }
            }
        }
    }
}
