public import Foundation
internal import Synchronization

/// Typed reads. A key without a value gives `false`, 0 or nil, and so does a value that cannot be taken for the type
/// asked for; the coercions are those of `UserDefaults`.
///
/// Each throws `damaged`, `tooLarge`, `notAFile`, `leavesContainer`, `permissionDenied` or `failed` where the file is
/// there and cannot be read, since it may hold what was asked for.
extension Preferences {
    /// A key's value as it is kept, or as it was registered.
    ///
    /// - Throws: As every read.
    public func value(forKey key: String) throws(PreferencesError) -> PreferenceValue? {
        let (values, news) = try load()
        news.deliver()
        return values[key] ?? state.withLock { $0.registered[key] }
    }

    /// A text; a number or truth value as text.
    ///
    /// - Throws: As every read.
    public func string(forKey key: String) throws(PreferencesError) -> String? { try value(forKey: key)?.asString }

    /// A truth value; of a number whether it is not 0, of a text whether it says YES, true or a number from 1.
    ///
    /// - Throws: As every read.
    public func bool(forKey key: String) throws(PreferencesError) -> Bool { try value(forKey: key)?.asBool ?? false }

    /// A whole number; a real one is cut towards 0, one that is too large is the nearest there is, a text is read up
    /// to its first character that is no digit.
    ///
    /// - Throws: As every read.
    public func integer(forKey key: String) throws(PreferencesError) -> Int { try value(forKey: key)?.asInteger ?? 0 }

    /// A number; a text is read up to its first character that does not belong to one.
    ///
    /// - Throws: As every read.
    public func double(forKey key: String) throws(PreferencesError) -> Double { try value(forKey: key)?.asDouble ?? 0 }

    /// The same in single precision.
    ///
    /// - Throws: As every read.
    public func float(forKey key: String) throws(PreferencesError) -> Float { Float(try double(forKey: key)) }

    /// Bytes; nothing else is taken for them.
    ///
    /// - Throws: As every read.
    public func data(forKey key: String) throws(PreferencesError) -> Data? {
        guard case .data(let data) = try value(forKey: key) else { return nil }
        return data
    }

    /// A point in time; nothing else is taken for one.
    ///
    /// - Throws: As every read.
    public func date(forKey key: String) throws(PreferencesError) -> Date? {
        guard case .date(let date) = try value(forKey: key) else { return nil }
        return date
    }

    /// A URL that was set, or that a text is: a path from `/`, a path from `~/` for the container's present place,
    /// or anything with a scheme; or that was archived, as `UserDefaults` does with a web URL.
    ///
    /// - Throws: As every read.
    public func url(forKey key: String) throws(PreferencesError) -> URL? {
        switch try value(forKey: key) {
        case .string(let text): return container.url(preference: text)
        case .data(let data): return container.url(preference: data)
        default: return nil
        }
    }

    /// An array's members; nothing else is taken for one.
    ///
    /// - Throws: As every read.
    public func array(forKey key: String) throws(PreferencesError) -> [PreferenceValue]? {
        guard case .array(let members) = try value(forKey: key) else { return nil }
        return members
    }

    /// An array whose members are all texts.
    ///
    /// - Throws: As every read.
    public func stringArray(forKey key: String) throws(PreferencesError) -> [String]? {
        try value(forKey: key)?.asStrings
    }

    /// A dictionary's values; nothing else is taken for one.
    ///
    /// - Throws: As every read.
    public func dictionary(forKey key: String) throws(PreferencesError) -> [String: PreferenceValue]? {
        guard case .dictionary(let values) = try value(forKey: key) else { return nil }
        return values
    }
}
