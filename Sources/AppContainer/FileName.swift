internal import FileSystem

/// Names of files for texts that are not names: keys, addresses and titles.
extension ContainerPath {
    /// The maximum length of a name in bytes. Source: NAME_MAX of Linux; APFS allows 255 UTF-8 bytes, too.
    static let longestName = 255

    /// Returns a name for a key, such as an address or an identifier, which may contain any characters.
    ///
    /// Different keys have different names, also on a volume that ignores case. A key whose name would have more than
    /// 255 bytes has a shortened one, which ends in a hash of 64 bits. Letters and digits remain readable:
    /// `https://example.com/a.jpg` is `https%3a%2f%2fexample.com%2fa.jpg`.
    public static func name(escaping key: String) -> String { EscapedName(key).text }

    /// Returns a name for a title that users read, such as the first line of a note.
    ///
    ///     let item = try container.freePath(for: .documents / ContainerPath.name(forTitle: title, extension: "txt"))
    ///
    /// Slashes and colons, which are separators for Apple's systems, become hyphens. Control characters and line ends
    /// become spaces, and spaces and dots at the ends are removed. The name has at most 255 bytes; a long title is cut
    /// between characters. Different titles may have one name.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - pathExtension: The extension without a dot. Empty for a name without an extension.
    /// - Returns: The name, which is `Untitled` for a title without visible characters.
    public static func name(forTitle title: String, extension pathExtension: String = "") -> String {
        var text = ""
        for character in title {
            if character == "/" || character == ":" || character == "\\" {
                text.append("-")
            } else if character.isNewline || character.unicodeScalars.contains(where: \.isInvisible) {
                if text.last != " " { text.append(" ") }
            } else {
                text.append(character)
            }
        }
        let suffix = pathExtension.isEmpty ? "" : "." + name(forTitle: pathExtension)
        let room = longestName - suffix.utf8.count
        text = text.trimmed()
        while text.utf8.count > max(1, room) { text.removeLast() }
        text = text.trimmed()
        return (text.isEmpty ? "Untitled" : text) + suffix
    }
}

extension Unicode.Scalar {
    /// True for control characters and marks of the direction of text.
    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        case .format: value != 0x200d  // joins emoji
        default: false
        }
    }
}

extension String {
    /// The text without spaces at its ends and dots at its start, which hide a file.
    fileprivate func trimmed() -> String {
        var text = self[...]
        while let first = text.first, first == "." || first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace || last == "." { text.removeLast() }
        return String(text)
    }
}

/// The name of a file for a key.
struct EscapedName: Hashable {
    /// The name.
    let text: String
    /// True if the key can be read from the name.
    let isWhole: Bool

    init(_ key: String) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(key.utf8.count)
        for byte in key.utf8 {
            switch byte {
            case 0x61...0x7a, 0x30...0x39, 0x2d, 0x5f: bytes.append(byte)
            // A dot at the start would hide the file.
            case 0x2e where !bytes.isEmpty: bytes.append(byte)
            case 0x41...0x5a: bytes += [0x5e, byte | 0x20]
            default: bytes += [0x25, Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
            }
        }
        if bytes.isEmpty { bytes = [0x25] }
        isWhole = bytes.count <= ContainerPath.longestName
        if !isWhole {
            let hash = String(Self.hash(of: key.utf8), radix: 16)
            bytes = bytes.prefix(200) + Array("%-\(String(repeating: "0", count: 16 - hash.count))\(hash)".utf8)
        }
        text = String(decoding: bytes, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)

    /// The FNV-1a hash of bytes. Source: Fowler, Noll, Vo; RFC 9923.
    private static func hash(of bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// Returns the key of a name, or nil for a name that was shortened or not made from a key.
    static func key(of name: UnsafeRawBufferPointer) -> String? {
        var bytes: [UInt8] = []
        var position = 0
        if name.count == 1, name[0] == 0x25 { return "" }
        while position < name.count {
            switch name[position] {
            case 0x25:
                guard position + 2 < name.count, let high = digits.firstIndex(of: name[position + 1]),
                    let low = digits.firstIndex(of: name[position + 2])
                else { return nil }
                bytes.append(UInt8(high << 4 | low))
                position += 3
            case 0x5e:
                guard position + 1 < name.count, (0x61...0x7a).contains(name[position + 1]) else { return nil }
                bytes.append(name[position + 1] & ~0x20)
                position += 2
            default:
                bytes.append(name[position])
                position += 1
            }
        }
        let key = String(decoding: bytes, as: UTF8.self)
        return EscapedName(key).text.utf8.elementsEqual(name) ? key : nil
    }
}
