internal import TextOutput

/// The way to a value in a file: names and positions, and the last name on it.
///
/// It is short whatever the file says, and may be shown: a name that looks like a secret itself is left out.
struct ValuePointer: Sendable, Hashable {
    /// `/server/token`, `/items/3`; escaped. Empty for the whole file.
    let text: String
    /// The last name as the file spells it, cut after 128 bytes.
    let name: String
    /// The last name, in small letters.
    var key: String { name.lowercased() }

    private static let longestName = 64
    private static let longest = 512

    /// The whole file.
    static let root = ValuePointer(text: "", name: "")

    /// The value of a name.
    func member(_ name: String) -> ValuePointer {
        let start = String(decoding: name.utf8.prefix(128), as: UTF8.self)
        let isSecret = name.utf8.count > Self.longestName || SecretShape.isOpaque(name) || SecretShape.hasStrong(name)
        let shown = isSecret ? "…" : ByteText.escaped(Array(start.utf8))
        return ValuePointer(text: "\(base)/\(shown)", name: start)
    }

    /// A member by its position; it is for what the list is for.
    func member(_ position: Int) -> ValuePointer { ValuePointer(text: "\(base)/\(position)", name: name) }

    private var base: String { text.utf8.count > Self.longest ? "…" : text }
}
