internal import FileSystem
internal import TextOutput

/// The new names of several items, each in its directory.
///
/// `OLD/NEW` replaces a text in each name; no name contains a slash. Otherwise the text is the new name: `*` is the old name, and
/// `#` the number of the item, from 1, with at least as many digits as there are `#`. The extension of a file is kept.
package struct RenamePattern: Sendable, Hashable {
    private enum Form: Hashable {
        case replacement(old: [UInt8], new: [UInt8])
        case parts([Part])
    }

    private enum Part: Hashable {
        case text([UInt8])
        case name
        case number(digits: Int)
    }

    private let form: Form

    /// - Parameter text: The pattern, escaped as in lists.
    /// - Throws: `usage` for an empty text, one that begins with a slash, and one with several.
    package init(_ text: String) throws(ExplorerError) {
        let bytes = ByteText.unescaped(text)
        let sides = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        switch sides.count {
        case 1 where !bytes.isEmpty: form = .parts(Self.parts(of: bytes))
        case 2 where !sides[0].isEmpty: form = .replacement(old: Array(sides[0]), new: Array(sides[1]))
        default:
            throw ExplorerError(
                .usage,
                description:
                    "“\(text.printable)” is no pattern for names. Use OLD/NEW to replace a text in each name, or a new name "
                    + "with * for the old name and # for the number.")
        }
    }

    private static func parts(of bytes: [UInt8]) -> [Part] {
        var parts: [Part] = []
        for byte in bytes {
            switch (byte, parts.last) {
            case (UInt8(ascii: "*"), _): parts.append(.name)
            case (UInt8(ascii: "#"), .number(let digits)): parts[parts.count - 1] = .number(digits: digits + 1)
            case (UInt8(ascii: "#"), _): parts.append(.number(digits: 1))
            case (_, .text(let text)): parts[parts.count - 1] = .text(text + [byte])
            default: parts.append(.text([byte]))
            }
        }
        return parts
    }

    /// Returns the new name of an item.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - number: The number of the item.
    ///   - isDirectory: True for a directory, which has no extension.
    /// - Returns: The name, which may be none that an item can have.
    func name(for name: [UInt8], number: Int, isDirectory: Bool) -> [UInt8] {
        switch form {
        case .replacement(let old, let new): return name.replacing(old, with: new)
        case .parts(let parts):
            let end = isDirectory ? name.count : Self.startOfExtension(name)
            return parts.flatMap { part in
                switch part {
                case .text(let text): text
                case .name: Array(name[..<end])
                case .number(let digits):
                    Array((String(repeating: "0", count: max(0, digits - "\(number)".count)) + "\(number)").utf8)
                }
            } + name[end...]
        }
    }

    /// Returns the position of the dot before an extension of up to ten letters and digits, or the end.
    private static func startOfExtension(_ name: [UInt8]) -> Int {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, (1...10).contains(name.count - dot - 1),
            name[(dot + 1)...].allSatisfy({
                (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0)
            })
        else { return name.count }
        return dot
    }
}
