import Foundation
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import Testing

@Suite("ContentEvidence") struct ContentEvidenceTests {
    /// A JPEG with EXIF that says who made the camera, in either byte order.
    static func photo(isLittle: Bool = true, tag: UInt16 = 0x010f, entries: UInt16 = 1) -> [UInt8] {
        func short(_ value: UInt16) -> [UInt8] {
            isLittle ? [UInt8(value & 0xff), UInt8(value >> 8)] : [UInt8(value >> 8), UInt8(value & 0xff)]
        }
        func long(_ value: UInt32) -> [UInt8] {
            let bytes = (0..<4).map { UInt8(value >> (8 * $0) & 0xff) }
            return isLittle ? bytes : bytes.reversed()
        }
        let tiff =
            Array((isLittle ? "II" : "MM").utf8) + short(42) + long(8) + short(entries) + short(tag) + short(2)
            + long(6)
            + long(26) + long(0) + Array("Apple\0".utf8)
        let exif = Array("Exif\0\0".utf8) + tiff
        let length = UInt16(exif.count + 2)
        return [0xff, 0xd8, 0xff, 0xe1, UInt8(length >> 8), UInt8(length & 0xff)] + exif + [0xff, 0xd9]
    }

    private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let size = UInt32(content.count + 8)
        return (0..<4).map { UInt8(size >> (24 - 8 * $0) & 0xff) } + Array(type.utf8) + content
    }

    private func ids(_ bytes: [UInt8]) -> [String] { FileEvidence.pieces(in: bytes).map(\.id) }

    @Test("A camera's maker or model in EXIF identifies a photo, in either byte order")
    func camera() {
        for isLittle in [true, false] {
            #expect(ids(Self.photo(isLittle: isLittle)) == ["camera"])
            #expect(ids(Self.photo(isLittle: isLittle, tag: 0x0110)) == ["camera"])
            #expect(ids(Self.photo(isLittle: isLittle, tag: 0x0131)).isEmpty)
        }
        #expect(ids(box("ftyp", Array("heicmif1".utf8)) + Self.photo().dropFirst(6)) == ["camera"])
    }

    @Test(
        "Formats of servers and of users are recognized by their first bytes",
        arguments: [
            ("RIFF\u{10}\0\0\0WEBPVP8 ", ["web-picture"]), ("GIF89a..NETSCAPE2.0", ["web-picture"]), ("GIF89a..", []),
            ("%PDF-1.7 /Author (A)", ["authored-document"]),
            ("%PDF-1.7 /Producer (iOS Version 17 Quartz PDFContext)", ["authored-document"]),
            ("%PDF-1.7", []), ("PK\u{3}\u{4}..[Content_Types].xml", ["authored-document"]), ("PK\u{3}\u{4}..a.png", []),
            ("caff..", ["recording"]), (" {\"etag\": \"x\"}", ["server-fields"]), ("[{\"ttl\": 5}]", ["server-fields"]),
            ("! Title: A\n! Expires: 4 days\n||ads.example^", ["published-list"]), ("! Title: A\nlyrics", []),
            ("[Adblock Plus 2.0]\n||ads.example^", ["published-list"]),
            (String(repeating: "0.0.0.0 ads.example\n", count: 9), ["published-list"]),
            ("[{\"trigger\": {\"url-filter\": \".*\"}, \"action\": {\"type\": \"block\"}}]", ["published-list"]),
            ("{\"trigger\": \"noon\", \"action\": \"eat\"}", []),
            ("<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>A</title>", ["published-list"]),
            ("<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>A</title>", ["published-list"]),
            ("<feed><entry>mine</entry></feed>", []), ("<opml><body/></opml>", ["user-format"]),
            ("NES\u{1a}..", ["user-format"]), ("<?xml version=\"1.0\"?><gpx version=\"1.1\">", ["user-format"]),
            ("BEGIN:VCARD\nFN:A", ["user-format"]), ("RASTATE.", ["user-format"]), ("BEGIN:", []),
            ("ID3\u{3}\0\0\0\0\0\u{f}PCST\0\0\0\u{4}\0\0\0\0\0\0", ["source-tag"]),
            ("ID3\u{3}\0\0\0\0\0\u{f}WOAF\0\0\0\u{9}\0\0http://a/b", ["source-tag"]),
            ("ID3\u{3}\0\0\0\0\0\u{f}TIT2\0\0\0\u{9}\0\0http://a/b", []), ("ID3\u{3}\0\0\0\0\0\u{f}PC", []),
            ("{\"threads\": [{\"text\": \"hello\"}]}", []), ("{\"threads\": [], \"backtrace\": []}", ["crash-report"]),
            ("{\"title\": \"ttl\"}", []), ("", []), ("plain", []), ("RIFF", []), ("%PDF", []),
        ])
    func formats(text: String, expected: [String]) { #expect(ids(Array(text.utf8)) == expected) }

    @Test("A recorder is recognized in a movie's metadata, at the beginning or at the end")
    func recordings() throws {
        let metadata = box("moov", box("udta", Array("com.apple.VoiceMemos (iPhone Version 17.0)".utf8)))
        let start = box("ftyp", Array("M4A mp42".utf8))
        #expect(ids(start + metadata) == ["recording"])
        #expect(ids(start + box("moov", [])).isEmpty)
        try withEvidence { fixture throws in
            let sound = box("mdat", [UInt8](repeating: 7, count: 100_000))
            try fixture.write("Documents/pack/sounds/one.m4a", Data(start + sound + metadata))
            try fixture.write("Documents/other/sounds/two.m4a", Data(start + sound))
            let evidence = try fixture.evidence()
            #expect(evidence["Documents/pack/sounds/one.m4a"]?["recording"] == 1)
            #expect(evidence["Documents/other/sounds/two.m4a"]?["recording"] == nil)
        }
    }

    @Test("The address of a feed in the tags of MP4 is a source, at the beginning or at the end")
    func sourceTags() throws {
        func tags(_ name: String) -> [UInt8] {
            box("moov", box("udta", box("ilst", box(name, box("data", Array("https://example.com/feed".utf8))))))
        }
        let start = box("ftyp", Array("M4A mp42".utf8))
        #expect(ids(start + tags("purl")) == ["source-tag"])
        #expect(ids(start + tags("name")).isEmpty)
        let sound = box("mdat", [UInt8](repeating: 7, count: 100_000))
        let bytes = start + sound + tags("egid")
        let pieces = FileEvidence.pieces(inFileOf: UInt64(bytes.count)) { count, offset in
            Array(bytes.dropFirst(Int(offset)).prefix(count))
        }
        #expect(pieces?.map(\.id) == ["source-tag"])
    }

    @Test("Damaged EXIF is not evidence, and never traps")
    func hostile() {
        let photo = Self.photo()
        for length in 0..<photo.count { _ = ids(Array(photo.prefix(length))) }
        #expect(ids(Self.photo(entries: .max)).isEmpty)
        for offset in 12..<photo.count {
            for value in [0, 0x7f, 0xff] as [UInt8] {
                var bytes = photo
                bytes[offset] = value
                _ = ids(bytes)
            }
        }
        var far = photo
        far.replaceSubrange(16..<20, with: [0xff, 0xff, 0xff, 0xff])
        #expect(ids(far).isEmpty)
    }

    @Test("In a large group, evidence that at least half of the samples share counts, and empty files are skipped")
    func samples() throws {
        try withEvidence { fixture throws in
            for (index, name) in "abcdefghij".enumerated() {
                let content = index == 0 ? Data() : Data(index == 3 ? [0xff, 0xd8, 0xff, 0xe0] : Self.photo())
                try fixture.write("Documents/icons/theme-\(name).jpg", content)
            }
            #expect(try fixture.evidence()["Documents/icons/theme-a.jpg"]?["camera"] == 1)
        }
    }

    @Test("Each file of a small group counts by its own content")
    func each() throws {
        try withEvidence { fixture throws in
            try fixture.write("Documents/icons/theme-a.jpg", Data(Self.photo()))
            try fixture.write("Documents/icons/theme-b.jpg", Data([0xff, 0xd8, 0xff, 0xe0]))
            try fixture.write("Documents/icons/theme-c.jpg", Data())
            let evidence = try fixture.evidence()
            #expect(evidence["Documents/icons/theme-a.jpg"]?["camera"] == 1)
            for name in ["b", "c"] {
                let pieces = try #require(evidence["Documents/icons/theme-\(name).jpg"])
                #expect(pieces["camera"] == nil)
            }
        }
    }

    @Test(
        "Crash reports and logs are recognized by their text",
        arguments: [
            ("crash-report", #"{"name":"NSRangeException","callStackSymbols":["0   CoreFoundation"]}"#),
            ("crash-report", #"{"app_name":"Reader","timestamp":"2025-01-02","bug_type":"309"}"#),
            ("crash-report", "Incident Identifier: 7C3\nHardware Model: iPhone\n"),
            (
                "log-lines",
                "2025-01-02 10:00:00 INFO start\n2025-01-02 10:00:01 WARN slow\n2025-01-02 10:00:02 INFO end\n"
            ),
            ("", "2025-01-02 10:00 dentist\n2025-01-03 11:00 swim\n2025-01-04 12:00 call mum\n"),
            ("written-text", "I woke at 10:00:01 and INFO came.\nThen nothing.\nError of judgement.\n"),
        ])
    func diagnostics(id: String, text: String) {
        #expect(FileEvidence.pieces(in: Array(text.utf8)).map(\.id) == (id.isEmpty ? [] : [id]))
    }
}
