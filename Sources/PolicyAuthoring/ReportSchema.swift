internal import AppContainer
internal import ContainerLifecycle
package import StoragePolicy

/// The JSON Schema of `JSONReport`. All keys are required; later versions may add keys.
package enum ReportSchema {
    package static var document: JSONValue {
        Schemas.document("sandboxlint-report/1", "sandboxlint report", report)
    }

    private static var report: JSONValue {
        object(
            [
                ("schema", .object(["const": .string("sandboxlint-report/1")])),
                (
                    "tool",
                    object([
                        ("name", .object(["const": .string("sandboxlint")])), ("version", text), ("rules", fingerprint),
                    ])
                ),
                ("now", optional(text)), ("inputs", array(input)), ("summary", summary), ("apps", array(app)),
                ("locations", locations), ("usedSuppressions", array(text)),
                ("complete", .object(["type": .string("boolean")])), ("failures", array(text)),
                ("incidents", array(object([("input", count), ("path", text), ("reason", text)]))),
                ("findings", array(finding)), ("suppressed", array(suppressed)), ("accepted", array(suppressed)),
            ], optional: [("notes", array(text))])
    }

    private static var input: JSONValue {
        object(
            [
                ("path", text), ("kind", text), ("bundleID", optional(text)),
                ("exclusionEvidence", words(["xattr", "manifest", "none"])), ("app", optional(text)), ("items", count),
                ("bytes", count), ("backedUpBytes", count), ("undecidedBackedUpBytes", count), ("ignored", count),
                ("baselined", count), ("disabled", array(text)), ("locations", locations),
            ], optional: [("label", text)])
    }

    private static let locations = array(
        object([("location", text), ("items", count), ("bytes", count), ("backedUpBytes", count)]))

    private static var bySeverity: JSONValue { object(Severity.allCases.map { ($0.rawValue, count) }) }

    private static var app: JSONValue {
        object([
            ("bundleID", optional(text)), ("containers", count), ("items", count), ("bytes", count),
            ("backedUpBytes", count), ("findings", bySeverity),
        ])
    }

    private static var summary: JSONValue {
        let bytes = ["bytes", "backedUpBytes", "regenerableBackedUpBytes", "undecidedBackedUpBytes"]
        let counts = (["items"] + bytes).map { ($0, count) }
        let rest = ["suppressed", "baselined", "fixable"].map { ($0, count) }
        return object(counts + [("findings", bySeverity)] + rest)
    }

    private static let finding = finding([])

    /// A finding that is suppressed or accepted.
    private static let suppressed = finding([
        ("by", words(Finding.Suppression.Kind.allCases.map(\.rawValue))), ("place", text), ("reason", text),
        ("owner", optional(text)), ("until", optional(text)),
    ])

    private static func finding(_ more: [(String, JSONValue)]) -> JSONValue {
        let line = JSONValue.object(["type": .string("integer"), "minimum": .integer(1)])
        let anchor = object([("kind", text), ("file", text), ("line", line)])
        return object(
            [
                ("rule", text), ("group", words(RuleGroup.allCases.map(\.rawValue))),
                ("severity", words(Severity.allCases.map(\.rawValue))), ("input", count), ("path", text),
                ("pointer", optional(text)), ("items", count), ("bytes", count), ("message", text),
                ("after", optional(words(LifecycleEvent.allCases.map(\.rawValue)))),
                (
                    "confidence",
                    optional(.object(["type": .string("number"), "minimum": .integer(0), "maximum": .integer(1)]))
                ),
                ("evidence", array(object([("kind", text), ("value", text)], optional: [("weight", number)]))),
                (
                    "exclusion",
                    object([
                        ("state", words(["excluded", "included", "unknown"])),
                        ("decidedBy", words(ExclusionMark.allCases.map(\.rawValue) + ["none"])), ("at", optional(text)),
                    ])
                ),
                ("location", text), ("backedUp", .object(["type": .string("boolean")])), ("largest", optional(text)),
                ("fingerprint", fingerprint), ("source", optional(object([("file", text), ("line", line)]))),
                (
                    "fix",
                    optional(object([("safety", words(RuleFix.Safety.allCases.map(\.rawValue))), ("title", text)]))
                ),
            ] + more, optional: [("part", text), ("ordinal", count), ("declared", text), ("anchor", anchor)])
    }

    private static let fingerprint = JSONValue.object([
        "type": .string("string"), "pattern": .string("^[0-9a-f]{16}$"),
    ])
    private static let text = JSONValue.object(["type": .string("string")])
    private static let count = JSONValue.object(["type": .string("integer"), "minimum": .integer(0)])
    private static func words(_ words: [String]) -> JSONValue { .object(["enum": .array(words.map { .string($0) })]) }
    private static func array(_ items: JSONValue) -> JSONValue { .object(["type": .string("array"), "items": items]) }
    private static func optional(_ value: JSONValue) -> JSONValue {
        .object(["anyOf": .array([value, .object(["type": .string("null")])])])
    }
    private static let number = JSONValue.object(["type": .string("number")])
    private static func object(
        _ properties: [(String, JSONValue)], optional others: [(String, JSONValue)] = []
    ) -> JSONValue {
        .object([
            "type": .string("object"), "properties": .members(properties + others),
            "required": .array(properties.map { .string($0.0) }),
        ])
    }
}

extension ReportSchema {
    /// The JSON Schema of what `DifferenceReport` writes. Every key that is written is required; later versions may add
    /// some.
    package static var difference: JSONValue {
        let states = words(["excluded", "included", "unknown"])
        let content = object([("items", count), ("bytes", count), ("backedUpBytes", count)])
        let finding = object([
            ("rule", text), ("severity", words(Severity.allCases.map(\.rawValue))), ("path", text), ("items", count),
            ("bytes", count), ("message", text), ("fingerprint", text),
        ])
        let change = object([
            ("path", text), ("before", states), ("after", states), ("items", count), ("bytes", count),
        ])
        let location = object([("location", text), ("before", content), ("after", content)])
        return Schemas.document(
            "sandboxlint-diff/1", "sandboxlint difference between two reports",
            object([
                ("schema", .object(["const": .string("sandboxlint-diff/1")])),
                ("tool", object([("name", .object(["const": .string("sandboxlint")])), ("version", text)])),
                ("complete", .object(["type": .string("boolean")])),
                ("findings", object([("new", array(finding)), ("gone", array(finding)), ("kept", count)])),
                ("hidden", object([("before", count), ("after", count)])),
                ("content", object([("before", content), ("after", content)])),
                ("locations", array(location)),
                ("exclusion", optional(object([("changes", array(change)), ("others", count)]))),
            ]))
    }
}
