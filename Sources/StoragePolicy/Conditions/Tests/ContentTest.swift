internal import ContainerTree
internal import FileSystem

/// `content: text`: the file's first bytes are those of a text: some, and no control characters but those of lines and
/// terminals. `content: unavailable`: the content is missing from the input or encrypted, which becomes an incident.
struct ContentTest: Test {
    static let key = "content"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case text, unavailable }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("content", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .filled }

    func holds(for subject: inout Subject) -> Bool {
        word == .text ? isText(subject) : subject.facts[UnavailableContentFact.self]
    }

    private func isText(_ subject: Subject) -> Bool {
        guard subject.item.status.kind == .file, subject.item.status.size > 0,
            let first = subject.facts[FirstBytesFact.self]
        else { return false }
        return !first.isEmpty && first.allSatisfy { $0 >= 0x20 && $0 != 0x7f || Self.controls.contains($0) }
    }

    /// Tab, line feed, form feed, carriage return, escape.
    private static let controls: [UInt8] = [0x09, 0x0a, 0x0c, 0x0d, 0x1b]
}
