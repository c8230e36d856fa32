internal import FileSystem

/// Escaped line breaks in messages: a line of its own could be a command to a log reader, such as `::error::` on GitHub.
package enum LineBreaks {
    /// Returns a text on one line. Names in it may contain line breaks.
    package static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { line, scalar in
            switch scalar {
            case "\n": line += "%0A"
            case "\r": line += "%0D"
            default: line.unicodeScalars.append(scalar)
            }
        }
    }

    /// Returns a message of the argument parser, which has several lines itself, with the line breaks of arguments
    /// escaped.
    package static func escapedInArguments(_ text: String) -> String {
        var text = text
        for argument in Invocation.current.arguments {
            let value = argument.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
            for part in [argument, value] where part.unicodeScalars.contains(where: { $0 == "\n" || $0 == "\r" }) {
                text = text.replacing(part, with: escaped(part))
            }
        }
        return text
    }
}
