import Foundation
@testable import PolicyTexts
import PropertyLists
@testable import StoragePolicy
import TestSupport
import Testing

@Suite("FieldEvidence") struct FieldEvidenceTests {
    private func shown(_ pieces: [PieceOfEvidence]) -> [String] {
        pieces.map { "\($0.id) \($0.strength) \($0.detail)" }
    }

    @Test(
        "Names of servers' answers are evidence for, names of what users write are evidence against, and values count",
        arguments: [
            (#"{"etag": "\"a\"", "body": 1}"#, ["server-fields 1.0 etag"]),
            (#"[{"fetchedAt": 17, "id": 3}]"#, ["server-fields 1.0 fetchedAt"]),
            (#"{"max-age": 0, "etag": null}"#, []),
            (#"{"date": "Wed, 31 Dec 2025 23:00:00 GMT"}"#, ["server-fields 1.0 date"]),
            (#"{"published": "Wed, 31 Dec 2025 23:00:00 GMT"}"#, []),
            (#"{"published": "Wed, 31 Dec 2025 23:00:00 GMT", "feed_url": "x"}"#, ["public-records 1.0 feed_url"]),
            (#"{"next_cursor": "abc", "items": []}"#, ["server-fields 0.6 next_cursor"]),
            (#"{"pageInfo": {"hasNextPage": true}}"#, ["server-fields 1.0 hasNextPage"]),
            (#"{"experiments": {"a": 1}, "minVersion": "2.0"}"#, ["server-fields 1.0 experiments"]),
            (#"{"accessToken": "x", "expires_in": 3600}"#, ["user-fields 1.0 token"]),
            (#"{"draft": "Dear reader"}"#, ["user-fields 1.0 draft"]),
            (#"{"draft": false, "favorites": [], "highScore": 0, "bookmark": ""}"#, []),
            (#"{"favorites": ["a"], "highScore": 120}"#, ["user-fields 1.0 favorites"]),
            (#"{"favouritesCount": 3, "favourited": true, "bookmarkUrl": "x"}"#, ["server-fields 0.6 favouritesCount"]),
            // A response with marks of its reader stays undecided.
            (#"{"nextPageToken": "x", "items": [{"isFavorite": true}]}"#, []),
            (#"{"title": "etag", "text": "\"ttl\": 5"}"#, []),
            (#"{"etag": "cut off"#, ["server-fields 1.0 etag"]), ("{\"etag", []), ("{", []), ("", []),
        ])
    func json(text: String, expected: [String]) {
        #expect(shown(FieldEvidence(json: Array(text.utf8)).pieces) == expected)
    }

    @Test("Fields of property lists and keyed archives count, and the classes of responses")
    func propertyLists() throws {
        func evidence(_ value: Any, format: PropertyListSerialization.PropertyListFormat = .binary) throws -> [String] {
            let data = try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
            return shown(FieldEvidence(try PropertyListGraph(parsing: Array(data))).pieces)
        }
        #expect(try evidence(["items": [["ETag": "a", "url": "b"]]]) == ["server-fields 1.0 ETag"])
        #expect(
            try evidence(["recentSearches": ["a"], "lastFetch": Date(timeIntervalSince1970: 0)], format: .xml) == [])
        #expect(try evidence(["recentSearches": ["a"]], format: .xml) == ["user-fields 0.7 recentSearches"])
        #expect(try evidence(["recentSearches": [String](), "darkMode": false]) == [])

        func archive(_ objects: [String], top: String) -> String {
            """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>$archiver</key>\
            <string>NSKeyedArchiver</string><key>$top</key><dict><key>root</key>\(top)</dict><key>$objects</key>\
            <array><string>$null</string>\(objects.joined())</array></dict></plist>
            """
        }
        func evidence(of xml: String) throws -> [String] {
            shown(FieldEvidence(try PropertyListGraph(parsing: Array(xml.utf8))).pieces)
        }
        let uid = { (number: Int) in "<dict><key>CF$UID</key><integer>\(number)</integer></dict>" }
        let response = archive(
            ["<dict><key>$classname</key><string>NSHTTPURLResponse</string></dict>"], top: uid(1))
        #expect(try evidence(of: response) == ["server-fields 1.0 NSHTTPURLResponse"])
    }

    @Test("The fields of a property list that rules read are evidence on the file")
    func list() throws {
        try withEvidence { fixture throws in
            let list = { try PropertyListSerialization.data(fromPropertyList: $0, format: .binary, options: 0) }
            try fixture.write("Documents/a.plist", try list(["etag": "x", "body": "y"]))
            try fixture.write("Documents/b.plist", try list(["drafts": ["x"]]))
            let evidence = try fixture.evidence()
            #expect(evidence["Documents/a.plist"]?["server-fields"] == 1)
            #expect(evidence["Documents/b.plist"]?["user-fields"] != nil)
        }
    }

    @Test("Random and damaged bytes are evidence at most, and never trap")
    func hostile() {
        let text = Array(#"{"etag": "\"a\"", "draft": [{"x\\": 1}], "ttl": 5}"#.utf8)
        for length in 0...text.count { _ = FieldEvidence(json: Array(text.prefix(length))) }
        for offset in text.indices {
            for value in [0, 0x22, 0x5c, 0xff] as [UInt8] {
                var bytes = text
                bytes[offset] = value
                _ = FieldEvidence(json: bytes)
            }
        }
    }
}
