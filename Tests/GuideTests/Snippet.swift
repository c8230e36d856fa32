import Foundation

/// Lines of Swift code, as a document shows them or as a test compiles and runs them.
///
/// In a test they are between `// shown in <file>` and `// end`.
struct Snippet: Hashable {
    /// The name of the file that shows it.
    let file: String
    /// The first line, from 1, in the document or the test.
    let line: Int
    /// The lines without their common indentation.
    let text: String

    static let opening = "// shown in "
    static let closing = "// end"

    init(file: String, line: Int, lines: [String]) {
        self.file = file
        self.line = line
        let isBlank = { (line: String) in line.allSatisfy(\.isWhitespace) }
        let indentation = lines.filter { !isBlank($0) }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        text = lines.map { isBlank($0) ? "" : String($0.dropFirst(indentation)) }.joined(separator: "\n")
    }

    /// Returns the blocks of a Markdown file that are Swift or have no language.
    static func fenced(in markdown: String, file: String) -> [Snippet] {
        var found: [Snippet] = []
        var open: (language: String, line: Int, lines: [String])?
        for (index, line) in lines(markdown) {
            guard line.hasPrefix("```") else {
                open?.lines.append(line)
                continue
            }
            if let block = open, block.language.isEmpty || block.language == "swift" {
                found.append(Snippet(file: file, line: block.line, lines: block.lines))
            }
            open = open == nil ? (String(line.dropFirst(3)), index + 1, []) : nil
        }
        return found
    }

    /// Returns the code blocks of the documentation comments in a Swift file: indented lines after an empty one.
    static func documented(in source: String, file: String) -> [Snippet] {
        var found: [Snippet] = []
        var block: (line: Int, lines: [String])?
        var isAfterBlank = false
        for (index, line) in lines(source) {
            let trimmed = line.drop { $0 == " " }
            if trimmed.hasPrefix("///     "), block != nil || isAfterBlank {
                block = block ?? (index, [])
                block?.lines.append(String(trimmed.dropFirst(3)))
                continue
            }
            if let block { found.append(Snippet(file: file, line: block.line, lines: block.lines)) }
            block = nil
            isAfterBlank = trimmed.hasPrefix("///") && trimmed.dropFirst(3).allSatisfy(\.isWhitespace)
        }
        return found
    }

    /// Returns the blocks that a test file marks as shown.
    static func marked(in source: String) -> [Snippet] {
        var found: [Snippet] = []
        var open: (file: String, line: Int, lines: [String])?
        for (index, line) in lines(source) {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if trimmed.hasPrefix(opening) {
                open = (String(trimmed.dropFirst(opening.count)), index + 1, [])
            } else if trimmed == closing, let block = open {
                found.append(Snippet(file: block.file, line: block.line, lines: block.lines))
                open = nil
            } else {
                open?.lines.append(line)
            }
        }
        return found
    }

    /// Returns the shown code that no test compiles and the marked code that is not shown, with file and line.
    static func complaints(shown: [Snippet], marked: [Snippet]) -> [String] {
        let (known, used) = (Set(marked.map(\.content)), Set(shown.map(\.content)))
        return shown.filter { !known.contains($0.content) }.map {
            "\($0.file):\($0.line) shows what no test compiles and runs:\n\($0.text)"
        }
            + marked.filter { !used.contains($0.content) }.map {
                "\($0.file) does not show what a test marks as its own, in line \($0.line) of the test:\n\($0.text)"
            }
    }

    private var content: [String] { [file, text] }

    private static func lines(_ text: String) -> [(Int, String)] {
        text.components(separatedBy: "\n").enumerated().map { ($0.offset + 1, $0.element) }
    }
}
