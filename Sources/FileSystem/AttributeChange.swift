internal import SystemPackage

/// One extended attribute as it is to be on a file.
package struct AttributeChange: Sendable, Hashable {
    package let name: String
    /// Nil takes the attribute away.
    package let value: [UInt8]?
    /// Whether a file without it will do, where the file system cannot carry it.
    package let isOptional: Bool

    package init(_ name: String, _ value: [UInt8]?, isOptional: Bool = false) {
        self.name = name
        self.value = value
        self.isOptional = isOptional
    }
}

extension OpenFile {
    func apply(_ changes: [AttributeChange]) throws(FileSystemError) {
        for change in changes {
            do throws(FileSystemError) {
                if let value = change.value {
                    try setAttribute(change.name, value)
                } else {
                    try removeAttribute(change.name)
                }
            } catch {
                // No attributes at all, no room for one more, or none so large.
                let refusals: [Errno] = [.notSupported, .notSupportedOnSocket, .noSpace, .argListTooLong, .outOfRange]
                let isRefused = refusals.contains(error.errno)
                guard isRefused, change.isOptional || change.value == nil else { throw error }
            }
        }
    }
}
