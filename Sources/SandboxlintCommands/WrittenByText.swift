import SourceCode
import TextOutput

/// The places in the source code that write items, as text and JSON.
struct WrittenByText {
    private let source: AppSource
    private let answers: [(path: [UInt8], answer: CodeAnswer)]

    /// Searches the source code for some items.
    init(_ source: AppSource, paths: [[UInt8]]) {
        self.source = source
        source.search(for: paths)
        answers = paths.compactMap { path in source.answer(for: path).map { (path, $0) } }
    }

    /// False if a part of the source code was not read.
    var isComplete: Bool { source.isComplete }

    /// The parts of the source code that were not read.
    var remarks: [String] {
        let isEmpty = source.index?.summary.files == 0 && !source.roots.isSelected
        return source.remarks + (isEmpty ? ["the source roots contain no source code."] : [])
    }

    /// One block for each item.
    func text(style: Style) -> String {
        answers.map { path, answer in
            var text = "\(style.bold(ByteText.escaped(path)))\n"
            if let writer = answer.writer { text += "  written by \(writer)\n" }
            if answer.writer == nil, answer.places.isEmpty { text += "  no line is likely enough\n" }
            for place in answer.places {
                text += "  \(shown(place.path, root: place.root)):\(place.line)  \(Self.percent(place.confidence))\n"
                if let line = source.text(of: place) { text += "    \(style.dim(line))\n" }
                if let declaration = place.declaration {
                    text +=
                        "    = the name is declared at \(shown(declaration.path, root: declaration.root)):\(declaration.line)\n"
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
                json.field("files", source.index?.summary.files ?? 0)
                json.field("lines", source.index?.summary.lines ?? 0)
                json.field("skippedFiles", source.index?.summary.skippedFiles ?? 0)
                json.field("isComplete", isComplete)
            }
            json.array("items") { json in
                for (path, answer) in answers {
                    json.object { json in
                        json.field("path", ByteText.escaped(path))
                        json.field("writer", answer.writer)
                        json.array("places") { json in
                            for place in answer.places { json.object { write(place, into: &$0) } }
                        }
                    }
                }
            }
        }
        output("\n")
    }

    private func write(_ place: CodePlace, into json: inout JSONWriter) {
        json.field("file", shown(place.path, root: place.root))
        json.field("line", place.line)
        json.number("confidence", (place.confidence * 100).rounded() / 100)
        json.field("text", source.text(of: place))
        guard let declaration = place.declaration else { return }
        json.object("declaration") { json in
            json.field("file", shown(declaration.path, root: declaration.root))
            json.field("line", declaration.line)
        }
    }

    /// The path of a file as the user can open it: below the directory that was specified.
    private func shown(_ path: [UInt8], root: Int) -> String {
        let directory = source.roots.roots[root].specified
        let isHere = ["", ".", "./"].contains(directory)
        return (isHere ? "" : ByteText.printable(directory.hasSuffix("/") ? directory : directory + "/"))
            + ByteText.escaped(path)
    }

    private static func percent(_ value: Double) -> String { "\(Int((value * 100).rounded())) %" }
}
