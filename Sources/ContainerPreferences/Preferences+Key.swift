extension Preferences {
    /// The namespace of the keys of an app. Declare each key as a static member, so that calls can abbreviate it.
    ///
    ///     extension Preferences.Keys {
    ///         static let fontSize = Preferences.Key<Double>("fontSize", default: 12)
    ///         static let nickname = Preferences.Key<String?>("nickname")
    ///     }
    public class Keys: @unchecked Sendable {
        // Only `Key` inherits from it, and all stored properties are constants. The compiler cannot check that for a
        // class with subclasses, and only a class lets `.volume` find a static constant of a generic type.
        fileprivate init() {}
    }

    /// The name, the type and the default of a preference.
    ///
    /// A value is stored as `UserDefaults` stores it:
    ///
    /// | Swift type | stored as |
    /// |---|---|
    /// | `Bool`, integers, `Double`, `Float`, `String`, `Date`, `Data` | the type of a property list |
    /// | `URL` | a path from `~/`, an absolute path, or an archive |
    /// | `RawRepresentable`, enumerations with raw values | the raw value |
    /// | arrays, sets, dictionaries | an array or a dictionary of the above |
    /// | another `Codable` type | a dictionary of its fields, or what it encodes |
    /// | an optional | its value; nil is the absence of the key |
    ///
    /// Within an array or a dictionary, nil is the string `$null`, as for `PropertyListEncoder`.
    public final class Key<Value: Sendable>: Keys, @unchecked Sendable {
        /// The name in the file.
        public let name: String
        /// The value of a key that is neither in the launch arguments, nor in the file, nor registered.
        public let defaultValue: Value
        let coding: PreferenceCoding<Value>

        init(_ name: String, default value: Value, coding: PreferenceCoding<Value>) {
            self.name = name
            defaultValue = value
            self.coding = coding
        }

        /// Creates a key for a `Codable` type.
        public convenience init(_ name: String, default value: Value) where Value: Codable {
            self.init(name, default: value, coding: .codable())
        }

        /// Creates a key for an optional `Codable` type without a default.
        public convenience init<Wrapped>(_ name: String) where Value == Wrapped?, Wrapped: Codable {
            self.init(name, default: nil, coding: .codable())
        }

        /// Creates a key for a type with raw values that is not `Codable`.
        @_disfavoredOverload
        public convenience init(
            _ name: String, default value: Value
        ) where Value: RawRepresentable, Value.RawValue: Codable & Sendable {
            self.init(name, default: value, coding: .raw())
        }

        /// Creates a key for an optional type with raw values that is not `Codable`.
        @_disfavoredOverload
        public convenience init<Raw: RawRepresentable>(
            _ name: String, default value: Value = nil
        ) where Value == Raw?, Raw.RawValue: Codable & Sendable {
            self.init(
                name, default: value,
                coding: .mapped(
                    from: Raw.RawValue?.self, { $0?.rawValue },
                    { raw in
                        guard let raw else { return .some(nil) }
                        return Raw(rawValue: raw).map { .some($0) }
                    }))
        }

        /// Creates a key for an array of a type with raw values that is not `Codable`.
        @_disfavoredOverload
        public convenience init<Raw: RawRepresentable>(
            _ name: String, default value: Value
        ) where Value == [Raw], Raw.RawValue: Codable & Sendable {
            self.init(
                name, default: value,
                coding: .mapped(
                    from: [Raw.RawValue].self, { $0.map(\.rawValue) },
                    { raws in
                        let values = raws.compactMap { Raw(rawValue: $0) }
                        return values.count == raws.count ? values : nil
                    }))
        }

        /// Creates a key for a dictionary of a type with raw values that is not `Codable`.
        @_disfavoredOverload
        public convenience init<Raw: RawRepresentable>(
            _ name: String, default value: Value
        ) where Value == [String: Raw], Raw.RawValue: Codable & Sendable {
            self.init(
                name, default: value,
                coding: .mapped(
                    from: [String: Raw.RawValue].self, { $0.mapValues(\.rawValue) },
                    { raws in
                        let values = raws.compactMapValues { Raw(rawValue: $0) }
                        return values.count == raws.count ? values : nil
                    }))
        }
    }
}
