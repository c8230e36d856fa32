import AppContainer
import ContainerPreferences
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Preferences and other programs") struct PreferencesInteropTests {
    @Test("Python's plistlib reads exactly the saved values", .needs(.externalProgram))
    func pythonReads() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.change { edit in
                edit.set("Grüße 日本 😀", forKey: "text")
                edit.set(true, forKey: "yes")
                edit.set(-1, forKey: "negative")
                edit.set(PreferenceValue.unsigned(.max), forKey: "large")
                edit.set(0.1, forKey: "real")
                edit.set(Date(timeIntervalSinceReferenceDate: 1), forKey: "day")
                edit.set(Data([0, 255]), forKey: "bytes")
                edit.set(["a": [1, "x", [:]]] as PreferenceValue, forKey: "mixed")
            }
            let read = """
                import plistlib,sys
                b=open(sys.argv[1],'rb').read(); p=plistlib.loads(b)
                print(b[:8],list(p)); print(p['text'],p['yes'],p['negative'],p['large'],p['real'],p['day'],p['bytes'],
                p['mixed'])
                """
            let path = try container.path(.preferences / "com.example.app.plist").string
            #expect(
                try Command("python3", ["-c", read, path], environment: ["PYTHONIOENCODING": "utf-8"]).text == """
                    b'bplist00' ['bytes', 'day', 'large', 'mixed', 'negative', 'real', 'text', 'yes']
                    Grüße 日本 😀 True -1 18446744073709551615 0.1 2001-01-01 00:00:01 b'\\x00\\xff' {'a': [1, 'x', {}]}

                    """)
        }
    }

    @Test(
        "The output of plistlib is read, and every value is kept by a change", .needs(.externalProgram),
        arguments: ["XML", "BINARY"])
    func readsPython(form: String) throws {
        try withContainer { container throws in
            let path = try container.path(.preferences / "com.example.app.plist").string
            let write = """
                import plistlib,sys,datetime
                p={'text':'ü<&>','yes':True,'no':False,'n':-5,'large':2**64-1,'real':0.1,'bytes':b'12',
                   'day':datetime.datetime(2026,1,31,12,0,1),'m':[1,{'b':[]}],'':'empty key'}
                plistlib.dump(p,open(sys.argv[1],'wb'),fmt=plistlib.FMT_\(form))
                """
            #expect(try Command("python3", ["-c", write, path]).code == 0)
            let preferences = try container.preferences()
            let expected: [String: PreferenceValue] = [
                "text": "ü<&>", "yes": true, "no": false, "n": -5, "large": .unsigned(.max), "real": 0.1,
                "bytes": .data(Data("12".utf8)), "day": .date(Date(timeIntervalSince1970: 1_769_860_801)),
                "m": [1, ["b": []]], "": "empty key",
            ]
            #expect(try preferences.values() == expected)
            try preferences.set("new", forKey: "added")
            let read = """
                import plistlib,sys,datetime
                p=plistlib.load(open(sys.argv[1],'rb'))
                print(p.pop('added'), p=={'text':'ü<&>','yes':True,'no':False,'n':-5,'large':2**64-1,'real':0.1,
                'bytes':b'12','day':datetime.datetime(2026,1,31,12,0,1),'m':[1,{'b':[]}],'':'empty key'})
                """
            #expect(try Command("python3", ["-c", read, path]).text == "new True\n")
        }
    }

    @Test("A write in place by another program, to the same size, is detected")
    func inPlace() throws {
        try withContainer { container throws in
            let place = ContainerPath.preferences / "com.example.app.plist"
            let preferences = try container.preferences()
            try container.save("<plist><dict><key>a</key><integer>1</integer></dict></plist>", to: place)
            #expect(try preferences.integer(forKey: "a") == 1)
            let path = try container.path(place).string
            for number in 2...9 {
                try URL(filePath: "/").write(Data("\(number)".utf8), to: path, at: 34)
                #expect(try preferences.integer(forKey: "a") == number)
            }
        }
    }

    @Test("Strings that differ only in Unicode composition remain distinct")
    func accents() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.set(["\u{e9}", "e\u{301}"], forKey: "a")
            let texts = try #require(try preferences.stringArray(forKey: "a"))
            #expect(texts.map { Array($0.unicodeScalars).count } == [1, 2])
        }
    }

    @Test("Of two keys that Swift considers equal the last is used, and all other values can be read and set")
    func equalKeys() throws {
        try withContainer { container throws in
            let keys = "<key>\u{e9}</key><integer>1</integer><key>e\u{301}</key><integer>2</integer>"
            let list = "<plist version=\"1.0\"><dict>\(keys)<key>b</key><string>c</string></dict></plist>"
            try container.save(list, to: .preferences / "org.example.app.plist")
            let preferences = try container.preferences(suite: "org.example.app")
            #expect(try preferences.string(forKey: "b") == "c" && preferences.integer(forKey: "e\u{301}") == 2)
            try preferences.set(3, forKey: "d")
            let again = try container.preferences(suite: "org.example.app")
            #expect(try again.integer(forKey: "\u{e9}") == 2 && again.string(forKey: "b") == "c")
        }
    }
}
