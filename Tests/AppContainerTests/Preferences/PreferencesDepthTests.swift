import AppContainer
import ContainerPreferences
import Foundation
import TestSupport
import Testing

@Suite("Preferences, nested values", .timeLimit(.minutes(60))) struct PreferencesDepthTests {
    private static func nested(_ depth: Int) -> PreferenceValue {
        (0..<depth).reduce(.boolean(true)) { value, _ in .dictionary(["k": value]) }
    }

    @Test("Values are read, compared and written to the maximum depth on a small stack, and refused beyond it")
    func depth() throws {
        try withContainer { container throws in
            try onSmallStack {
                let preferences = try container.preferences()
                // The dictionary of the file is one level.
                for depth in [300, 398] {
                    try preferences.set(Self.nested(depth), forKey: "deep")
                    try preferences.set(depth, forKey: "other")
                    #expect(try preferences.value(forKey: "deep") == Self.nested(depth))
                    #expect(Set([Self.nested(depth), Self.nested(depth)]).count == 1)
                }
                let error = #expect(throws: PreferencesError.self) {
                    try preferences.set(Self.nested(399), forKey: "deep")
                }
                #expect(error?.code == .tooLarge)
                #expect(try preferences.value(forKey: "deep") == Self.nested(398))
            }
        }
    }

    @Test("XML with 300 nested dictionaries is read on a small stack, and with 100,000 refused")
    func hostile() throws {
        try withContainer { container throws in
            let place = ContainerPath.preferences / "com.example.app.plist"
            func text(_ depth: Int) -> String {
                "<plist>" + String(repeating: "<dict><key>k</key>", count: depth) + "<true/>"
                    + String(repeating: "</dict>", count: depth) + "</plist>"
            }
            try container.save(text(300), to: place)
            try onSmallStack {
                let value = try container.preferences().value(forKey: "k")
                #expect(value == Self.nested(299))
            }
            try container.save(text(100_000), to: place)
            try onSmallStack {
                let error = #expect(throws: PreferencesError.self) { try container.preferences().value(forKey: "k") }
                #expect(error?.code == .damaged)
            }
        }
    }

    @Test("Values are equal if all nested values are")
    func equality() {
        let one = PreferenceValue.array([.dictionary(["a": .integer(1), "b": .array([.real(.nan)])]), .string("x")])
        let same = PreferenceValue.array([.dictionary(["b": .array([.real(.nan)]), "a": .integer(1)]), .string("x")])
        #expect(one == same && one.hashValue == same.hashValue)
        for other in [
            PreferenceValue.array([.dictionary(["a": .integer(2), "b": .array([.real(.nan)])]), .string("x")]),
            .array([.dictionary(["a": .integer(1), "c": .array([.real(.nan)])]), .string("x")]),
            .array([.dictionary(["a": .integer(1)]), .string("x")]), .array([.string("x")]), .dictionary([:]),
        ] { #expect(one != other) }
    }
}
