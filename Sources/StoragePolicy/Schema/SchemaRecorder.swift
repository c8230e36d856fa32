/// Keeps what a parser asks of a value, so that the schema says what the parser takes and cannot say anything else.
///
/// A parser is run several times over such a value. What it asked for the first time round and need not have is left
/// out afterwards, so that it comes to ask for what would have stood there instead; and where it asks whether something
/// is a mapping, the answer is yes, then no.
final class SchemaRecorder {
    /// A form that a value may have.
    enum Kind: Hashable {
        case text, integer, boolean, span, size, moment, anything
        case word([String])
        /// A separate schema, by name.
        case reference(String)
    }
    enum Shape: CaseIterable { case mapping, sequence, scalar }

    private static let passes = 12

    /// Every form that was asked for, in the order of asking.
    private(set) var kinds: [Kind] = []
    private(set) var members: [String: SchemaRecorder] = [:]
    private(set) var requiredKeys: Set<String> = []
    /// The values of keys that are not known beforehand.
    private(set) var openValue: SchemaRecorder?
    private(set) var listElement: SchemaRecorder?
    /// The purpose of each key.
    private(set) var summaries: [String: String] = [:]
    private var shapesToTry: [Shape] = []
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

    func ask(_ kind: Kind) {
        wasAsked = true
        if !kinds.contains(kind) { kinds.append(kind) }
    }

    func ask<Value>(_ kind: Kind, _ answer: Value) -> Value {
        ask(kind)
        return answer
    }

    func isShaped(_ shape: Shape) -> Bool {
        if !wasAskedShape {
            wasAskedShape = true
            shapesToTry = Shape.allCases
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
