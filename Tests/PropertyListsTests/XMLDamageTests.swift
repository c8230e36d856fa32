import Foundation
import PropertyLists
import TestSupport
import Testing

@Suite("Damage in an XML property list", .timeLimit(.minutes(60))) struct XMLDamageTests {
    /// All elements, nested and indented as Apple's tools write them.
    static let sample = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>aDate</key>
        \t<date>2004-10-26T10:33:33Z</date>
        \t<key>aDict</key>
        \t<dict>
        \t\t<key>aFalseValue</key>
        \t\t<false/>
        \t\t<key>aTrueValue</key>
        \t\t<true/>
        \t\t<key>aUnicodeValue</key>
        \t\t<string>Mässig, Maß &amp; more</string>
        \t\t<key>anotherString</key>
        \t\t<string>&lt;hello &amp; 'hi' there!&gt;</string>
        \t\t<key>deeperDict</key>
        \t\t<dict>
        \t\t\t<key>a</key>
        \t\t\t<integer>17</integer>
        \t\t\t<key>b</key>
        \t\t\t<real>32.5</real>
        \t\t\t<key>c</key>
        \t\t\t<array>
        \t\t\t\t<integer>1</integer>
        \t\t\t\t<string>text</string>
        \t\t\t</array>
        \t\t</dict>
        \t</dict>
        \t<key>aList</key>
        \t<array>
        \t\t<string>A</string>
        \t\t<integer>12</integer>
        \t\t<array/>
        \t</array>
        \t<key>someData</key>
        \t<data>
        \tPGJpbmFyeSBndW5rPg==
        \t</data>
        \t<key>nothing</key>
        \t<dict/>
        </dict>
        </plist>

        """

    private static func isRead(_ bytes: [UInt8]) -> Bool { (try? PropertyListGraph(parsing: bytes)) != nil }

    @Test("Every prefix that ends before </plist> is refused, and only trailing white space may be missing")
    func prefixes() throws {
        let bytes = Array(Self.sample.utf8)
        let end = try #require(Self.sample.range(of: "</plist>")).upperBound
        let whole = Self.sample.utf8.distance(from: Self.sample.startIndex, to: end)
        let accepted = (0..<whole).filter { Self.isRead(Array(bytes[..<$0])) }
        #expect(accepted.isEmpty, "\(accepted.count) of \(whole) prefixes are read, from byte \(accepted.first ?? 0)")
        for length in whole...bytes.count { #expect(Self.isRead(Array(bytes[..<length]))) }
    }

    @Test(
        "A structure that is not well-formed is refused",
        arguments: [
            "<plist><dict></array></plist>", "<plist><array></dict></plist>", "<plist><dict></plist>",
            "<plist><array><string>a</string></plist>", "<plist><dict></dict>", "<plist><dict/></plis>",
            "<plist><dict/></plist", "<plist><string>a</string2></plist>", "<plist><string2>a</string2></plist>",
            "<plist><string2>a</string></plist>", "<plist><dict/><dict/></plist>", "<plist><dict/></dict></plist>",
            "<plist></plist>", "<plist/>", "<plist><dict><key>a</key></dict></plist>",
            "<plist><dict><key>a</key><key>b</key></dict></plist>", "<plist><dict></key></dict></plist>",
            "<plist><dict/>text</plist>", "<plist><dict/></plist>text", "<plist><dict/></plist><plist/>",
            "<plist><dict/></plist>\0", "<plist><array/ ></plist>", "<plist><array</plist>",
            "<plist><true>yes</true></plist>", "<plist><true></false></plist>", "<plist></string></plist>",
            "<plist><string>a<b/></string></plist>", "<plist version=\"1.0><dict/></plist>",
            "<plist><!DOCTYPE plist><dict/></plist>", "<plist2><dict/></plist2>",
        ])
    func structure(text: String) {
        let error = #expect(throws: PropertyListError.self) { try PropertyListGraph(parsing: Array(text.utf8)) }
        #expect(error?.code == .malformed || error?.code == .truncated)
    }

    @Test("A list that expat refuses after a byte of the body is lost or doubled is refused", .needs(.externalProgram))
    func expat() throws {
        let bytes = Array(Self.sample.utf8)
        let body = try #require(Self.sample.range(of: "<dict>")).lowerBound
        let start = Self.sample.utf8.distance(from: Self.sample.startIndex, to: body)
        var accepted: [[UInt8]] = []
        for index in start..<bytes.count {
            let lost = Array(bytes[..<index] + bytes[(index + 1)...])
            let doubled = Array(bytes[...index] + bytes[index...])
            accepted += [lost, doubled].filter(Self.isRead)
        }
        let check = """
            import sys, base64
            from xml.parsers import expat
            refused = 0
            for line in open(sys.argv[1]):
                try: expat.ParserCreate().Parse(base64.b64decode(line), True)
                except expat.ExpatError: refused += 1
            print(refused)
            """
        try withScratch { folder throws in
            let file = folder.appending(path: "cases")
            try Data(accepted.map { Data($0).base64EncodedString() + "\n" }.joined().utf8).write(to: file)
            let refused = try Command("python3", ["-c", check, file.path])
            #expect(refused.text == "0\n", "of \(accepted.count) that are read: \(refused.errors)")
        }
        #expect(!accepted.isEmpty)
    }
}
