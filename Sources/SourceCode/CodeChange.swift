internal import FileSystem
internal import TextOutput

/// A change of a line of Swift, for a person to apply by hand. The texts contain no secrets.
package struct CodeChange: Sendable, Hashable {
    /// The effect of a change.
    package enum Effect: Sendable, Hashable {
        /// The item is in Library/Caches.
        case caches
        /// The item is excluded from backup.
        case excluded
        /// The item is included in backups again.
        case included
    }

    /// The line of the file, from 1.
    package let line: Int
    /// The text of the line.
    package let old: String
    /// The lines in its place.
    package let new: [String]
}

extension AppSource {
    /// Lines above and below a place in which the directory of its item and the call that writes it are searched.
    private static let nearby = 20

    /// Returns the first of some changes that the code at a place has room for; nil for other languages than Swift.
    package func change(at place: CodePlace, for effects: [CodeChange.Effect]) -> CodeChange? {
        guard String(decoding: place.path.suffix(6), as: UTF8.self) == ".swift", let index else { return nil }
        return effects.lazy.compactMap { effect in
            switch effect {
            case .caches: self.caches(at: place, in: index.files[place.file])
            case .excluded: self.excluded(at: place, in: index.files[place.file])
            case .included: self.included(at: place, in: index.files[place.file])
            }
        }.first
    }

    /// The constants of directories that backups include, with those of Library/Caches.
    private static let directories: KeyValuePairs = [
        ".documentDirectory": ".cachesDirectory", ".documentsDirectory": ".cachesDirectory",
        ".applicationSupportDirectory": ".cachesDirectory",
    ]

    private func caches(at place: CodePlace, in file: CodeFile) -> CodeChange? {
        for line in lines(of: [.documents, .support], in: file, near: place) {
            guard let text = text(at: line, of: place.file) else { continue }
            for (directory, caches) in Self.directories where text.contains(directory) {
                return CodeChange(line: line, old: text, new: [text.replacing(directory, with: caches)])
            }
        }
        return nil
    }

    private func included(at place: CodePlace, in file: CodeFile) -> CodeChange? {
        for line in lines(of: [.excludes], in: file, near: place) {
            guard let text = text(at: line, of: place.file), let range = text.range(after: "isExcludedFromBackup"),
                let value = text[range...].firstRange(of: "true")
            else { continue }
            return CodeChange(line: line, old: text, new: [text.replacingCharacters(in: value, with: "false")])
        }
        return nil
    }

    /// Returns the change that excludes what a line writes, after that line.
    private func excluded(at place: CodePlace, in file: CodeFile) -> CodeChange? {
        for line in [place.line] + lines(of: [.writes], in: file, near: place).filter({ $0 > place.line }) {
            guard let text = text(at: line, of: place.file), let url = Self.writtenURL(in: text) else { continue }
            return CodeChange(
                line: line, old: text,
                new: [
                    text, "var item = \(url)", "var values = URLResourceValues()", "values.isExcludedFromBackup = true",
                    "try item.setResourceValues(values)",
                ])
        }
        return nil
    }

    /// The lines with calls or constants of these meanings near a place, the nearest first.
    private func lines(of meanings: [CodeMeaning], in file: CodeFile, near place: CodePlace) -> [Int] {
        func distance(_ line: Int) -> Int { abs(line - place.line) }
        let lines = Set(file.mentions.lazy.filter { meanings.contains($0.meaning) }.map { Int($0.line) })
        return lines.filter { distance($0) <= Self.nearby }.sorted { (distance($0), $0) < (distance($1), $1) }
    }

    /// Returns the expression of the URL that a line of Swift writes to; nil without a call that writes.
    static func writtenURL(in text: String) -> String? {
        for (call, before) in [("write(to:", ""), ("createDirectory(at:", ""), ("createFile(atPath:", "path")] {
            guard let start = text.range(after: call), let expression = argument(text[start...]) else { continue }
            if before == "path" { return "URL(fileURLWithPath: \(expression))" }
            return expression.hasPrefix(".") ? "URL\(expression)" : expression
        }
        guard let move = text.firstRange(of: "Item(at:"),
            let start = text[move.upperBound...].firstRange(of: "to:")?.upperBound
        else { return nil }
        return argument(text[start...])
    }

    /// Returns the argument at the start of a text: up to a comma or the end of the call.
    private static func argument(_ text: Substring) -> String? {
        var (depth, isText, previous) = (0, false, Character(" "))
        for index in text.indices {
            defer { previous = text[index] }
            if text[index] == "\"", previous != "\\" { isText.toggle() }
            guard !isText else { continue }
            switch text[index] {
            case "(", "[", "{": depth += 1
            case ")" where depth == 0, "," where depth == 0:
                let argument = text[..<index].trimmed
                return argument.isEmpty ? nil : argument
            case ")", "]", "}": depth -= 1
            default: break
            }
        }
        return nil
    }
}

extension String {
    /// The end of the first occurrence of a text.
    fileprivate func range(after text: String) -> String.Index? { firstRange(of: text)?.upperBound }

    fileprivate func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
        String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var rest = self
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
