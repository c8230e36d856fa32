internal import StoragePolicy

/// A recorder of the questions of a parser, so that a schema contains exactly what the parser accepts.
///
/// A parser is run several times. A key that it asked for and does not require is missing in later passes, so that the
/// parser asks for the alternatives. If it asks whether a value is a mapping, the answer is yes, then no.
final class SchemaRecorder: ValueRecorder {
    private static let passes = 12

    /// Every form that was asked for, in the order of asking.
    private(set) var forms: [ValueForm] = []
    private(set) var members: [String: SchemaRecorder] = [:]
    private(set) var requiredKeys: Set<String> = []
    /// The values of keys that are not known beforehand.
    private(set) var openValue: SchemaRecorder?
    private(set) var listElement: SchemaRecorder?
    /// The purpose of each key.
    var summaries: [String: String] = [:]
    /// An example of each key.
    var examples: [String: JSONValue] = [:]
    private var shapesToTry: [ValueShape] = []
    private var wasAskedShape = false
    private var wasAsked = false
    /// The text that stands for it.
    let text = "x"

    /// Records the questions of a parser about a value and its content.
    static func record(_ parse: (YAMLValue) throws(SourceError) -> Void) -> SchemaRecorder {
        let recorder = SchemaRecorder()
        for _ in 0..<passes {
            // A parser that is not content with what stands for a value has asked its questions all the same.
            do throws(SourceError) { try parse(YAMLValue(recording: recorder)) } catch {}
            recorder.turn()
        }
        return recorder
    }

    func record(_ form: ValueForm) {
        wasAsked = true
        if !forms.contains(form) { forms.append(form) }
    }

    func isShaped(_ shape: ValueShape) -> Bool {
        if !wasAskedShape {
            wasAskedShape = true
            shapesToTry = ValueShape.allCases
        }
        return shapesToTry.first == shape
    }

    func fields(_ known: Set<String>, summaries: [String: String]) -> [String: YAMLValue] {
        wasAsked = true
        self.summaries.merge(summaries) { $1 }
        var fields: [String: YAMLValue] = [:]
        for key in known {
            let member = members[key] ?? SchemaRecorder()
            members[key] = member
            if member.isOpen || requiredKeys.contains(key) { fields[key] = YAMLValue(recording: member) }
        }
        return fields
    }

    func required(_ key: String) -> YAMLValue {
        requiredKeys.insert(key)
        let member = members[key] ?? SchemaRecorder()
        members[key] = member
        return YAMLValue(recording: member)
    }

    var openMember: (key: YAMLValue, value: YAMLValue) {
        wasAsked = true
        let value = openValue ?? SchemaRecorder()
        openValue = value
        return (YAMLValue(recording: SchemaRecorder()), YAMLValue(recording: value))
    }

    var element: YAMLValue {
        wasAsked = true
        let element = listElement ?? SchemaRecorder()
        listElement = element
        return YAMLValue(recording: element)
    }

    private var children: [SchemaRecorder] {
        members.sorted { $0.key < $1.key }.map(\.value) + [openValue, listElement].compactMap { $0 }
    }

    /// True if there is more to ask of it.
    private var isOpen: Bool {
        !(wasAsked || wasAskedShape) || shapesToTry.count > 1 || children.contains { $0.isOpen }
    }

    /// Before the next time round.
    private func turn() {
        if shapesToTry.count > 1 { shapesToTry.removeFirst() }
        children.forEach { $0.turn() }
    }
}
