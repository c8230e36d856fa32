public import Foundation
internal import FileSystem

/// Typed reads. A key without a value, or with a value that cannot be converted to the type, returns `false`, 0 or nil.
/// The conversions are those of `UserDefaults`.
///
/// Each throws `damaged`, `tooLarge`, `notAFile`, `leavesContainer`, `permissionDenied` or `failed` if the file exists
/// and cannot be read, because it may contain the value.
extension Preferences {
    /// Returns the value of a key: a launch argument, the stored value, or the registered default.
    ///
    /// - Throws: The errors of any read.
    public func value(forKey key: String) throws(PreferencesError) -> PreferenceValue? {
        let (values, news) = try load()
        news.deliver()
        return state.withLock { $0.arguments[key] ?? values[key] ?? $0.registered[key] }
    }

    /// Returns a string. A number or Boolean is converted.
    ///
    /// - Throws: The errors of any read.
    public func string(forKey key: String) throws(PreferencesError) -> String? { try value(forKey: key)?.asString }

    /// Returns a Boolean: true for a number other than 0, and for a string that begins with YES, true or a number from
    /// 1.
    ///
    /// - Throws: The errors of any read.
    public func bool(forKey key: String) throws(PreferencesError) -> Bool { try value(forKey: key)?.asBool ?? false }

    /// Returns an integer. A floating-point number is truncated, a number out of range is the nearest `Int`, and a
    /// string is read up to the first character that is not a digit.
    ///
    /// - Throws: The errors of any read.
    public func integer(forKey key: String) throws(PreferencesError) -> Int { try value(forKey: key)?.asInteger ?? 0 }

    /// Returns a number. A string is read up to the first character that is not a part of a number.
    ///
    /// - Throws: The errors of any read.
    public func double(forKey key: String) throws(PreferencesError) -> Double { try value(forKey: key)?.asDouble ?? 0 }

    /// Returns a single-precision number.
    ///
    /// - Throws: The errors of any read.
    public func float(forKey key: String) throws(PreferencesError) -> Float { Float(try double(forKey: key)) }

    /// Returns data. Other types are not converted.
    ///
    /// - Throws: The errors of any read.
    public func data(forKey key: String) throws(PreferencesError) -> Data? {
        guard case .data(let data) = try value(forKey: key) else { return nil }
        return data
    }

    /// Returns a date. Other types are not converted.
    ///
    /// - Throws: The errors of any read.
    public func date(forKey key: String) throws(PreferencesError) -> Date? {
        guard case .date(let date) = try value(forKey: key) else { return nil }
        return date
    }

    /// Returns a URL that was set, or the URL for a string: a path from `/`, a path from `~/` relative to the current
    /// path of the container, or a URL with a scheme. Also reads a URL that `UserDefaults` archived.
    ///
    /// - Throws: The errors of any read.
    public func url(forKey key: String) throws(PreferencesError) -> URL? {
        switch try value(forKey: key) {
        case .string(let text): return container.url(preference: text)
        case .data(let data): return container.url(preference: data)
        default: return nil
        }
    }

    /// Returns an array. Other types are not converted.
    ///
    /// - Throws: The errors of any read.
    public func array(forKey key: String) throws(PreferencesError) -> [PreferenceValue]? {
        guard case .array(let members) = try value(forKey: key) else { return nil }
        return members
    }

    /// Returns an array of strings.
    ///
    /// - Throws: The errors of any read.
    public func stringArray(forKey key: String) throws(PreferencesError) -> [String]? {
        try value(forKey: key)?.asStrings
    }

    /// Returns a dictionary. Other types are not converted.
    ///
    /// - Throws: The errors of any read.
    public func dictionary(forKey key: String) throws(PreferencesError) -> [String: PreferenceValue]? {
        guard case .dictionary(let values) = try value(forKey: key) else { return nil }
        return values
    }
}
