internal import TextOutput

/// The way to a value in a file: names and positions, and the last name on it.
///
/// It is short whatever the file says, and may be shown: a name that looks like a secret itself is left out.
struct ValuePointer: Sendable, Hashable {
    /// `/server/token`, `/items/3`; escaped. Empty for the whole file.
    let text: String
    /// The last name as the file spells it, cut after 128 bytes.
    let name: String
    /// The record that holds the value: a row of a table, or the nearest object.
    private(set) var record = ""
    /// The key of the record: the first column of a row if it is an integer, or the name of the object in the object
    /// that holds it; nil for others.
    private(set) var recordKey: String?
    /// True if the record is a row, which also holds whatever JSON is in its values.
    private var isInRow = false
    /// The name of the value in an object; nil for a member of a list.
    private var ownKey: String?

    private static let longestName = 64
    private static let longest = 512

    /// The whole file.
    static let root = ValuePointer(text: "", name: "")

    init(text: String, name: String) { (self.text, self.name) = (text, name) }

    /// A value in the row of a table.
    init(text: String, name: String, row: String, key: String?) {
        self.init(text: text, name: name)
        (record, recordKey, isInRow) = (row, key, true)
    }

    private init(_ text: String, name: String, in parent: ValuePointer) {
        self.init(text: text, name: name)
        (record, recordKey, isInRow) = (parent.record, parent.recordKey, parent.isInRow)
    }

    /// The value of a name.
    func member(_ name: String) -> ValuePointer {
        let start = String(decoding: name.utf8.prefix(128), as: UTF8.self)
        let isSecret = name.utf8.count > Self.longestName || SecretShape.isOpaque(name) || SecretShape.hasStrong(name)
        let shown = isSecret ? "…" : ByteText.escaped(Array(start.utf8))
        var member = ValuePointer("\(base)/\(shown)", name: start, in: self)
        if !isInRow { (member.record, member.recordKey) = (text, ownKey) }
        member.ownKey = start
        return member
    }

    /// A member by its position; it is for what the list is for.
    func member(_ position: Int) -> ValuePointer {
        ValuePointer("\(base)/\(position)", name: name, in: self)
    }

    private var base: String { text.utf8.count > Self.longest ? "…" : text }
}
