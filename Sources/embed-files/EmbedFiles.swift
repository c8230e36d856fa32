import Foundation

/// `embed-files FOLDER OUTPUT FILE…`: writes a Swift file with the texts of files below the folder.
@main
struct EmbedFiles {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else {
            FileHandle.standardError.write(Data("usage: embed-files FOLDER OUTPUT FILE…\n".utf8))
            exit(2)
        }
        var source = "extension EmbeddedFiles {\n    package static let files: [File] = [\n"
        for name in arguments.dropFirst(3) {
            let text = try String(contentsOfFile: "\(arguments[1])/\(name)", encoding: .utf8)
            // A raw string keeps backslashes. The line break before the delimiter is not part of the text.
            source += "        File(path: #\"\(name)\"#, text: ###\"\"\"\n\(text)\n\"\"\"###),\n"
        }
        source += "    ]\n}\n"
        // An unchanged file is not written, so that it is not compiled again.
        if (try? String(contentsOfFile: arguments[2], encoding: .utf8)) == source { return }
        try source.write(toFile: arguments[2], atomically: false, encoding: .utf8)
    }
}
