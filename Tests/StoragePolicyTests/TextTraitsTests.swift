internal import FileSystem
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import Secrets
import Testing

@Suite("Traits of texts") struct TextTraitsTests {
    private static let token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    private static let container = "/var/mobile/Containers/Data/Application/01234567-89AB-CDEF-0123-456789ABCDEF"

    private static let texts: [(String, TextTraits)] = [
        ("", .any), ("text", .any), ("tmpfile.txt", .any), ("see http://example.com", .any),
        ("https://example.com/a.png", [.any, .address]),
        ("tmp/a.b", [.any, .purgeablePath]), ("//Library/Caches/a.png", [.any, .purgeablePath]),
        ("Library/Preferences/a.plist", .any),
        (token, [.any, .secret]), ("token: " + token + ".", [.any, .secret]), ("ghp_short", .any),
        ("file://" + container + "/Documents/a.txt", [.any, .storedPath]), (container + "/tmp", [.any, .storedPath]),
        (String(container.dropLast()), .any),
    ]

    @Test("follow from the text alone", arguments: texts)
    func ofText(text: String, expected: TextTraits) {
        var text = text
        #expect(text.withUTF8 { TextTraits(of: $0) } == expected)
    }

    @Test("A search finds the first occurrence, wherever it is")
    func search() {
        for count in 0..<80 {
            for wanted in ["-", "ab", "\"etag\"", "0123456789abcdefghi"].map({ Array($0.utf8) }) {
                let blank = [UInt8](repeating: UInt8(ascii: "a"), count: count)
                for start in 0...count {
                    let bytes = blank[..<start] + wanted + blank[start...] + wanted
                    let found = Array(bytes).withUnsafeBytes {
                        [$0.position(of: wanted), $0.position(of: wanted, from: start + 1)]
                    }
                    #expect(found == [start, count + wanted.count])
                }
                let missing = blank.withUnsafeBytes { $0.position(of: wanted) }
                #expect(missing == nil)
            }
        }
    }

    @Test("A secret is found at every position of the bytes and only if it begins in the range")
    func secretPositions() {
        for before in 0..<70 {
            let bytes = Array((String(repeating: "-", count: before) + Self.token + " eyJ_-").utf8)
            bytes.withUnsafeBytes { bytes in
                #expect(SecretShape.matches(in: bytes).map(\.shape.phrase) == ["a GitHub token"])
                #expect(SecretShape.matches(in: bytes, from: before..<(before + 1)).map(\.length) == [40])
                #expect(SecretShape.matches(in: bytes, from: 0..<before).isEmpty)
                #expect(SecretShape.matches(in: bytes, from: (before + 1)..<bytes.count).isEmpty)
            }
        }
    }
}
