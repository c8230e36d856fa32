internal import StoragePolicy
internal import TextOutput

/// The remedies of a rule in Swift, for the formats that document rules.
struct RemedyText {
    private let remedies: [SwiftRemedy]

    init(_ remedies: [SwiftRemedy]) { self.remedies = remedies }

    /// The title of each remedy and its code for each module; empty without remedies.
    func text(style: Style) -> String {
        guard !remedies.isEmpty else { return "" }
        return "\n\(style.bold("In Swift"))\n"
            + remedies.map { remedy in
                "  \(remedy.title)\n"
                    + remedy.codes.map { code in
                        let lines = code.text.split(separator: "\n", omittingEmptySubsequences: false)
                        return "    \(style.dim("with \(code.module):"))\n" + lines.map { "      \($0)\n" }.joined()
                    }.joined()
            }.joined(separator: "\n")
    }

    /// A section of the Markdown documentation; empty without remedies.
    var markdown: String {
        remedies.isEmpty ? "" : "\n**In Swift**\n\n" + remedies.map(\.markdown).joined(separator: "\n")
    }

    /// An array of objects with the title and the code for each module.
    func json(_ key: String, in json: inout JSONWriter) {
        json.array(key) { json in
            for remedy in remedies {
                json.object { json in
                    json.field("title", remedy.title)
                    json.array("code") { json in
                        for code in remedy.codes {
                            json.object { json in
                                json.field("module", code.module)
                                json.field("text", code.text)
                            }
                        }
                    }
                }
            }
        }
    }
}
