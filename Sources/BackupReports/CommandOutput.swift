internal import BackupRepository
package import TextOutput

/// What a command found or did, for a person and for programs.
package protocol CommandOutput {
    /// Lines for a person.
    var text: String { get }
    /// Writes the fields of its one object.
    func write(_ json: inout JSONWriter)
}

/// An answer about many items, some of which may not be as they should.
package protocol ItemizedOutput: CommandOutput {
    /// The fields of each of these.
    var problems: [(inout JSONWriter) -> Void] { get }
    /// Whether there is nothing of which one is told who wants to hear only what is not as it should be.
    var isClean: Bool { get }
    /// Writes the fields of the one object that are about none of them.
    func writeSummary(_ json: inout JSONWriter)
    /// Writes it as lines: one `{"error": {…}}` for each problem, then `{"summary": {…}}`.
    func lines(to output: @escaping (String) -> Void)
}

extension ItemizedOutput {
    package var isClean: Bool { problems.isEmpty }

    package func lines(to output: @escaping (String) -> Void) {
        for problem in problems { Self.line("error", to: output, problem) }
        Self.line("summary", to: output, writeSummary)
    }

    static func line(
        _ key: String, to output: @escaping (String) -> Void, _ fields: (inout JSONWriter) -> Void
    ) {
        var json = JSONWriter(to: output)
        json.object { $0.object(key, fields) }
        output("\n")
    }
}

extension CommandOutput {
    /// It as one JSON object on a line of its own.
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

    /// Lines for a person, below what they have in common; nothing where there are none.
    static func lines(_ incidents: [Self], under heading: String = "") -> String {
        incidents.isEmpty ? "" : incidents.reduce(into: heading) { $0 += $1.line }
    }
}

extension JSONWriter {
    mutating func incidents(_ key: String, _ incidents: [Snapshot.Incident]) {
        array(key) { json in for incident in incidents { json.object { incident.write(&$0) } } }
    }
}
