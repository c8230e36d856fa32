/// A path beneath the top of a domain. It leads neither out of it nor to nothing.
package struct BackupPath: Sendable, Hashable {
    /// The path as the manifest spells it, without a slash at its ends; empty for the top itself.
    package let text: String

    /// The top of a domain.
    package static let top = BackupPath(checked: "")

    /// A path by the bytes that a file system keeps.
    ///
    /// - Throws: `nameNotText` for bytes that are no UTF-8, since the layout has texts only; `pathInvalid` for a path
    ///   that is absolute, or has a component that is empty, `.` or `..`, or a NUL.
    package init(bytes: some Collection<UInt8>) throws(EntryRefusal) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw EntryRefusal(.nameNotText, "a name that is not UTF-8")
        }
        guard bytes.isEmpty || Self.isSound(bytes) else {
            throw EntryRefusal(.pathInvalid, "a path that does not stay in its domain")
        }
        self.text = text
    }

    private init(checked text: String) { self.text = text }

    /// Texts that Swift holds to be the same may be different names.
    package static func == (left: BackupPath, right: BackupPath) -> Bool { left.bytes.elementsEqual(right.bytes) }
    package func hash(into hasher: inout Hasher) { for byte in bytes { hasher.combine(byte) } }

    package var bytes: String.UTF8View { text.utf8 }

    /// The directory that holds it; nil for the top.
    var parent: BackupPath? {
        guard !text.isEmpty else { return nil }
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return .top }
        return BackupPath(checked: String(text[..<slash]))
    }

    private static func isSound(_ bytes: some Collection<UInt8>) -> Bool {
        guard !bytes.contains(0) else { return false }
        return bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { component in
            !component.isEmpty && !component.elementsEqual(".".utf8) && !component.elementsEqual("..".utf8)
        }
    }
}
