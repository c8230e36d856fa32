internal import TextOutput

/// An error in a configuration or rule file, with its position, its line and a suggestion.
public struct SourceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file as given.
    public let file: String
    /// The line, from 1.
    public let line: Int
    /// The column, from 1.
    public let column: Int
    /// The problem, in one sentence.
    public let message: String
    /// The nearest name that would have been right.
    public let suggestion: String?
    /// A reference to the allowed values, in one sentence.
    public let help: String
    /// The line; nil where it is not to be shown.
    private var excerpt: String?
    private let width: Int
    /// The value that has the error; nil if it is not a value of a file.
    package var origin: Origin?

    /// The reference to the formats of files.
    package static let formatHelp =
        "`sandboxlint rules schema config` and `sandboxlint rules schema rule` describe the format."

    /// A value of a file.
    package struct Origin: Hashable, Sendable {
        /// The node of the value, by its offset in the tree of the file.
        package let node: Int
        /// The key that the mapping lacks; nil for another error.
        let missingKey: String?
    }

    package init(
        file: String, text: String, line: Int, column: Int, width: Int = 1, _ message: String,
        suggestion: String? = nil,
        help: String = SourceError.formatHelp
    ) {
        self.file = file
        self.line = line
        self.column = column
        // It may show what stands in the file.
        self.message = ByteText.printable(message)
        self.suggestion = suggestion
        self.help = help
        self.width = max(1, width)
        let lines = text.split(separator: "\n", maxSplits: max(0, line), omittingEmptySubsequences: false)
        let excerpt = line >= 1 && line <= lines.count ? ByteText.printable(lines[line - 1].prefix(160)) : ""
        self.excerpt = text.isEmpty ? nil : excerpt
    }

    /// The same error without the line, for a file that the user did not name.
    package var withoutLine: SourceError {
        var error = self
        error.excerpt = nil
        return error
    }

    /// `file:line:column`, the message, the line with a caret under the position if it may be shown, and the suggestion.
    public var description: String {
        var text = "\(ByteText.printable(file)):\(line):\(column): \(message)"
        if let excerpt { text += "\n" + Self.marked(excerpt, line: line, column: column, width: width) }
        if let suggestion { text += (excerpt == nil ? ";" : "") + " did you mean “\(suggestion)”?" }
        return text
    }

    /// A line with its number, and a caret under the position.
    private static func marked(_ excerpt: String, line: Int, column: Int, width: Int) -> String {
        let number = String(line)
        let margin = String(repeating: " ", count: number.count)
        let caret = String(repeating: " ", count: max(0, column - 1)) + String(repeating: "^", count: width)
        return "\(number) | \(excerpt)\n\(margin) | \(caret)"
    }
}

/// A position in a configuration or rule file, or in a command-line option.
package struct SourcePosition: Sendable {
    /// The file as given, or the option.
    package let file: String
    package let text: String
    /// From 1.
    package let line: Int
    package let column: Int
    package let width: Int
    /// The reason why nothing of the file may be printed, as the end of a sentence; nil if it may be.
    package var hiding: String?

    package init(file: String, text: String, line: Int, column: Int, width: Int, hiding: String? = nil) {
        (self.file, self.text, self.hiding) = (file, text, hiding)
        (self.line, self.column, self.width) = (line, column, width)
    }

    /// True for a command-line option.
    package var isOption: Bool { file.hasPrefix("--") }

    /// An error there. If the file is hidden, neither the message nor the suggestion is used: they may quote the file.
    package func error(_ message: String, suggestion: String? = nil) -> SourceError {
        if let hiding {
            return SourceError(
                file: file, text: "", line: line, column: column, "this is not valid in a configuration",
                help:
                    "The line is not printed, because \(hiding); `sandboxlint config show --config` with its own path "
                    + "prints it.")
        }
        return SourceError(
            file: file, text: text, line: line, column: column, width: width, message, suggestion: suggestion)
    }

    /// An error there, with a message that quotes nothing of the file.
    package func plainError(_ message: String) -> SourceError {
        SourceError(file: file, text: hiding == nil ? text : "", line: line, column: column, width: width, message)
    }
}

extension SourcePosition {
    /// The file without the directories that are this machine's, and the line; or the option.
    package var shortName: String {
        isOption ? file : "\(ByteText.printable(file.split(separator: "/").last ?? "")):\(line)"
    }
    /// The identifier of the position.
    package var identity: String { "\(file):\(line):\(column)" }
}
