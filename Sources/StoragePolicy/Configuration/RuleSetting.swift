/// The setting of one rule: `note`, `off`, or `{ severity: note, days: 14 }`.
struct RuleSetting: Sendable {
    /// A severity, or that the rule is not asked.
    enum Level: String, CaseIterable, Sendable {
        case error, warning, note, off
        var severity: Severity? { Severity(rawValue: rawValue) }
    }

    private(set) var level: Located<Level>?
    /// The rule's thresholds, by their names.
    private(set) var thresholds: [String: Located<String>] = [:]
    /// The position of the rule's key.
    let position: SourcePosition

    /// The name of a rule and its setting.
    init(_ key: YAMLValue, value: YAMLValue) throws(SourceError) {
        position = key.position
        guard value.isMapping else {
            level = Located(try value.word("severity", type: Level.self), by: value)
            return
        }
        let fields = try value.openFields(["severity"])
        if let severity = fields.known["severity"] {
            level = Located(try severity.word("severity", type: Level.self), by: severity)
        }
        for (key, value) in fields.others { thresholds[try key.string()] = Located(try value.string(), by: value) }
    }

    /// Adds a setting of a nearer file, or for fewer paths.
    mutating func add(_ nearer: RuleSetting) {
        level = nearer.level ?? level
        thresholds.merge(nearer.thresholds) { $1 }
    }

    var isOff: Bool { level?.value == .off }

    func entries(_ prefix: String) -> [ConfigurationEntry] {
        (level.map { [ConfigurationEntry("\(prefix).severity", located: $0)] } ?? [])
            + thresholds.sorted { $0.key < $1.key }.map { ConfigurationEntry("\(prefix).\($0.key)", located: $0.value) }
    }

    /// The settings of a mapping, by the names in it.
    static func all(_ value: YAMLValue) throws(SourceError) -> [String: RuleSetting] {
        var settings: [String: RuleSetting] = [:]
        if let recorder = value.recorder { return recorder.record(.reference(SchemaName.settings), answer: settings) }
        for (key, setting) in try value.pairs() { settings[try key.string()] = try RuleSetting(key, value: setting) }
        return settings
    }
}

/// `{ paths: […], rules: {…} }`: settings for some paths.
struct RuleOverride: Sendable {
    let paths: Located<[PathGlob]>
    let rules: [String: RuleSetting]

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["paths", "rules"])
        let paths = try value.required("paths", of: fields)
        self.paths = Located(try paths.globs().map(\.value), by: paths)
        rules = try RuleSetting.all(value.required("rules", of: fields))
    }
}

extension YAMLValue {
    /// Patterns of paths from the container's root.
    func globs() throws(SourceError) -> [Located<PathGlob>] {
        var globs: [Located<PathGlob>] = []
        for value in list() {
            let text = try value.string()
            if text.first == "/" || text.split(separator: "/").contains("..") {
                throw value.error("a path must be relative to the container and stay inside it")
            }
            // A key without a value.
            if !text.isEmpty { globs.append(Located(PathGlob(text), by: value)) }
        }
        return globs
    }
}
