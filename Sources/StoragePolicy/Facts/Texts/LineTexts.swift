/// Finds `name = value` and `name: value` in a text of lines, as settings are written by hand (INI, YAML, shell).
enum LineTexts {
    /// The name extensions of such files.
    static let extensions = ["ini", "cfg", "conf", "env", "yml", "yaml", "toml", "props", "settings", "strings"]
        .compactMap(PathExtension.word)

    /// Shows each value, without its quotation marks, until `show` says that it is enough.
    static func visit(_ bytes: [UInt8], show: (ValuePointer, String) -> Bool) {
        var (start, number) = (0, 0)
        while start < bytes.count {
            let end = bytes[start...].firstIndex { $0 == 0x0a || $0 == 0x0d } ?? bytes.count
            number += 1
            if end > start, end - start <= TextValuesFact.longest,
                let found = Self.pair(bytes[start..<end], number), !show(found.pointer, found.text)
            {
                return
            }
            // One line's end may be two bytes.
            start = end + (bytes[end...].starts(with: [0x0d, 0x0a]) ? 2 : 1)
        }
    }

    private static func pair(_ line: ArraySlice<UInt8>, _ number: Int) -> (pointer: ValuePointer, text: String)? {
        guard let sign = line.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }) else {
            return nil
        }
        let value = trimmed(line[(sign + 1)...])
        guard !value.isEmpty else { return nil }
        let name = ValuePointer.root.member(trimmed(line[..<sign]))
        return (ValuePointer(text: "line \(number)\(name.text)", name: name.name), value)
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        let isMargin: (UInt8) -> Bool = { $0 <= 0x20 || "\"';,".utf8.contains($0) }
        var rest = bytes.drop(while: isMargin)
        while let last = rest.last, isMargin(last) { rest.removeLast() }
        return String(decoding: rest, as: UTF8.self)
    }
}
