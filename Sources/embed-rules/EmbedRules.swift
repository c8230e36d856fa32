import Foundation

/// `embed-rules FOLDER OUTPUT FILE…`: writes a Swift file that holds the texts of the files below the folder.
@main
struct EmbedRules {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else {
            FileHandle.standardError.write(Data("usage: embed-rules FOLDER OUTPUT FILE…\n".utf8))
            exit(2)
        }
        var source = "extension EmbeddedRules {\n    package static let files: [File] = [\n"
        for name in arguments.dropFirst(3) {
            let text = try String(contentsOfFile: "\(arguments[1])/\(name)", encoding: .utf8)
            // Raw, so that a rule's backslashes stay; the text's own end is kept by the closing line.
            source += "        File(path: #\"\(name)\"#, text: ###\"\"\"\n\(text)\n\"\"\"###),\n"
        }
        source += "    ]\n}\n"
        // Left alone when nothing has changed, so that nothing is compiled again.
        if (try? String(contentsOfFile: arguments[2], encoding: .utf8)) == source { return }
        try source.write(toFile: arguments[2], atomically: false, encoding: .utf8)
    }
}
