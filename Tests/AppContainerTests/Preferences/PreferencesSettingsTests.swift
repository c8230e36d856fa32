import AppContainer
import ContainerPreferences
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Preferences, settings bundles", .timeLimit(.minutes(60))) struct PreferencesSettingsTests {
    /// Creates the files of a bundle beside a container and runs `body`.
    private func withBundle(
        _ files: [String: Data], _ body: (Preferences, FilePath) throws -> Void
    ) throws {
        try withContainer { container throws in
            let bundle = container.location.removingLastComponent().appending("Settings.bundle")
            for (name, data) in files {
                let file = URL(filePath: bundle.string).appending(path: name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try data.write(to: file)
            }
            try body(try container.preferences(), bundle)
        }
    }

    private func pane(_ specifiers: String, table: String? = nil) -> Data {
        let table = table.map { "<key>StringsTable</key><string>\($0)</string>" } ?? ""
        return Data(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict>\(table)<key>PreferenceSpecifiers</key><array>\(specifiers)</array></dict></plist>
            """.utf8)
    }

    private func specifier(_ type: String, _ entries: String) -> String {
        "<dict><key>Type</key><string>\(type)</string>\(entries)</dict>"
    }

    private func child(_ file: String) -> String {
        specifier(
            "PSChildPaneSpecifier", "<key>Title</key><string>More</string><key>File</key><string>\(file)</string>")
    }

    private func setting(_ type: String, _ key: String, title: String, _ value: String) -> String {
        specifier(
            type,
            "<key>Key</key><string>\(key)</string><key>Title</key><string>\(title)</string>"
                + "<key>DefaultValue</key>\(value)")
    }

    @Test("Every kind of setting is listed and its default registered, also in child panes", .needs(.externalProgram))
    func kinds() throws {
        let root = pane(
            specifier("PSGroupSpecifier", "<key>Title</key><string>Group</string>")
                + setting("PSToggleSwitchSpecifier", "night", title: "Night", "<true/>")
                + setting("PSTextFieldSpecifier", "name", title: "Name", "<string>me</string>") + child("More")
                + setting("PSSliderSpecifier", "volume", title: "", "<real>0.5</real>")
                + specifier("PSTitleValueSpecifier", "<key>Title</key><string>Only said</string>")
                + specifier("PSTextFieldSpecifier", "<key>Key</key><string>free</string>"))
        // The child pane, as Python writes it in binary, refers to the root.
        let write = """
            import plistlib,sys
            sys.stdout.buffer.write(plistlib.dumps({'PreferenceSpecifiers':[
              {'Type':'PSMultiValueSpecifier','Key':'sort','Title':'Sort','DefaultValue':2,
               'Values':[1,2],'Titles':['A','B']},
              {'Type':'PSRadioGroupSpecifier','Key':'size','DefaultValue':'L'},
              {'Type':'PSTitleValueSpecifier','Key':'version','Title':'Version','DefaultValue':'1.0'},
              {'Type':'PSToggleSwitchSpecifier','Key':'night','Title':'Again','DefaultValue':False},
              {'Type':'PSChildPaneSpecifier','Title':'Back','File':'Root'}]},fmt=plistlib.FMT_BINARY))
            """
        let more = try Command("python3", ["-c", write]).output
        try withBundle(["Root.plist": root, "More.plist": more]) { preferences, bundle throws in
            let settings = try preferences.register(settingsBundle: URL(filePath: bundle.string))
            #expect(
                settings.map { "\($0.key)|\($0.title)|\($0.kind)|\($0.defaultValue.map { "\($0)" } ?? "-")" } == [
                    #"night|Night|toggleSwitch|boolean(true)"#, #"name|Name|textField|string("me")"#,
                    #"sort|Sort|multiValue|integer(2)"#, #"size||radioGroup|string("L")"#,
                    #"version|Version|titleValue|string("1.0")"#, #"night|Again|toggleSwitch|boolean(false)"#,
                    #"volume||slider|real(0.5)"#, #"free||textField|-"#,
                ])
            #expect(try preferences.bool(forKey: "night") && preferences.string(forKey: "name") == "me")
            #expect(try preferences.integer(forKey: "sort") == 2 && preferences.double(forKey: "volume") == 0.5)
            #expect(try preferences.value(forKey: "free") == nil)
            try preferences.set(false, forKey: "night")
            #expect(try !preferences.bool(forKey: "night"))
        }
    }

    @Test(
        "Titles are in the requested language, or in the best match of the bundle",
        arguments: [
            (nil, "Night"), ("de", "Nacht"), ("de-CH", "Nacht"), ("pt_BR", "Noite"), ("pt-BR", "Noite"),
            ("zh-Hans-CN", "夜"), ("fr", "NIGHT"),
        ] as [(String?, String)])
    func languages(language: String?, title: String) throws {
        let xml = "<plist><dict><key>Night</key><string>Noite</string></dict></plist>"
        try withBundle([
            "Root.plist": pane(setting("PSToggleSwitchSpecifier", "a", title: "Night", "<true/>"), table: "Root"),
            "de.lproj/Root.strings": Data(#""Night" = "Nacht";"#.utf8),
            "pt-BR.lproj/Root.strings": Data(xml.utf8),
            "zh-Hans.lproj/Root.strings": try #require(#""Night" = "夜";"#.data(using: .utf16)),
            "Base.lproj/Root.strings": Data(#"Night = "NIGHT";"#.utf8),
        ]) { preferences, bundle throws in
            #expect(try preferences.register(settingsBundle: bundle, localization: language).map(\.title) == [title])
        }
    }

    @Test("A pane without a table of strings, or a bundle without the language, keeps its own titles")
    func untranslated() throws {
        let night = setting("PSToggleSwitchSpecifier", "a", title: "Night", "<true/>")
        let strings = Data(#""Night" = "Nacht";"#.utf8)
        try withBundle(["Root.plist": pane(night), "de.lproj/Root.strings": strings]) { preferences, bundle throws in
            #expect(try preferences.register(settingsBundle: bundle, localization: "de").map(\.title) == ["Night"])
        }
        try withBundle([
            "Root.plist": pane(night, table: "Root"), "de.lproj/Root.strings": strings,
        ]) { preferences, bundle throws in
            #expect(try preferences.register(settingsBundle: bundle, localization: "it").map(\.title) == ["Night"])
        }
    }

    /// A table and the title for the key `k`.
    static let tables: [(String, String)] = [
        ("/* a \" = ; */ // b\n\"k\" /* c */ = // d\n\"v\";", "v"), (#"k="v";"#, "v"),
        (#"k = plain.word-1;"#, "plain.word-1"),
        (#""k" = 'it"s';"#, #"it"s"#), (#""k" = "a\"b\\c\n\td\'";"#, "a\"b\\c\n\td'"),
        (#""k" = "\U00e9\u0041\UD83D\UDE00x\101";"#, "éA😀xA"), (#""k";"#, "k"), ("", "k"),
        ("\"other\" = \"x\"; \"k\" = \"two\n lines\";", "two\n lines"), ("\u{feff}k=v;", "v"),
    ]

    @Test("A table of strings is read with its comments and escapes, in UTF-8 and UTF-16", arguments: tables)
    func strings(table: String, title: String) throws {
        let little = table.data(using: .utf16LittleEndian) ?? Data()
        try withBundle([
            "Root.plist": pane(setting("PSToggleSwitchSpecifier", "a", title: "k", "<true/>"), table: "T"),
            "en.lproj/T.strings": Data(table.utf8), "le.lproj/T.strings": little,
            "be.lproj/T.strings": table.data(using: .utf16BigEndian) ?? Data(),
            "bom.lproj/T.strings": Data([0xff, 0xfe]) + little,
        ]) { preferences, bundle throws in
            for language in ["en", "le", "be", "bom"] {
                #expect(
                    try preferences.register(settingsBundle: bundle, localization: language).map(\.title) == [title])
            }
        }
    }

    @Test(
        "An invalid table is an error with the file and the line, and nothing is registered",
        arguments: [
            ("\"k\" = \"v\"", "expected “;”, in line 1"),
            ("a = b;\n/* open", "a comment is not terminated, in line 2"),
            ("\n\n\"k\" = \"v", "a string is not terminated, in line 3"), ("= x;", "expected a text, in line 1"),
            ("k =", "a key without a text, in line 1"), ("k = \"\\Ug\";", "an escape has no number, in line 1"),
            ("k = \"\\351\";", "an octal escape is beyond ASCII, in line 1"),
            ("k = \"\\", "a string is not terminated, in line 1"),
            ("<plist><array/></plist>", "it is not a dictionary"),
            ("<plist><dict><key>k</key><true/></dict></plist>", "“k” is not a string"),
        ])
    func badStrings(table: String, reason: String) throws {
        try withBundle([
            "Root.plist": pane(setting("PSToggleSwitchSpecifier", "a", title: "k", "<true/>"), table: "T"),
            "en.lproj/T.strings": Data(table.utf8),
        ]) { preferences, bundle throws in
            let error = #expect(throws: PreferencesError.self) {
                try preferences.register(settingsBundle: bundle, localization: "en")
            }
            #expect(error?.code == .damaged && error?.path == bundle.string + "/en.lproj/T.strings")
            #expect(error?.description.contains(": \(reason). Nothing is registered.") == true)
            #expect(try preferences.value(forKey: "a") == nil)
        }
    }

    @Test("Panes and tables that are damaged, missing or outside are errors, and nothing is registered")
    func hostile() throws {
        let first = setting("PSToggleSwitchSpecifier", "a", title: "A", "<true/>")
        let bundles: [([String: Data], PreferencesError.Code, String)] = [
            ([:], .notFound, ""), (["Other.plist": pane("")], .notFound, "Root.plist"),
            (["Root.plist": Data("no".utf8)], .damaged, "Root.plist"),
            (["Root.plist": Data("<plist><dict/></plist>".utf8)], .damaged, "Root.plist"),
            (["Root.plist": pane("<string>x</string>")], .damaged, "Root.plist"),
            (["Root.plist": pane(first + specifier("PSChildPaneSpecifier", ""))], .damaged, "Root.plist"),
            (["Root.plist": pane(specifier("PSTextFieldSpecifier", "<key>Key</key><true/>"))], .damaged, "Root.plist"),
            (["Root.plist": pane(first + child("Gone"))], .notFound, "Gone.plist"),
            (["Root.plist": pane(first + child("../Root"))], .invalidName, "Root.plist"),
            (["Root.plist": pane(first + child("/etc/hosts"))], .invalidName, "Root.plist"),
            (["Root.plist": pane(first + child(""))], .invalidName, "Root.plist"),
            (["Root.plist": pane(first, table: "../x")], .invalidName, "Root.plist"),
            (["Root.plist": Data(count: 2 << 20)], .tooLarge, "Root.plist"),
            (["Root.plist/x": Data()], .notAFile, "Root.plist"),
            (
                [
                    "Root.plist": pane(first, table: "T"), "en.lproj/T.strings": Data(##""k" = "\UD83D";"##.utf8),
                ], .damaged, "en.lproj/T.strings"
            ),
        ]
        for (files, code, name) in bundles {
            try withBundle(files) { preferences, bundle throws in
                let error = #expect(throws: PreferencesError.self) {
                    try preferences.register(settingsBundle: bundle, localization: "en")
                }
                #expect(error?.code == code && error?.path == bundle.appending(name).string)
                #expect(try preferences.values().isEmpty)
            }
        }
    }

    @Test("Endless panes, by depth or number, are refused; a hundred are read")
    func bounds() throws {
        var deep: [String: Data] = ["Root.plist": pane(child("P0"))]
        for index in 0..<20 { deep["P\(index).plist"] = pane(child("P\(index + 1)")) }
        try withBundle(deep) { preferences, bundle throws in
            let error = #expect(throws: PreferencesError.self) { try preferences.register(settingsBundle: bundle) }
            #expect(error?.code == .tooLarge && error?.description.contains("exceeds the limits of 100 panes") == true)
        }
        var wide: [String: Data] = [:]
        for index in 1...100 {
            wide["P\(index).plist"] = pane(setting("PSSliderSpecifier", "k\(index)", title: "", "<real>1</real>"))
        }
        wide["Root.plist"] = pane((1...99).map { child("P\($0)") }.joined())
        wide["Other.plist"] = pane((1...100).map { child("P\($0)") }.joined())
        try withBundle(wide) { preferences, bundle throws in
            #expect(try preferences.register(settingsBundle: bundle).count == 99)
            try FileManager.default.removeItem(atPath: bundle.string + "/Root.plist")
            try FileManager.default.moveItem(
                atPath: bundle.string + "/Other.plist", toPath: bundle.string + "/Root.plist")
            let error = #expect(throws: PreferencesError.self) { try preferences.register(settingsBundle: bundle) }
            #expect(error?.code == .tooLarge)
        }
    }

    @Test("A link out of the bundle is not followed, a pipe does not block, and a language must be a name")
    func elsewhere() throws {
        try withBundle(["Other.plist": Data()]) { preferences, bundle throws in
            let outside = bundle.removingLastComponent().appending("outside.plist").string
            try pane("").write(to: URL(filePath: outside))
            let root = bundle.appending("Root.plist").string
            try FileManager.default.createSymbolicLink(atPath: root, withDestinationPath: "../outside.plist")
            let error = #expect(throws: PreferencesError.self) { try preferences.register(settingsBundle: bundle) }
            #expect(error?.code == .leavesContainer)
            #expect(error?.description.contains("leads out of the settings bundle") == true)
            try FileManager.default.removeItem(atPath: root)
            try createPipe(root)
            let pipe = #expect(throws: PreferencesError.self) { try preferences.register(settingsBundle: bundle) }
            #expect(pipe?.code == .notAFile)
            let name = #expect(throws: PreferencesError.self) {
                try preferences.register(settingsBundle: bundle, localization: "../de")
            }
            #expect(name?.code == .invalidName)
            let web = try #require(URL(string: "https://example.com/Settings.bundle"))
            let url = #expect(throws: PreferencesError.self) { try preferences.register(settingsBundle: web) }
            #expect(url?.code == .notFound)
        }
    }
}
