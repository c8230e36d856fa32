package import StoragePolicy

/// JSON Schemas (2020-12) of what the tool reads, made of what its readers ask for.
package enum Schemas {
    /// A rule's file.
    package static var rule: JSONValue {
        let examples = (try? RecordedParsers.ruleExamples()) ?? (keys: [:], conditions: [:])
        let tests = summaries(in: "### Tests")
        let condition = SchemaRecorder.reference(RecordedParsers.conditionName)
        let oneOrMany = JSONValue.object([
            "anyOf": .array([condition, .object(["type": .string("array"), "items": condition])])
        ])
        var members = RecordedParsers.predicates.map { parser in
            (parser.key, SchemaRecorder.record(parser.read).schema(isRule: true))
        }
        members += [("all", oneOrMany), ("any", oneOrMany), ("not", condition)]
        let described = members.sorted { $0.0 < $1.0 }.map {
            ($0.0, $0.1.described(as: tests[$0.0], example: examples.conditions[$0.0]))
        }
        let recorder = SchemaRecorder.record(RecordedParsers.readRule)
        recorder.summaries = summaries(in: "## Metadata").merging(summaries(in: "## Conditions")) { $1 }
            .merging([
                "bad": "At least two examples that the rule reports, which are its tests.",
                "good": "At least two examples that the rule does not report.",
            ]) { $1 }
        recorder.examples = examples.keys
        return document(
            "sandboxlint-rule/1", title: "sandboxlint rule, format 1.0", schema: recorder.schema(isRule: true),
            definitions: [
                (
                    RecordedParsers.conditionName,
                    .object([
                        "type": .string("object"), "minProperties": .integer(1), "properties": .members(described),
                        "additionalProperties": .boolean(false),
                    ])
                )
            ])
    }

    /// Returns the meaning of each key in the table of a section of FORMAT.md. Several lines about a key are joined.
    private static func summaries(in heading: String) -> [String: String] {
        let lines = RecordedParsers.formatPage.split(separator: "\n", omittingEmptySubsequences: false)
        let section = lines.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("#") }
        var all: [String: String] = [:]
        for line in section where line.hasPrefix("| `") {
            let cells = line.dropFirst(2).dropLast(2).split(separator: " | ", maxSplits: 1)
            guard cells.count == 2 else { continue }
            let key = String(cells[0].dropFirst().prefix { $0 != "`" && $0 != ":" })
            all[key] = (all[key].map { $0 + "; " } ?? "") + cells[1]
        }
        return all
    }

    /// A configuration.
    ///
    /// Without `extends` and `rules-folder`, only the rules of this build can be named. With them, own rules can be, too.
    package static var configuration: JSONValue {
        let recorder = SchemaRecorder.record(RecordedParsers.readConfiguration)
        recorder.examples = RecordedParsers.configurationExamples
        let whole = recorder.schema(isRule: false)
        let named = ["rules", "overrides", "budgets", "suppressions"].compactMap { key in
            recorder.members[key].map { (key, Self.closed($0.schema(isRule: false))) }
        }
        let condition = JSONValue.members([
            (
                "if",
                .object(["anyOf": .array(["extends", "rules-folder"].map { .object(["required": .strings([$0])]) })])
            ),
            ("else", .object(["properties": .members(named)])),
        ])
        guard case .object(let members) = whole, case .object(let last) = condition else { return whole }
        // A file of comments is null.
        let first = members.map { $0.key == "type" ? .init(key: "type", value: .strings(["object", "null"])) : $0 }
        return document(
            "sandboxlint-config/1", title: "sandboxlint configuration, \(Configuration.fileName)",
            schema: .object(first + last),
            definitions: ruleNames)
    }

    /// The suffix of the schemas that accept only the rules of this build.
    private static let known = "-of-this-build"

    /// Returns a schema that accepts only names of rules of this build.
    private static func closed(_ schema: JSONValue) -> JSONValue {
        switch schema {
        case .array(let values): .array(values.map(closed))
        case .object(let members):
            .object(
                members.map { member in
                    if member.key == "$ref", case .string(let text) = member.value {
                        return JSONValue.Member(key: "$ref", value: .string(text + known))
                    }
                    return JSONValue.Member(key: member.key, value: closed(member.value))
                })
        default: schema
        }
    }

    /// The schemas of values that name rules, with the rules of this build for completion.
    private static var ruleNames: [(String, JSONValue)] {
        let rules = (try? Catalogue.embedded().rules) ?? []
        let names = rules.flatMap(\.names).sorted()
        let words = (names + RuleGroup.allCases.map(\.rawValue) + rules.map { "\($0.number)" }).map(JSONValue.string)
        let numbers = rules.map { JSONValue.integer(Int64($0.number)) }
        let limited = rules.filter(\.hasBudget)
        func mapping(_ rules: [Rule], value: String) -> JSONValue {
            let reference = SchemaRecorder.reference(value)
            let properties = rules.sorted { $0.id < $1.id }.map {
                ($0.id, reference.described(as: $0.title, example: nil))
            }
            return .object([
                "type": .string("object"), "properties": .members(properties), "additionalProperties": reference,
            ])
        }
        func closed(_ name: String, names: [String]) -> (String, JSONValue) {
            (
                name + known,
                .object([
                    "$ref": .string("#/$defs/\(name)"), "propertyNames": .object(["enum": .strings(names)]),
                ])
            )
        }
        func oneOrMany(_ item: JSONValue) -> JSONValue {
            .object(["anyOf": .array([item, .object(["type": .string("array"), "items": item])])])
        }
        let word = SchemaRecorder.reference("rule-word")
        let any = JSONValue.object([
            "anyOf": .array([word, .object(["type": .strings(["string", "integer"])])])
        ])
        return [
            ("rule-setting", SchemaRecorder.record(RecordedParsers.readRuleSetting).schema(isRule: false)),
            ("size", SchemaRecorder.record(RecordedParsers.readSize).schema(isRule: false)),
            ("rule-word", .object(["enum": .array(words + numbers)])),
            (SchemaName.settings, mapping(rules, value: "rule-setting")),
            closed(SchemaName.settings, names: names),
            (SchemaName.budgets, mapping(limited, value: "size")),
            closed(SchemaName.budgets, names: limited.flatMap(\.names).sorted()),
            (SchemaName.ruleWords, oneOrMany(any)), (SchemaName.ruleWords + known, oneOrMany(word)),
        ]
    }

    /// A schema by itself, under its name.
    package static func document(
        _ name: String, title: String, schema: JSONValue, definitions: [(String, JSONValue)] = []
    ) -> JSONValue {
        guard case .object(let members) = schema else { return schema }
        let head = JSONValue.members([
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")), ("$id", .string(name)),
            ("title", .string(title)),
        ])
        let tail = JSONValue.members(definitions.isEmpty ? [] : [("$defs", .members(definitions))])
        guard case .object(let first) = head, case .object(let last) = tail else { return schema }
        return .object(first + members + last)
    }
}

extension JSONValue {
    /// Returns the schema with a description and an example.
    fileprivate func described(as text: String?, example: JSONValue?) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(
            (text.map { [Member(key: "description", value: .string($0))] } ?? []) + members
                + (example.map { [Member(key: "examples", value: .array([$0]))] } ?? []))
    }
}

extension SchemaRecorder {
    static func reference(_ name: String) -> JSONValue { .object(["$ref": .string("#/$defs/\(name)")]) }

    /// The schema of what was asked for. In a rule, any scalar may be the name of a threshold, `$days`.
    func schema(isRule: Bool) -> JSONValue {
        var forms = forms.map { Self.schema($0, isRule: isRule) }
        if !members.isEmpty || openValue != nil { forms.append(mapping(isRule: isRule)) }
        if let element = listElement {
            let item = element.schema(isRule: isRule)
            // One value may stand for a list of one.
            forms += [item, .object(["type": .string("array"), "items": item])]
        }
        return forms.count == 1 ? forms[0] : forms.isEmpty ? .members([]) : .object(["anyOf": .array(forms)])
    }

    private func mapping(isRule: Bool) -> JSONValue {
        let properties = members.sorted { $0.key < $1.key }.map { name, member in
            let schema = member.schema(isRule: isRule)
            return (name, schema.described(as: summaries[name], example: examples[name]))
        }
        var parts: [(String, JSONValue)] = [("type", .string("object"))]
        if !properties.isEmpty { parts.append(("properties", .members(properties))) }
        if !requiredKeys.isEmpty { parts.append(("required", .strings(requiredKeys.sorted()))) }
        parts.append(("additionalProperties", openValue?.schema(isRule: isRule) ?? .boolean(false)))
        return .members(parts)
    }

    private static func schema(_ form: ValueForm, isRule: Bool) -> JSONValue {
        // A threshold's name.
        let name = isRule ? "|\\$[a-z-]+" : ""
        func pattern(_ types: [String], text: String) -> JSONValue {
            .object([
                "type": types.count == 1 ? .string(types[0]) : .strings(types),
                "pattern": .string("^(\(text)\(name))$"),
            ])
        }
        return switch form {
        // A text may look like a number or a truth value to YAML.
        case .text: .object(["type": .strings(["string", "number", "boolean"])])
        case .integer: isRule ? pattern(["integer", "string"], text: "[0-9]+") : .object(["type": .string("integer")])
        case .boolean: .object(["type": .string("boolean")])
        case .span: pattern(["string"], text: "[0-9]+[smhd]")
        case .size: pattern(["integer", "string"], text: "[0-9]+([KMG]i?B)?")
        case .moment: pattern(["string"], text: "[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)?")
        case .sourceLine: pattern(["string"], text: "[^:/~]([^:]*[^:/])?(:[1-9][0-9]*)?")
        case .anything: .members([])
        case .word(let words): .object(["enum": .array(words.map { .string($0) } + truthValues(words))])
        case .reference(let name): reference(name)
        }
    }

    /// Returns the truth values that YAML 1.1 reads from words such as `off`.
    private static func truthValues(_ words: [String]) -> [JSONValue] {
        let (no, yes) = (["off", "no", "false"], ["on", "yes", "true"])
        return (words.contains { no.contains($0) } ? [.boolean(false)] : [])
            + (words.contains { yes.contains($0) } ? [.boolean(true)] : [])
    }
}
