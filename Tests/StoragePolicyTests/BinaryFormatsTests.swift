@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import Testing

@Suite("Files of cookies and of keys") struct BinaryFormatsTests {
    private static func big(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    private static func little(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }

    /// A file of one page of cookies with such names and flags.
    private static func file(_ cookies: [(name: String, flags: UInt32)]) -> [UInt8] {
        var bodies: [[UInt8]] = []
        for cookie in cookies {
            let names = Array("a.example\0\(cookie.name)\0/\0v\0".utf8)
            let fields: [UInt32] = [UInt32(56 + names.count), 0, cookie.flags, 0, 56, 66, 0, 0]
            bodies.append(fields.flatMap(little) + [UInt8](repeating: 0, count: 24) + names)
        }
        var page: [UInt8] = [0, 0, 1, 0] + little(UInt32(bodies.count))
        var offset = page.count + bodies.count * 4 + 4
        for body in bodies {
            page += little(UInt32(offset))
            offset += body.count
        }
        page += [0, 0, 0, 0] + bodies.flatMap { $0 }
        return Array("cook".utf8) + big(1) + big(UInt32(page.count)) + page
    }

    @Test("Cookies are read with their names and flags")
    func cookies() {
        let file = Self.file([("sid", 5), ("_ga", 0), ("x", 4)])
        let cookies = file.withUnsafeBytes { CookiesFact.cookies(in: $0) }
        #expect(
            cookies == [
                StoredCookie(name: "sid", isSecure: true, isHTTPOnly: true, hasToken: false),
                StoredCookie(name: "_ga", isSecure: false, isHTTPOnly: false, hasToken: false),
                StoredCookie(name: "x", isSecure: false, isHTTPOnly: true, hasToken: false),
            ])
    }

    @Test("A file of cookies with any byte changed, or cut anywhere, gives fewer cookies and no trap")
    func hostileCookies() {
        let file = Self.file([("sid", 5), ("token", 4)])
        for index in file.indices {
            for byte: UInt8 in [0, 1, 0x7f, 0x80, 0xff] {
                var changed = file
                changed[index] = byte
                #expect(changed.withUnsafeBytes { CookiesFact.cookies(in: $0) }.count <= 10_000)
            }
            #expect(file.prefix(index).withUnsafeBytes { CookiesFact.cookies(in: $0) }.count <= 2)
        }
    }

    @Test("A page that declares a million cookies is read up to the limit")
    func manyCookies() {
        // Every offset is the same, so that a page of 400 KB holds the same cookie 100,000 times.
        var page: [UInt8] = [0, 0, 1, 0] + Self.little(100_000)
        for _ in 0..<100_000 { page += Self.little(0) }
        let file = Array("cook".utf8) + Self.big(1) + Self.big(UInt32(page.count)) + page
        #expect(file.withUnsafeBytes { CookiesFact.cookies(in: $0) }.count == 10_000)
    }

    @Test(
        "A private key is recognized by its structure",
        arguments: [
            ([0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2], "a Java keystore"),
            // PKCS #8: version 0, then an algorithm.
            ([0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22], "a private key in PKCS #8 format"),
            ([0x30, 0x77, 2, 1, 1, 4, 0x20] + [UInt8](repeating: 7, count: 32), "an elliptic-curve private key"),
            (
                [0x30, 0x82, 2, 0x5c, 2, 1, 0, 2, 0x81, 0x81] + [UInt8](repeating: 7, count: 129),
                "an RSA private key"
            ),
        ] as [([UInt8], String)])
    func keys(bytes: [UInt8], form: String) { #expect(PrivateKeyFact.form(of: bytes) == form) }

    @Test(
        "Other structures of the same encoding are not keys",
        arguments: [
            [], [0x30], [0x30, 0x80], [0x30, 0x84, 0xff, 0xff, 0xff, 0xff], [0x30, 0x85, 1, 1, 1, 1, 1],
            // A certificate: a sequence, in it a version and a number.
            [0x30, 0x82, 1, 0xb3, 0x30, 0x82, 1, 0x59, 0xa0, 3, 2, 1, 2, 2, 0x14, 0x7f],
            // A public key: a sequence with an algorithm, then bits.
            [0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 0x21, 0],
            Array("-----BEGIN CERTIFICATE-----".utf8),
        ] as [[UInt8]])
    func noKeys(bytes: [UInt8]) { #expect(PrivateKeyFact.form(of: bytes) == nil) }

    @Test(
        "The module of a class is recognized in both forms of its name",
        arguments: [
            ("Reader.Book", "Reader"), ("_TtC6Reader4Book", "Reader"), ("_TtCC6Reader4Book4Page", "Reader"),
            ("NSArray", nil), ("_Tt", nil), ("_TtC999999999999999999999x", nil), (".Book", nil), ("", nil),
        ])
    func modules(name: String, module: String?) { #expect(ClassName.module(of: name) == module) }
}
