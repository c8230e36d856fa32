import AppContainer
import ContainerPreferences
import Foundation
import TestSupport
import Testing

@Suite("Preferences, damaged XML") struct PreferencesDamageTests {
    private static let head = "<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\n<dict>\n<key>a</key>\n"

    @Test(
        "A file that is truncated or not well-formed is an error of reads and changes, and is unchanged",
        arguments: [
            head + "<string>x</string>\n<key>b</key>\n<array><string>y</string>",
            head + "<string>x</string>\n</array>\n<key>b</key><string>y</string></dict></plist>",
            head + "<string>x</string>\n</dict>\n", head + "<string>x</string>\n</dict>\n</plist",
            head + "<string2>x</string2>\n</dict>\n</plist>\n",
            head + "<string>x</string>\n</dict>\n<dict><key>b</key><true/></dict></plist>",
            head + "<string>x</string>\n</dict>\n</plist>\n<dict><key>b</key><true/></dict>",
        ])
    func damaged(text: String) throws {
        try withContainer { container throws in
            let place = ContainerPath.preferences / "com.example.app.plist"
            try container.save(text, to: place)
            let preferences = try container.preferences()
            let read = #expect(throws: PreferencesError.self) { try preferences.string(forKey: "a") }
            let change = #expect(throws: PreferencesError.self) { try preferences.set(1, forKey: "c") }
            #expect(read?.code == .damaged && change?.code == .damaged)
            #expect(try container.loadText(place) == text)
        }
    }
}
