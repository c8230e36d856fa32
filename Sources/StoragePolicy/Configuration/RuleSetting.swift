/// What a configuration says of one rule: `note`, `off`, or `{ severity: note, days: 14 }`.
struct RuleSetting: Sendable {
    /// A severity, or that the rule is not asked.
    enum Level: String, CaseIterable, Sendable {
        case error, warning, note, off
        var severity: Severity? { Severity(rawValue: rawValue) }
    }

    private(set) var level: Said<Level>?
    /// The rule's thresholds, by their names.
    private(set) var thresholds: [String: Said<String>] = [:]
    /// Where the rule is named.
    let place: SourcePlace

    /// The name of a rule, and what is said of it.
    init(_ key: YAMLValue, _ value: YAMLValue) throws(SourceError) {
        place = key.place
        guard value.isMapping else {
            level = Said(try value.word("severity", Level.self), by: value)
            return
        }
        let fields = try value.openFields(["severity"])
        if let severity = fields.known["severity"] {
            level = Said(try severity.word("severity", Level.self), by: severity)
        }
        for (key, value) in fields.others { thresholds[try key.string()] = Said(try value.string(), by: value) }
    }

    /// Adds what is said nearer, or for fewer paths.
    mutating func add(_ nearer: RuleSetting) {
        level = nearer.level ?? level
        thresholds.merge(nearer.thresholds) { $1 }
    }

    var isOff: Bool { level?.value == .off }

    func entries(_ prefix: String) -> [ConfigurationEntry] {
        (level.map { [ConfigurationEntry("\(prefix).severity", $0)] } ?? [])
            + thresholds.sorted { $0.key < $1.key }.map { ConfigurationEntry("\(prefix).\($0.key)", $0.value) }
    }

    /// The settings of a mapping, by the names in it.
    static func all(_ value: YAMLValue) throws(SourceError) -> [String: RuleSetting] {
        var settings: [String: RuleSetting] = [:]
        for (key, setting) in try value.pairs() { settings[try key.string()] = try RuleSetting(key, setting) }
        return settings
    }
}

/// `{ paths: […], rules: {…} }`: settings for some paths.
struct RuleOverride: Sendable {
    let paths: Said<[PathGlob]>
    let rules: [String: RuleSetting]

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["paths", "rules"])
        let paths = try value.required("paths", of: fields)
        self.paths = Said(try paths.globs().map(\.value), by: paths)
        rules = try RuleSetting.all(value.required("rules", of: fields))
    }
}

extension YAMLValue {
    /// Patterns of paths from the container's root.
    func globs() throws(SourceError) -> [Said<PathGlob>] {
        var globs: [Said<PathGlob>] = []
        for value in list() {
            let text = try value.string()
            if text.first == "/" || text.split(separator: "/").contains("..") {
                throw value.error("a path must be relative to the container and stay inside it")
            }
            // A key without a value.
            if !text.isEmpty { globs.append(Said(PathGlob(text), by: value)) }
        }
        return globs
    }
}
