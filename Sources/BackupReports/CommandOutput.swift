internal import BackupPlan
internal import BackupRepository
package import TextOutput

/// The result of a command as text and as JSON.
package protocol CommandOutput {
    /// The result as lines of text.
    var text: String { get }
    /// Writes the fields of the JSON object.
    func write(_ json: inout JSONWriter)
}

/// A result about many items, some of which may have problems.
package protocol ItemizedOutput: CommandOutput {
    /// The JSON fields of each problem.
    var problems: [(inout JSONWriter) -> Void] { get }
    /// True if there is nothing to print with `--quiet`.
    var isClean: Bool { get }
    /// Writes the fields of the JSON object that do not belong to single problems.
    func writeSummary(_ json: inout JSONWriter)
    /// Writes one line `{"error": {…}}` per problem, then `{"summary": {…}}`.
    func lines(to output: @escaping (String) -> Void)
}

extension ItemizedOutput {
    package var isClean: Bool { problems.isEmpty }

    package func lines(to output: @escaping (String) -> Void) {
        for problem in problems { Self.line("error", to: output, fields: problem) }
        Self.line("summary", to: output, fields: writeSummary)
    }

    static func line(
        _ key: String, to output: @escaping (String) -> Void, fields: (inout JSONWriter) -> Void
    ) {
        var json = JSONWriter(to: output)
        json.object { $0.object(key, fields) }
        output("\n")
    }
}

extension CommandOutput {
    /// Writes the result as one JSON object on one line.
    package func json(to output: @escaping (String) -> Void) {
        var writer = JSONWriter(to: output)
        writer.object { write(&$0) }
        output("\n")
    }
}

extension Snapshot.Incident {
    func write(_ json: inout JSONWriter) {
        json.field("path", ByteText.escaped(path))
        json.field("reason", reason)
    }

    private var line: String { "  \(reason): \(path.isEmpty ? "the container" : ByteText.escaped(path))\n" }

    /// The heading of the items that an incomplete snapshot lacks.
    static let missingHeading = "the snapshot is incomplete; not in it, or not as in the container:\n"

    /// Returns one line of text per incident below a heading, or nothing without incidents.
    static func lines(_ incidents: [Self], under heading: String = "") -> String {
        incidents.isEmpty ? "" : incidents.reduce(into: heading) { $0 += $1.line }
    }
}

extension Loss {
    /// Returns one line of text per loss.
    static func lines(_ losses: [Self]) -> String {
        losses.reduce(into: "") { text, loss in
            let (noun, reason) =
                switch loss.property {
                case .accessList: ("the access control list", "no snapshot has it")
                case .owner: ("the owner", "only root can set it")
                case .mode: ("a part of the mode", "it would grant other rights without the owner")
                }
            let example = loss.example.isEmpty ? "the container" : ByteText.escaped(loss.example)
            text += "not kept: \(noun) of \(Quantity.count(loss.items, "item")), such as \(example); \(reason)\n"
        }
    }
}

extension JSONWriter {
    mutating func losses(_ losses: [Loss]) {
        array("losses") { json in
            for loss in losses {
                json.object { json in
                    json.field("property", loss.property.rawValue)
                    json.field("items", loss.items)
                    json.field("example", ByteText.escaped(loss.example))
                }
            }
        }
    }

    mutating func incidents(_ key: String, incidents: [Snapshot.Incident]) {
        array(key) { json in for incident in incidents { json.object { incident.write(&$0) } } }
    }
}
