package import StoragePolicy

/// JSON Schemas (2020-12) of what the tool reads, made of what its readers ask for.
package enum Schemas {
    /// A rule's file.
    package static var rule: JSONValue {
        let definitions = RecordedParsers.predicates.map { parser in
            (parser.key, SchemaRecorder.record(parser.read))
        }
        let condition = SchemaRecorder.reference(RecordedParsers.conditionName)
        let oneOrMany = JSONValue.object([
            "anyOf": .array([condition, .object(["type": .string("array"), "items": condition])])
        ])
        var members = definitions.map { ($0.0, $0.1.schema(isRule: true)) }
        members += [("all", oneOrMany), ("any", oneOrMany), ("not", condition)]
        let recorder = SchemaRecorder.record(RecordedParsers.readRule)
        return document(
            "sandboxlint-rule/1", "sandboxlint rule, format 1.0", recorder.schema(isRule: true),
            definitions: [
                (
                    RecordedParsers.conditionName,
                    .object([
                        "type": .string("object"), "minProperties": .integer(1),
                        "properties": .members(members.sorted { $0.0 < $1.0 }), "additionalProperties": .boolean(false),
                    ])
                )
            ])
    }

    /// A configuration.
    package static var configuration: JSONValue {
        let recorder = SchemaRecorder.record(RecordedParsers.readConfiguration)
        return document(
            "sandboxlint-config/1", "sandboxlint configuration, \(Configuration.fileName)",
            recorder.schema(isRule: false))
    }

    /// A schema by itself, under its name.
    package static func document(
        _ name: String, _ title: String, _ schema: JSONValue, definitions: [(String, JSONValue)] = []
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
            guard let summary = summaries[name], case .object(let parts) = schema else { return (name, schema) }
            return (name, JSONValue.object([JSONValue.Member(key: "description", value: .string(summary))] + parts))
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
        func pattern(_ types: [String], _ text: String) -> JSONValue {
            .object([
                "type": types.count == 1 ? .string(types[0]) : .strings(types),
                "pattern": .string("^(\(text)\(name))$"),
            ])
        }
        return switch form {
        // What YAML takes for a number or a truth value is a text like any other.
        case .text: .object(["type": .strings(["string", "number", "boolean"])])
        case .integer: isRule ? pattern(["integer", "string"], "[0-9]+") : .object(["type": .string("integer")])
        case .boolean: .object(["type": .string("boolean")])
        case .span: pattern(["string"], "[0-9]+[smhd]")
        case .size: pattern(["integer", "string"], "[0-9]+([KMG]i?B)?")
        case .moment: pattern(["string"], "[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)?")
        case .sourceLine: pattern(["string"], "[^:/~]([^:]*[^:/])?(:[1-9][0-9]*)?")
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
