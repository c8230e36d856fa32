/// A text in a file, with its position.
package struct TextValue: Sendable {
    /// The location of the text in the file.
    package let pointer: ValuePointer
    package let text: String
    /// True for the text of a URL in a keyed archive.
    package var isArchivedAddress = false
    /// True for JSON whose own texts are listed as well, so that what it contains is not counted a second time.
    package var hasListedTexts = false

    /// The last key of the path, in the spelling of the file. It shows the purpose of the text.
    package var name: String { pointer.name }
    /// The last key of the path in lowercase.
    package var key: String { name.lowercased() }

    package static let longest = 65_536

    package init(
        pointer: ValuePointer, text: String, isArchivedAddress: Bool = false, hasListedTexts: Bool = false
    ) {
        (self.pointer, self.text) = (pointer, text)
        (self.isArchivedAddress, self.hasListedTexts) = (isArchivedAddress, hasListedTexts)
    }
}
