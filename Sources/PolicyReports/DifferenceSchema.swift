package import StoragePolicy

extension ReportSchema {
    /// The JSON Schema of the output of `DifferenceReport`. All keys are required; later versions may add keys.
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
                ("locations", optional(array(location))),
                ("exclusion", optional(object([("changes", array(change)), ("others", count)]))),
            ]))
    }
}
