/// The width of text in terminal columns, and text that is fitted to a width.
package enum Columns {
    /// The ranges of East Asian characters with two columns, including unassigned ones between them. Source: Unicode,
    /// EastAsianWidth.txt, W and F.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115f, 0x2329...0x232a, 0x2e80...0x303e, 0x3041...0xa4cf, 0xa960...0xa97c, 0xac00...0xd7a3,
        0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6b, 0xff01...0xff60, 0xffe0...0xffe6, 0x16fe0...0x18d08,
        0x1aff0...0x1b2fb, 0x1f1e6...0x1f265, 0x20000...0x3fffd,
    ]

    /// Returns the columns of text without escape sequences.
    package static func width(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + width($1) } }

    static func width(_ character: Character) -> Int {
        if character.isASCII { return 1 }
        let scalars = character.unicodeScalars
        // A terminal may display the parts of a joined emoji side by side, so each counts.
        return scalars.reduce(0) { $0 + width($1) }
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return scalar == "\u{fe0f}" ? 1 : 0
        case .format: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// Returns a name that fits in a number of columns. The middle of a longer name is omitted, and no escape (`%0A`)
    /// is split.
    package static func cut(_ name: String, to columns: Int) -> String {
        let units = units(name)
        guard units.reduce(0, { $0 + $1.width }) > columns else { return name }
        // The end is more useful than the start: it contains the name of the file.
        var (head, tail) = (max(0, columns - 1) / 3, max(0, columns - 1) - max(0, columns - 1) / 3)
        let start = units.prefix { unit in
            head -= unit.width
            return head >= 0
        }
        let end = units.reversed().prefix { unit in
            tail -= unit.width
            return tail >= 0
        }
        return start.map(\.text).joined() + "…" + end.reversed().map(\.text).joined()
    }

    /// Returns the start of a text that fits in a number of columns. A longer text ends with `…`.
    package static func start(of text: String, _ columns: Int) -> String {
        guard width(text) > columns else { return text }
        var room = columns - 1
        let start = units(text).prefix { unit in
            room -= unit.width
            return room >= 0
        }
        return columns < 1 ? "" : start.map(\.text).joined() + "…"
    }

    /// Returns lines of at most `columns`, broken at spaces if possible. Escape sequences have no width. Continuation
    /// lines are indented to the text of the first line.
    package static func folded(_ line: String, to columns: Int) -> String {
        let all = units(line)
        guard all.reduce(0, { $0 + $1.width }) > columns else { return line }
        let indent = indent(of: all, columns)
        var text = ""
        var column = 0
        var word: [Unit] = []
        var space = ""
        func isRoom(for width: Int) -> Bool { column + width <= columns }
        func begin() {
            text += "\n" + String(repeating: " ", count: indent)
            (column, space) = (indent, "")
        }
        func end() {
            let width = word.reduce(0) { $0 + $1.width }
            if !isRoom(for: space.count + width), column > indent { begin() }
            text += space
            column += space.count
            for unit in word {
                if !isRoom(for: unit.width) { begin() }
                text += unit.text
                column += unit.width
            }
            (word, space) = ([], "")
        }
        for unit in all {
            if unit.text == " " {
                if !word.isEmpty { end() }
                space += " "
            } else {
                word.append(unit)
            }
        }
        end()
        return text
    }

    /// Returns the column of the text in a line: after its first gap of two spaces, if that is near the start, else
    /// two.
    private static func indent(of units: [Unit], _ columns: Int) -> Int {
        let most = min(26, columns / 3)
        var column = 0
        var spaces = 0
        var hasText = false
        let lead = units.prefix { $0.text == " " }.count
        for unit in units {
            if hasText, spaces >= 2, unit.text != " ", unit.width > 0 {
                return column <= most ? column : min(lead + 2, most)
            }
            if unit.text == " " {
                spaces += 1
            } else if unit.width > 0 {
                (spaces, hasText) = (0, true)
            }
            column += unit.width
        }
        return min(lead + 2, most)
    }

    private typealias Unit = (text: String, width: Int)

    /// Returns the characters of a line. The escape of a byte and a terminal escape sequence are one unit.
    private static func units(_ text: String) -> [Unit] {
        var units: [Unit] = []
        var rest = Substring(text)
        while let first = rest.first {
            var length = 1
            if first == "\u{1b}" {
                length = escapeLength(rest)
                units.append((String(rest.prefix(length)), 0))
            } else if first == "%", rest.dropFirst().prefix(2).filter(\.isHexDigit).count == 2 {
                length = 3
                units.append((String(rest.prefix(3)), 3))
            } else {
                units.append((String(first), width(first)))
            }
            rest = rest.dropFirst(length)
        }
        return units
    }

    /// CSI ends with a letter, OSC with ESC and `\`. Source: ECMA-48, 5.4 and 8.3.89.
    private static func escapeLength(_ text: Substring) -> Int {
        if text.dropFirst().first == "]", let end = text.firstRange(of: "\u{1b}\\") {
            return text.distance(from: text.startIndex, to: end.upperBound)
        }
        guard let end = text.dropFirst(2).firstIndex(where: \.isLetter) else { return 1 }
        return text.distance(from: text.startIndex, to: end) + 1
    }
}
