package import StoragePolicy
internal import TextOutput

/// An anonymous layout as a JSON object: one line for each file of the container, with path, time and size.
package struct LayoutText {
    private let layout: AnonymousLayout

    package init(_ layout: AnonymousLayout) { self.layout = layout }

    /// Writes the JSON piece by piece.
    package func write(to output: (String) -> Void) {
        output("{\(JSONText.quoted(layout.name)): [")
        for (index, entry) in layout.entries.enumerated() {
            let path = JSONText.quoted(String(decoding: entry.path, as: UTF8.self))
            output("\(index == 0 ? "" : ",")\n  [\(path), \(entry.modified), \(entry.bytes)]")
        }
        output("\n]}\n")
    }

    /// Sentences about omitted files, for standard error.
    package var remarks: [String] {
        var remarks: [String] = []
        if layout.others > 0 {
            remarks.append("\(Quantity.count(layout.others, "link or special file")) left out")
        }
        if layout.dropped > 0 {
            remarks.append("\(Quantity.count(layout.dropped, "file")) beyond the limit left out")
        }
        for incident in layout.incidents {
            let path = incident.path.isEmpty ? "the container" : "“\(incident.displayPath)”"
            remarks.append("cannot read \(path): \(incident.reason.rawValue); its files are left out")
        }
        return remarks
    }

    /// Returns true if every file of the container is in the layout.
    package var isComplete: Bool { layout.dropped == 0 && layout.incidents.isEmpty }
}
