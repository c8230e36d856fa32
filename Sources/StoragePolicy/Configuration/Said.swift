/// A value of a configuration, and where it was said.
struct Said<Value: Sendable>: Sendable {
    let value: Value
    /// As it was written.
    let json: JSONValue
    let place: SourcePlace

    init(_ value: Value, by source: YAMLValue) {
        self.value = value
        json = source.json
        place = source.place
    }
}

/// A line of what `config show` tells.
package struct ConfigurationEntry: Sendable {
    /// The way to it: `rules.stale-tmp.days`.
    package let key: String
    package let value: JSONValue
    package let place: SourcePlace

    init<Value>(_ key: String, _ said: Said<Value>) {
        self.key = key
        value = said.json
        place = said.place
    }
}
