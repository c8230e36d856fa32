import AppContainer
import ContainerPreferences
import Foundation
import TestSupport
import Testing

@Suite("Preferences, coercions") struct PreferencesCoercionTests {
    /// A value and its conversions to a string, a Boolean, an integer and a number.
    struct Row: Sendable, CustomTestStringConvertible {
        let value: PreferenceValue
        let string: String?
        let bool: Bool
        let integer: Int
        let double: Double
        /// The reason for a different result of Foundation on Linux, if any.
        var differs: String?

        init(
            _ value: PreferenceValue, _ string: String?, _ bool: Bool, _ integer: Int, _ double: Double,
            differs: String? = nil
        ) {
            (self.value, self.string, self.bool, self.integer, self.double) = (value, string, bool, integer, double)
            self.differs = differs
        }

        var testDescription: String { "\(value)" }
    }

    static let wholeReal = "a whole real number has no .0 on Apple's systems"
    static let saturates = "a number out of range is the nearest in it"
    static let wide = "Foundation gives nothing for numbers of the full width"

    static let rows = [
        Row(true, "1", true, 1, 1), Row(false, "0", false, 0, 0),
        Row(0, "0", false, 0, 0), Row(1, "1", true, 1, 1), Row(-7, "-7", true, -7, -7), Row(2, "2", true, 2, 2),
        Row(.integer(.max), "9223372036854775807", true, .max, 9.223372036854775807e18, differs: wide),
        Row(.unsigned(.max), "18446744073709551615", true, .max, 1.8446744073709551615e19, differs: wide),
        Row(0.5, "0.5", true, 0, 0.5), Row(2.75, "2.75", true, 2, 2.75), Row(-0.4, "-0.4", true, 0, -0.4),
        Row(1.0, "1", true, 1, 1, differs: wholeReal), Row(0.0, "0", false, 0, 0, differs: wholeReal),
        Row(0.1, "0.1", true, 0, 0.1), Row(1e-7, "1e-07", true, 0, 1e-7),
        Row(.float(12.34), "12.34", true, 12, Double(12.34 as Float)), Row(.float(-0.5), "-0.5", true, 0, -0.5),
        Row(.float(2), "2", true, 2, 2, differs: wholeReal), Row(.float(0), "0", false, 0, 0, differs: wholeReal),
        Row(1e20, "1e+20", true, .max, 1e20, differs: saturates),
        Row(-1e20, "-1e+20", true, .min, -1e20),
        Row(.real(.infinity), "inf", true, .max, .infinity, differs: saturates),
        Row("YES", "YES", true, 0, 0), Row("yes", "yes", true, 0, 0), Row("Y", "Y", true, 0, 0),
        Row("true", "true", true, 0, 0), Row("TRUE", "TRUE", true, 0, 0), Row("t", "t", true, 0, 0),
        Row("1", "1", true, 1, 1), Row("01", "01", true, 1, 1), Row("-1", "-1", true, -1, -1),
        Row("NO", "NO", false, 0, 0), Row("false", "false", false, 0, 0), Row("0", "0", false, 0, 0),
        Row("", "", false, 0, 0), Row("abc", "abc", false, 0, 0), Row("inf", "inf", false, 0, 0),
        Row("42", "42", true, 42, 42), Row("  42 ", "  42 ", true, 42, 42), Row("+5", "+5", true, 5, 5),
        Row("42abc", "42abc", true, 42, 42), Row("4.9", "4.9", true, 4, 4.9), Row("-4.9", "-4.9", true, -4, -4.9),
        Row("1e3", "1e3", true, 1, 1000), Row(".5", ".5", false, 0, 0.5), Row("0x10", "0x10", false, 0, 0),
        Row("99999999999999999999", "99999999999999999999", true, .max, 1e20),
        Row(.data(Data([1])), nil, false, 0, 0), Row(.date(.distantPast), nil, false, 0, 0),
        Row(["a", "b"], nil, false, 0, 0), Row(["a": 1], nil, false, 0, 0),
    ]

    @Test("A value is converted to another type as by UserDefaults", arguments: rows)
    func table(row: Row) throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            preferences.register(defaults: ["a": row.value])
            #expect(try preferences.string(forKey: "a") == row.string)
            #expect(try preferences.bool(forKey: "a") == row.bool)
            #expect(try preferences.integer(forKey: "a") == row.integer)
            #expect(try preferences.double(forKey: "a") == row.double)
            #expect(try preferences.float(forKey: "a") == Float(row.double))
        }
    }

    @Test("Foundation's UserDefaults has the same results, except where a reason is given", arguments: rows)
    func foundation(row: Row) throws {
        let defaults = try #require(UserDefaults(suiteName: "sandboxlint-\(UUID().uuidString)"))
        // In memory only: it is removed before it is written to disk.
        defaults.set(Self.object(row.value), forKey: "a")
        defer { defaults.removeObject(forKey: "a") }
        let isSame =
            defaults.string(forKey: "a") == row.string && defaults.bool(forKey: "a") == row.bool
            && defaults.integer(forKey: "a") == row.integer && defaults.double(forKey: "a") == row.double
            && defaults.float(forKey: "a") == Float(row.double)
        #expect(isSame == (row.differs == nil), "\(row.differs ?? "no difference is known")")
    }

    @Test("Collections and data are not converted")
    func collections() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            preferences.register(defaults: ["texts": ["a", "b"], "numbers": [1, 2], "text": "a", "number": 1])
            preferences.register(defaults: ["mixed": ["a", 1] as PreferenceValue, "none": [] as PreferenceValue])
            #expect(try preferences.stringArray(forKey: "texts") == ["a", "b"])
            #expect(try preferences.stringArray(forKey: "none") == [])
            #expect(try preferences.stringArray(forKey: "numbers") == nil)
            #expect(try preferences.stringArray(forKey: "mixed") == nil)
            #expect(try preferences.array(forKey: "mixed") == ["a", 1])
            for key in ["text", "number"] {
                #expect(try preferences.array(forKey: key) == nil && preferences.stringArray(forKey: key) == nil)
                #expect(try preferences.dictionary(forKey: key) == nil && preferences.data(forKey: key) == nil)
                #expect(try preferences.date(forKey: key) == nil && preferences.url(forKey: key) == nil)
            }
        }
    }

    private static func object(_ value: PreferenceValue) -> Any {
        switch value {
        case .boolean(let value): value
        case .integer(let value): Int(value)
        case .unsigned(let value): value
        case .real(let value): value
        case .float(let value): value
        case .date(let date): date
        case .data(let data): data
        case .string(let text): text
        case .array(let members): members.map { object($0) }
        case .dictionary(let values): values.mapValues { object($0) }
        }
    }
}
