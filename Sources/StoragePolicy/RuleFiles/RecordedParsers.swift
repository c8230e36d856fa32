internal import PolicyRules

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
    package static func readRuleSetting(_ value: YAMLValue) throws(SourceError) {
        _ = try RuleSetting(value, value: value)
    }

    /// Reads a size.
    package static func readSize(_ value: YAMLValue) throws(SourceError) { _ = try value.size() }

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
