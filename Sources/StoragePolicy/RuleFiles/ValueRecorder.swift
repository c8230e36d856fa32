internal import PolicyRules

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

    /// Reads the setting of one rule.
    package static func readRuleSetting(_ value: YAMLValue) throws(SourceError) { _ = try RuleSetting(value, value) }

    /// Reads a size.
    package static func readSize(_ value: YAMLValue) throws(SourceError) { _ = try value.size() }

    /// The names of the schemas of values that name rules.
    package static let (settingsName, budgetsName, ruleWordsName) = ("rule-settings", "budgets", "rule-words")

    /// The text of the page `rules/FORMAT.md`, which describes the keys of rules.
    package static var formatPage: String { EmbeddedFiles.files.first { $0.path == "FORMAT.md" }?.text ?? "" }

    /// Returns the keys of a configuration with their examples.
    package static var configurationExamples: [String: JSONValue] {
        var examples: [String: JSONValue] = [:]
        for key in ConfigurationKey.allCases {
            guard let value = try? YAMLValue(file: "", text: key.example),
                let pair = try? value.pairs().first
            else { continue }
            examples[key.rawValue] = pair.value.json
        }
        return examples
    }

    /// Returns the keys of rules and of conditions, each with its first value in the built-in rules.
    package static func ruleExamples() throws(SourceError) -> (
        keys: [String: JSONValue], conditions: [String: JSONValue]
    ) {
        var (keys, conditions) = ([String: JSONValue](), [String: JSONValue]())
        func visit(_ condition: YAMLValue) throws(SourceError) {
            for (key, value) in try condition.pairs() {
                let name = try key.string()
                if conditions[name] == nil { conditions[name] = value.json }
                if name == "not" { try visit(value) }
                guard name == "all" || name == "any" else { continue }
                for part in value.list() { try visit(part) }
            }
        }
        for rule in try Catalogue.embedded().rules {
            for (key, value) in try YAMLValue(file: rule.file, text: rule.text).pairs() {
                let name = try key.string()
                if keys[name] == nil { keys[name] = value.json }
                if name == "when" { try visit(value) }
                for level in name == "levels" ? value.list() : [] {
                    if let when = try level.pairs().first(where: { (try? $0.key.string()) == "when" }) {
                        try visit(when.value)
                    }
                }
            }
        }
        return (keys, conditions)
    }

    /// The parser of each predicate.
    package static var predicates: [PredicateParser] { Predicates.all.map { PredicateParser($0) } }

    /// The name of the schema of conditions.
    package static var conditionName: String { Condition.schemaName }
}
