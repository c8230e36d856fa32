/// A form that a parser accepts for a value.
package enum ValueForm: Hashable {
    case text, integer, boolean, span, size, moment, sourceLine, anything
    case word([String])
    /// A separate schema, by name.
    case reference(String)
}

/// The structure of a value.
package enum ValueShape: CaseIterable { case mapping, sequence, scalar }

/// A receiver of the questions that a parser asks about a value.
///
/// A value with a recorder has no content. It answers each question so that the parser continues, and the recorder
/// learns which keys and forms the parser accepts.
package protocol ValueRecorder: AnyObject {
    /// The text that the value answers with.
    var text: String { get }
    /// Records a form that the parser asked for.
    func record(_ form: ValueForm)
    /// Returns true if the value answers that it has this shape.
    func isShaped(_ shape: ValueShape) -> Bool
    /// Records known keys, with a summary for the schema, and returns those that the value answers to have.
    func fields(_ known: Set<String>, summaries: [String: String]) -> [String: YAMLValue]
    /// Records a required key and returns its value.
    func required(_ key: String) -> YAMLValue
    /// A member of a mapping with arbitrary keys.
    var openMember: (key: YAMLValue, value: YAMLValue) { get }
    /// An element of a sequence.
    var element: YAMLValue { get }
}

extension ValueRecorder {
    /// Records a form and returns an answer of that form.
    package func record<Value>(_ form: ValueForm, answer: Value) -> Value {
        record(form)
        return answer
    }
}

/// The names of definitions in a schema that several parsers share.
package enum SchemaName {
    package static let (settings, budgets, ruleWords) = ("rule-settings", "budgets", "rule-words")
}
