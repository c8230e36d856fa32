import SourceCode
import TextOutput

/// The places in the source code that write items, as text and JSON.
struct WrittenByText {
    private let index: CodeIndex
    /// The texts before the paths of each root's files.
    private let prefixes: [String]
    private let answers: [(path: [UInt8], answer: CodeAnswer)]

    init(_ index: CodeIndex, _ prefixes: [String], _ answers: [(path: [UInt8], answer: CodeAnswer)]) {
        (self.index, self.prefixes, self.answers) = (index, prefixes, answers)
    }

    /// False if a part of the source code was not read.
    var isComplete: Bool { index.summary.failures == 0 && !index.summary.isCut }

    /// The parts of the source code that were not read.
    var remarks: [String] {
        let summary = index.summary
        var remarks: [String] = []
        if summary.files == 0 { remarks.append("the source roots contain no source code.") }
        if summary.failures > 0 {
            remarks.append("\(Quantity.count(summary.failures, "item")) of the source code could not be read.")
        }
        if summary.isCut {
            remarks.append("the source code is too large to be read completely. Specify a smaller --source-root.")
        }
        return remarks
    }

    /// One block for each item.
    func text(style: Style) -> String {
        answers.map { path, answer in
            var text = "\(style.bold(ByteText.escaped(path)))\n"
            if let writer = answer.writer { text += "  written by \(writer)\n" }
            if answer.writer == nil, answer.places.isEmpty { text += "  no line is likely enough\n" }
            for place in answer.places {
                text += "  \(shown(place.path, place.root)):\(place.line)  \(Self.percent(place.confidence))\n"
                if let line = line(of: place) { text += "    \(style.dim(line))\n" }
                if let declaration = place.declaration {
                    text +=
                        "    = the name is declared at \(shown(declaration.path, declaration.root)):\(declaration.line)\n"
                }
            }
            return text
        }
        .joined(separator: "\n")
    }

    func json(to output: @escaping (String) -> Void) {
        var json = JSONWriter(to: output)
        json.object { json in
            json.field("schema", "sandboxlint-written-by/1")
            json.object("source") { json in
                json.field("files", index.summary.files)
                json.field("lines", index.summary.lines)
                json.field("skippedFiles", index.summary.skippedFiles)
                json.field("isComplete", isComplete)
            }
            json.array("items") { json in
                for (path, answer) in answers {
                    json.object { json in
                        json.field("path", ByteText.escaped(path))
                        json.field("writer", answer.writer)
                        json.array("places") { json in for place in answer.places { json.object { write(place, &$0) } }
                        }
                    }
                }
            }
        }
        output("\n")
    }

    private func write(_ place: CodePlace, _ json: inout JSONWriter) {
        json.field("file", shown(place.path, place.root))
        json.field("line", place.line)
        json.number("confidence", (place.confidence * 100).rounded() / 100)
        json.field("text", line(of: place))
        guard let declaration = place.declaration else { return }
        json.object("declaration") { json in
            json.field("file", shown(declaration.path, declaration.root))
            json.field("line", declaration.line)
        }
    }

    /// The text of a line without secrets, and without characters that control a terminal. A secret is replaced before the
    /// text is shortened, because the half of one has no form.
    private func line(of place: CodePlace) -> String? {
        guard let line = index.text(at: place.line, of: place.file) else { return nil }
        let text = CodeIndex.withoutRandomValues(ByteText.printable(line))
        return text.count > Self.longestLine ? text.prefix(Self.longestLine) + "…" : text
    }

    private static let longestLine = 160

    private func shown(_ path: [UInt8], _ root: Int) -> String {
        ByteText.printable(prefixes[root]) + ByteText.escaped(path)
    }

    private static func percent(_ value: Double) -> String { "\(Int((value * 100).rounded())) %" }
}
