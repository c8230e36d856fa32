/// A value of a configuration and its position.
package struct Located<Value: Sendable>: Sendable {
    package let value: Value
    /// The value as written.
    package let json: JSONValue
    package let position: SourcePosition

    package init(_ value: Value, by source: YAMLValue) {
        self.value = value
        json = source.json
        position = source.position
    }
}

/// A line of the output of `config show`.
package struct ConfigurationEntry: Sendable {
    /// The path of the key: `rules.stale-tmp.days`.
    package let key: String
    package let value: JSONValue
    package let position: SourcePosition

    package init<Value>(_ key: String, located: Located<Value>) {
        self.key = key
        value = located.json
        position = located.position
    }
}
