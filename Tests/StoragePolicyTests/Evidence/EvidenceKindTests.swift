import Foundation
@testable import PolicyTexts
@testable import StoragePolicy
import TestSupport
import Testing

/// Each row has an example of a kind of evidence, and the closest one that is none.
@Suite("Kinds of evidence") struct EvidenceKindTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let kind: String
        let file: String
        let with: [String: Data]
        let without: [String: Data]

        var testDescription: String { kind }
    }

    private static func text(_ text: String) -> Data { Data(text.utf8) }

    private static func png(_ width: UInt16, _ height: UInt16) -> Data {
        func bytes(_ number: UInt16) -> [UInt8] { [0, 0, UInt8(number >> 8), UInt8(number & 0xff)] }
        return Data([0x89] + Array("PNG\r\n\u{1a}\n".utf8) + [0, 0, 0, 13] + Array("IHDR".utf8))
            + Data(bytes(width) + bytes(height) + [8, 6, 0, 0, 0] + [UInt8](repeating: 7, count: 64))
    }

    private static func archive(isWhole: Bool) -> Data {
        let end = isWhole ? [0x50, 0x4b, 0x05, 0x06] + [UInt8](repeating: 1, count: 18) : []
        return Data([0x50, 0x4b, 0x03, 0x04] + [UInt8](repeating: 1, count: 2_000) + end)
    }

    private static func files(_ count: Int, in directory: String, _ name: (Int) -> String) -> [String: Data] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("\(directory)/\(name($0))", text("x\($0)")) })
    }

    /// Files of which a list names some: each with its address, by a field or by the key of its record.
    private static func listed(_ named: Int, of count: Int, byKey: Bool) -> [String: Data] {
        func name(_ index: Int) -> String { byKey ? "55\(10 + index)" : "\(index + 1)" }
        let records = (0..<named).map { index in
            let address = "https://media.example.com/covers/\(index)?v=2"
            return byKey
                ? "\"\(name(index))\": {\"url\": \"\(address)\"}"
                : "{\"file\": \"\(name(index)).jpg\", \"url\": \"\(address)\"}"
        }
        let list = byKey ? "{\(records.joined(separator: ","))}" : "[\(records.joined(separator: ","))]"
        let all = files(count, in: "Documents/shelf") { "\(name($0)).jpg" }
        return all.merging(["Documents/shelf.json": text(list)]) { $1 }
    }

    private static func media(_ names: [String]) -> [String: Data] {
        Dictionary(uniqueKeysWithValues: names.map { ("Documents/a/\($0)", text("x")) })
    }

    private static let letter = """
        Dear reader, this is what I wrote on a long evening by the sea. The boats came home late, and
        nobody had caught much; my neighbour laughed about it, and we ate bread with the last of the cheese.
        Tomorrow I shall paint the door, if it does not rain again, and answer all the letters of spring.
        """

    static let rows = [
        Row(
            kind: "small-picture", file: "Documents/faces/face.png",
            with: ["Documents/faces/face.png": png(128, 128), "Documents/faces/other.png": png(128, 128)],
            without: ["Documents/faces/face.png": png(1_920, 1_080)]),
        Row(
            kind: "built-content", file: "Documents/level/__data",
            with: ["Documents/level/__data": text("UnityFS\u{0}\u{0}\u{0}\u{0}\u{8}5.x.x")],
            without: ["Documents/level/__data": text("Unity\u{0}5.x.x")]),
        Row(
            kind: "public-records", file: "Documents/a/films.json",
            with: ["Documents/a/films.json": text(#"[{"poster_path": "/a.jpg", "vote_average": 7.1}]"#)],
            without: ["Documents/a/films.json": text(#"[{"poster_path": "/a.jpg", "stars": 4}]"#)]),
        Row(
            kind: "hash-name", file: "Documents/a/0cc175b9c0f1b6a831c399e269772661",
            with: ["Documents/a/0cc175b9c0f1b6a831c399e269772661": text("x")],
            without: ["Documents/a/0cc175b9c0f1b6a831c399e26977266": text("x")]),
        Row(
            kind: "asset-name", file: "Documents/a/welcome_video.mp4",
            with: ["Documents/a/welcome_video.mp4": text("x")],
            without: ["Documents/a/welcome video.mp4": text("x")]),
        Row(
            kind: "spaced-name", file: "Documents/a/Our garden.bin", with: ["Documents/a/Our garden.bin": text("x")],
            without: ["Documents/a/OurGarden.bin": text("x")]),
        Row(
            kind: "tiny-file", file: "Documents/a/mark", with: ["Documents/a/mark": text("1")],
            without: ["Documents/a/mark": Data(repeating: 1, count: 200)]),
        Row(
            kind: "mixed-media", file: "Documents/a/10012.jpg", with: media(["10012.jpg", "10013.m4a", "10014.pdf"]),
            without: media(["10012.jpg", "10013.m4a", "words.pdf"])),
        Row(
            kind: "unfinished-archive", file: "Documents/packs/pack.zip",
            with: ["Documents/packs/pack.zip": archive(isWhole: false)],
            without: ["Documents/packs/pack.zip": archive(isWhole: true)]),
        Row(
            kind: "address-name", file: "Documents/w/https%3A%2F%2Fcdn.example.com%2Fa%2Fb.bin",
            with: ["Documents/w/https%3A%2F%2Fcdn.example.com%2Fa%2Fb.bin": text("x")],
            without: ["Documents/w/https%3A%2F%2Fcdn.example.com%2Fa%2Fb.docx": text("x")]),
        Row(
            kind: "address-of-common-name", file: "Documents/shelf/1.jpg", with: listed(10, of: 10, byKey: false),
            without: listed(2, of: 10, byKey: false)),
        Row(
            kind: "address-by-number", file: "Documents/shelf/5510.jpg", with: listed(10, of: 10, byKey: true),
            without: listed(2, of: 10, byKey: true)),
        Row(
            kind: "beside-user-files", file: "Documents/box/cache_1.bin",
            with: ["Documents/box/cache_1.bin": text("x"), "Documents/box/evening.txt": text(letter)],
            without: ["Documents/box/cache_1.bin": text("x"), "Documents/box/evening.txt": text("ok")]),
    ]

    @Test("Each kind is found in its example, and not in the closest one that is none", arguments: rows)
    func kinds(row: Row) throws {
        func strength(_ files: [String: Data]) throws -> Double? {
            try withEvidence { fixture throws in
                for (path, content) in files { try fixture.write(path, content) }
                return try fixture.evidence()[row.file]?[row.kind]
            }
        }
        #expect(try strength(row.with) == 1)
        #expect(try strength(row.without) == nil)
    }

    @Test(
        "The more files of one kind, the more they say; people's pictures and what accumulates over weeks say nothing",
        arguments: [
            ("part%.bin", 2, 0, nil), ("part%.bin", 3, 0, 0.089), ("part%.bin", 100, 0, 0.8),
            ("part%.bin", 1_000, 0, 1), ("part%.bin", 30, 2_000, nil), ("1000%.jpg", 30, 0, nil),
            ("goal_picture_%.jpg", 10, 0, 0.4),
        ] as [(String, Int, Int64, Double?)])
    func manyAlike(pattern: String, count: Int, minutesBetween: Int64, expected: Double?) throws {
        try withEvidence { fixture throws in
            func name(_ number: Int) -> String { pattern.replacingOccurrences(of: "%", with: "\(number)") }
            for number in 0..<count {
                try fixture.write("Documents/parts/\(name(number))", minutes: Int64(number) * minutesBetween)
            }
            // Files of other times, so that the container is no copy of one hour.
            for number in 0..<(count + 2) { try fixture.write("Documents/other\(number)/x.plist") }
            let strength = try fixture.evidence()["Documents/parts/\(name(0))"]?["many-alike"]
            #expect(strength.map { ($0 * 1_000).rounded() / 1_000 } == expected)
        }
    }

    @Test(
        "The address of an account is no word, and a scale no account",
        arguments: [
            ("1_someone@conversations.example", true), ("a@b.org", true), ("icon@2x", false), ("a@b", false),
            ("@b.org", false), ("a@b..org", false), ("a@b.1", false),
        ])
    func accounts(name: String, isAccount: Bool) {
        #expect(Array(name.utf8).withUnsafeBytes { NameForm.isAccount($0) } == isAccount)
    }

    @Test("Three small squares with random names count as a set, and neither two nor named ones do")
    func setOfPictures() throws {
        func strength(of names: [String]) throws -> Double? {
            try withEvidence { fixture throws in
                for name in names { try fixture.write("Documents/b/\(name).png", Self.png(64, 64)) }
                return try fixture.evidence()["Documents/b/\(names[0]).png"]?["small-picture"]
            }
        }
        let random = [
            "d610941bc0d11eba94a69f912ba97087", "ca0870df69717eedfb04a66f81345d30", "e9f7fda50236ba8d990d5b466cc87bb2",
        ]
        #expect(try strength(of: random) == 2.2)
        #expect(try strength(of: Array(random.prefix(2))) == 1)
        #expect(try strength(of: ["harbour", "meadow", "lantern"]) == 1)
    }

    @Test("Pairs are a mirror if half of them are answers of a server, and the user's if one is about the user")
    func pairs() {
        func kinds(_ values: [String]) -> [String] {
            var pairs = StoredPairs()
            for (index, value) in values.enumerated() { pairs.add(key: index, value: Array(value.utf8)) }
            return pairs.pieces.map(\.id)
        }
        let answer = #"{"etag": "a1", "fetchedAt": "2026-01-01T00:00:00Z", "items": []}"#
        #expect(kinds([answer, answer]) == ["server-entries"])
        #expect(kinds([answer, "7"]) == ["server-entries"])
        #expect(kinds([answer, "7", "dark"]) == [])
        #expect(kinds([answer, answer, #"{"draftText": "not sent yet", "isDirty": true}"#]) != ["server-entries"])
        #expect(kinds([]) == [])
        let film = #"{"poster_path": "/a.jpg", "vote_average": 7.1}"#
        #expect(kinds([film, film]) == ["public-records"])
        #expect(kinds([film]) == [], "one record among no others says nothing")
    }
}
