package import TextOutput

/// What a command found or did, for a person and for programs.
package protocol Answer {
    /// Lines for a person.
    var text: String { get }
    /// Writes the fields of its one object.
    func write(_ json: inout JSONWriter)
}

extension Answer {
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

    var line: String { "  \(reason): \(path.isEmpty ? "the container" : ByteText.escaped(path))\n" }
}
