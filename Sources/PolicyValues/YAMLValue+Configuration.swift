internal import TextOutput

extension YAMLValue {
    /// The values of a mapping: of some known keys, and of whatever others there are.
    package func openFields(
        _ known: Set<String>
    ) throws(SourceError) -> (known: [String: YAMLValue], others: [(key: YAMLValue, value: YAMLValue)]) {
        if let recorder { return (recorder.fields(known, summaries: [:]), [recorder.openMember]) }
        var fields: [String: YAMLValue] = [:]
        var others: [(key: YAMLValue, value: YAMLValue)] = []
        for (key, value) in try pairs() {
            let name = try key.string()
            if known.contains(name) { fields[name] = value } else { others.append((key, value)) }
        }
        return (fields, others)
    }

    /// A moment in universal time: `2026-01-31` or `2026-01-31T12:00:00Z`, as seconds since 1970.
    package func moment() throws(SourceError) -> Int64 {
        if let recorder { return recorder.record(.moment, answer: 0) }
        guard let seconds = DateText.seconds(try string()) else {
            throw error("expected a date such as 2026-01-31 or 2026-01-31T12:00:00Z")
        }
        return seconds
    }
}
