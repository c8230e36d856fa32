import Foundation
import PropertyLists
import TestSupport
import Testing

@Suite("Variants of an XML property list") struct XMLFormsTests {
    private static func list(_ body: String, encoding: String = "UTF-8") -> String {
        "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>\n<plist version=\"1.0\">\(body)</plist>\n"
    }

    private static func root(_ body: String) throws -> PropertyListValue {
        try PropertyListGraph(parsing: Array(list(body).utf8)).root
    }

    @Test(
        "UTF-16 is read as in Foundation, in both byte orders, with and without a byte order mark",
        arguments: [
            (String.Encoding.utf16, "UTF-16"), (.utf16BigEndian, "UTF-16"), (.utf16LittleEndian, "UTF-16LE"),
            (.isoLatin1, "ISO-8859-1"), (.ascii, "windows-1252"),
        ])
    func encodings(encoding: String.Encoding, name: String) throws {
        let text = encoding == .ascii ? "Gruesse" : encoding == .isoLatin1 ? "Grüße" : "Grüße 日本 😀"
        let data = try #require(
            Self.list("<dict><key>k</key><string>\(text)</string></dict>", encoding: name)
                .data(using: encoding))
        #expect(try PropertyListGraph(parsing: Array(data)).root["k"]?.string == text)
    }

    @Test("Text that is not valid in its encoding is refused")
    func brokenText() throws {
        let utf8 = Array("<plist><string>".utf8) + [0xc3] + Array("</string></plist>".utf8)
        let other = Array(Self.list("<string>", encoding: "Shift_JIS").utf8) + [0x82, 0xa0]
        var half = [UInt8](try #require(Self.list("<string>ab</string>").data(using: .utf16LittleEndian)))
        let letter = try #require(half.firstIndex(of: UInt8(ascii: "b")))
        half[letter + 1] = 0xd8
        for bytes in [utf8, other, half] {
            #expect(throws: PropertyListError.self) { try PropertyListGraph(parsing: bytes) }
        }
    }

    @Test("The last value of a repeated key is used, as in Foundation")
    func duplicates() throws {
        let body = "<dict><key>k</key><integer>1</integer><key>l</key><true/><key>k</key><integer>2</integer></dict>"
        let root = try Self.root(body)
        #expect(root["k"]?.node == .integer(2) && root.count == 2)
        let list = try PropertyListSerialization.propertyList(from: Data(Self.list(body).utf8), format: nil)
        #expect((list as? [String: Any])?["k"] as? Int == 2)
        // Keys that differ in Unicode composition are two keys.
        let accents = "<dict><key>\u{e9}</key><integer>1</integer><key>e\u{301}</key><integer>2</integer></dict>"
        #expect(try Self.root(accents).count == 2)
    }

    @Test(
        "A date of any year is equal to that of Foundation",
        arguments: [
            "2004-10-26T10:33:33Z", "0001-01-01T00:00:00Z", "0000-12-31T12:25:12Z", "-001-03-01T00:00:00Z",
            "-5001-12-31T18:36:00Z", "1500-02-28T00:00:00Z", "9999-12-31T23:59:59Z", "10000-01-01T06:36:00Z",
            "300000-01-01T06:36:00Z",
        ])
    func dates(text: String) throws {
        let body = "<date>\(text)</date>"
        guard case .date(let seconds) = try Self.root(body).node else {
            Issue.record("no date")
            return
        }
        let list = try PropertyListSerialization.propertyList(from: Data(Self.list(body).utf8), format: nil)
        #expect(seconds == (list as? Date)?.timeIntervalSinceReferenceDate)
    }

    @Test(
        "An invalid date is refused",
        arguments: [
            "", "-", "2026", "2026-01-01", "2026-13-01T00:00:00Z", "2026-01-01T00:00:00", "2026-1-01T00:00:00Z",
            " 2026-01-01T00:00:00Z", "2026-01-01T00:00:00Zx", "--26-01-01T00:00:00Z", "2026-01-00T00:00:00Z",
            "2026-01-01T99:00:00Z", "99999999999999999999-01-01T00:00:00Z", "2026:01:01-00T00T00Z",
        ])
    func noDates(text: String) {
        #expect(throws: PropertyListError.self) { try Self.root("<date>\(text)</date>") }
    }

    /// Returns true if our reader and Foundation's read the same value, or if both refuse it.
    private static func isAsInFoundation(_ body: String) -> Bool {
        let list = try? PropertyListSerialization.propertyList(from: Data(list(body).utf8), format: nil)
        switch (try? root(body).node, list) {
        case (nil, nil): return true
        case (.data(let bytes), let data as Data): return bytes == [UInt8](data)
        case (.real(let number), let other as Double): return number == other || number.isNaN && other.isNaN
        case (.integer(let number), let other as NSNumber): return number == other.int64Value
        case (.unsigned(let number), let other as NSNumber): return number == other.uint64Value
        default: return false
        }
    }

    @Test(
        "Integers are read as in Foundation, also damaged ones",
        arguments: [
            "+5", "-0x1F", "0X1f", "007", " 1", "\n7", "1 ", "7\n", "1\0", "1abc", "", "--5", "1.5", "0x",
            "18446744073709551615", "18446744073709551616", "-9223372036854775808", "-9223372036854775809",
        ])
    func integers(text: String) { #expect(Self.isAsInFoundation("<integer>\(text)</integer>")) }

    @Test(
        "Numbers are read as in Foundation, also damaged ones",
        arguments: [
            "1.5", " 1.5", "\n1.5", "1.5 ", "1.5\0", "1.5\0abc", "1.5 abc", "1.5abc", "", "abc", "nan", "NaN", "inf",
            "INF",
            "+infinity", "-Infinity", "nan(1)", "-nan", "+nan", " nan", "inf ", "1e400", "1e-400", "0x1p3", "0x10",
            "1,5", "1.", ".5", ".", "1e", "e1",
            "1e5", "1E+05", "+1.5", "--1", "+-1", "1_000", "1-2", "-0",
        ])
    func reals(text: String) { #expect(Self.isAsInFoundation("<real>\(text)</real>")) }

    @Test(
        "Data is read as in Foundation, also with missing and foreign characters",
        arguments: [
            "QUJD", "QUJ", "QU", "Q", "QUJDR", "QUJDRE", "QUJDREU", "QUI=", "QU==", "QU=", "Q===", "====", "QUJD=",
            "QUI=QUJD", "QU==QUJD", "QU!JD", "QUJD\0", "Q U J D", "-_-_", "", "QUJDé", "=QUJD", "Q=UJD", "QUJDQ=",
            "QUJDQUI==", "QV==", "QUJ=", "QUJDQUJ=QU==Q",
        ])
    func damagedData(text: String) { #expect(Self.isAsInFoundation("<data>\(text)</data>")) }

    @Test("Data is read with other characters at any position")
    func data() throws {
        for count in 0..<9 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 250 - $0 * 31) }
            let text = Data(bytes).base64EncodedString()
            for position in 0...text.count {
                let index = text.index(text.startIndex, offsetBy: position)
                for inserted in ["\n\t ", "?"] {
                    let body = "<data>\(text[..<index])\(inserted)\(text[index...])</data>"
                    #expect(try Self.root(body).node == .data(bytes))
                }
            }
        }
    }
}
