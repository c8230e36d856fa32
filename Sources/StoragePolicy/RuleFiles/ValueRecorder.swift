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
    func ask(_ form: ValueForm)
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
    func ask<Value>(_ form: ValueForm, _ answer: Value) -> Value {
        ask(form)
        return answer
    }
}

/// The parsers of rule files and configurations, for recording their schemas.
package enum RecordedParsers {
    /// The parser of a predicate. Not a function in a tuple: systems before macOS 15 and iOS 18 have no type of such
    /// functions at run time.
    package struct PredicateParser {
        private let type: any Predicate.Type
        fileprivate init(_ type: any Predicate.Type) { self.type = type }

        /// The key of the predicate.
        package var key: String { type.key }
        /// Reads a value of the predicate.
        package func read(_ value: YAMLValue) throws(SourceError) { _ = try type.init(value) }
    }

    /// Reads a rule file.
    package static func readRule(_ value: YAMLValue) throws(SourceError) { _ = try Rule(value) }

    /// Reads a configuration.
    package static func readConfiguration(_ value: YAMLValue) throws(SourceError) { _ = try Configuration(value) }

    /// The parser of each predicate.
    package static var predicates: [PredicateParser] { Predicates.all.map { PredicateParser($0) } }

    /// The name of the schema of conditions.
    package static var conditionName: String { Condition.schemaName }
}
