import Foundation
import YAMLFiles

/// `embed-files FOLDER OUTPUT FILE…`: writes a Swift file with the texts of files below the folder, and with the trees of
/// those that are YAML.
///
/// The texts are in a function that no other module sees, so that a changed text compiles one module only.
@main
struct EmbedFiles {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else { fail("usage: embed-files FOLDER OUTPUT FILE…") }
        var source = """
            extension EmbeddedFiles {
                @inline(never) static func contents() -> [(path: String, text: String, tree: String)] {
                    [

            """
        for name in arguments.dropFirst(3) {
            let path = "\(arguments[1])/\(name)"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            // A raw string keeps backslashes. The line break before the delimiter is not part of the text.
            source += "(path: #\"\(name)\"#, text: ###\"\"\"\n\(text)\n\"\"\"###, tree: \"\(tree(of: text, path))\"),\n"
        }
        source += "        ]\n    }\n}\n"
        // An unchanged file is not written, so that it is not compiled again.
        if (try? String(contentsOfFile: arguments[2], encoding: .utf8)) == source { return }
        try source.write(toFile: arguments[2], atomically: false, encoding: .utf8)
    }

    /// Returns the tree of a YAML file as the content of a string literal; nothing for other files.
    private static func tree(of text: String, _ path: String) -> String {
        guard path.hasSuffix(".yml") else { return "" }
        do throws(YAMLTree.Problem) {
            return String(decoding: try YAMLTree(text).bytes, as: UTF8.self).unicodeScalars.reduce(into: "") {
                switch $1 {
                case "\"", "\\": $0 += "\\\($1)"
                case " "..<"\u{7f}", "\u{a1}"...: $0.unicodeScalars.append($1)
                default: $0 += "\\u{\(String($1.value, radix: 16))}"
                }
            }
        } catch { fail("\(path):\(error.line):\(error.column): error: \(error.message)") }
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(2)
    }
}
