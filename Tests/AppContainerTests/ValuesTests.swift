import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Values") struct ValuesTests {
    struct Book: Codable, Sendable, Equatable {
        var title: String
        var pages: Int
        var read: Date?
    }

    private let books = [
        Book(title: "Grüße", pages: 3, read: Date(timeIntervalSince1970: 86_400)),
        Book(title: "", pages: -1, read: nil),
    ]

    @Test("A value is loaded as it was saved, as JSON and as a property list", .needs(.externalProgram))
    func roundTrip() throws {
        try withContainer { container throws in
            let plist = PropertyListEncoder()
            plist.outputFormat = .binary
            try container.save(books, to: .documents / "b.json", encoder: JSONEncoder())
            try container.save(books, to: .documents / "b.plist", encoder: plist)
            #expect(try container.load([Book].self, from: .documents / "b.json", decoder: JSONDecoder()) == books)
            #expect(
                try container.load([Book].self, from: .documents / "b.plist", decoder: PropertyListDecoder()) == books)
            let title = "import json,sys;print(json.load(open(sys.argv[1]))[0]['title'])"
            let path = try container.path(.documents / "b.json").string
            #expect(try Command("python3", ["-c", title, path], environment: ["PYTHONUTF8": "1"]).text == "Grüße\n")
        }
    }

    @Test("Content in another format is damaged, and a value that cannot be encoded leaves the old file")
    func failures() throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "b.json"
            try container.save("[1, 2", to: place)
            let damaged = #expect(throws: ContainerError.self) {
                try container.load([Int].self, from: place, decoder: JSONDecoder())
            }
            #expect(damaged?.code == .damaged)
            #expect(damaged?.path == "Documents/b.json")
            let refused = #expect(throws: ContainerError.self) {
                try container.save([Double.nan], to: place, encoder: JSONEncoder())
            }
            #expect(refused?.code == .notEncodable)
            #expect(refused?.description.contains("Nothing on disk has changed") == true)
            #expect(try container.loadText(place) == "[1, 2")
        }
    }

    final class Chain: Decodable {
        let next: [Chain]
    }

    /// A binary property list of objects, up to 255 bytes in total, the first one the root.
    private static func propertyList(_ objects: [[UInt8]]) -> [UInt8] {
        var bytes = [UInt8]("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        let table = UInt8(bytes.count)
        let zeros = [UInt8](repeating: 0, count: 7)
        return bytes + offsets + zeros.dropLast() + [1, 1] + zeros + [UInt8(objects.count)] + zeros + [0] + zeros
            + [table]
    }

    private static let next = [0x54] + [UInt8]("next".utf8)

    @Test(
        "A property list that Foundation's decoder would follow endlessly is an error",
        arguments: [
            // {next: [itself]}, and 25 arrays of twice the next.
            (propertyList([[0xd1, 1, 2], next, [0xa1, 0]]), "contains itself", ContainerError.Code.damaged),
            (
                propertyList((0..<25).map { [0xa2, $0 + 1, $0 + 1] } + [[0x51, 0x41]]),
                "for each reference", .tooLarge
            ),
            (Array(("<plist>" + String(repeating: "<array>", count: 100_000)).utf8), "deep", .tooLarge),
        ])
    func hostilePropertyLists(bytes: [UInt8], reason: String, code: ContainerError.Code) throws {
        try withContainer { container throws in
            try container.save(bytes, to: .documents / "a.plist")
            let error = #expect(throws: ContainerError.self) {
                try container.load(Chain.self, from: .documents / "a.plist", decoder: PropertyListDecoder())
            }
            #expect(error?.code == code)
            #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
        }
    }

    @Test("Elements are appended to an array on disk by several threads at once, and none is lost")
    func appendElements() throws {
        try withContainer { container throws in
            let place = ContainerPath.applicationSupport / "scores.json"
            DispatchQueue.concurrentPerform(iterations: 40) { number in
                try? container.append(
                    contentsOf: [number], to: place, encoder: JSONEncoder(), decoder: JSONDecoder(),
                    options: .init(durability: .none))
            }
            let all = try container.load([Int].self, from: place, decoder: JSONDecoder())
            #expect(all.sorted() == Array(0..<40))
        }
    }

    @Test("Elements are not appended to a value other than an array")
    func appendToOther() throws {
        try withContainer { container throws in
            try container.save(#"{"a": 1}"#, to: .documents / "a.json")
            let error = #expect(throws: ContainerError.self) {
                try container.append(
                    contentsOf: [1], to: .documents / "a.json", encoder: JSONEncoder(), decoder: JSONDecoder())
            }
            #expect(error?.code == .damaged)
            #expect(try container.loadText(.documents / "a.json") == #"{"a": 1}"#)
        }
    }

    @Test("Bytes are loaded exactly as Data, as an array and mapped", arguments: [0, 1, 4_096, 1_000_003])
    func bytes(count: Int) throws {
        try withContainer { container throws in
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let place = ContainerPath.caches / "a.bin"
            try container.save(bytes, to: place)
            #expect(try container.loadBytes(place) == bytes)
            #expect(try container.load(place) == Data(bytes))
            let mapped = try container.loadMapped(place)
            // A save replaces the file; the mapped bytes remain.
            try container.save("other", to: place)
            #expect(mapped == Data(bytes))
            #expect(try container.loadText(place) == "other")
        }
    }

    @Test("A slice is saved with its visible bytes")
    func slice() throws {
        try withContainer { container throws in
            let data = Data("0123456789".utf8)
            try container.save(data[3..<6], to: .documents / "a")
            try container.save(Data([UInt8](data)[7...]), to: .documents / "b")
            #expect(try container.loadText(.documents / "a") == "345")
            #expect(try container.loadText(.documents / "b") == "789")
        }
    }

    @Test("An item other than a file is not loaded", arguments: ["folder", "pipe"])
    func notAFile(name: String) throws {
        try withContainer { container throws in
            let path = try container.path(.documents).string
            try createPipe(path + "/pipe")
            try container.createDirectory(.documents / "folder")
            for load in [container.load, container.loadMapped] as [(ContainerPath, Bool) throws -> Data] {
                let error = #expect(throws: ContainerError.self) { _ = try load(.documents / name, true) }
                #expect(error?.code == .notAFile)
            }
        }
    }

    @Test("A link is followed inside the container unless disallowed")
    func links() throws {
        try withContainer { container throws in
            try container.save("text", to: .documents / "a")
            let link = try container.path(.documents / "l").string
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../Documents/a")
            #expect(try container.loadText(.documents / "l") == "text")
            let error = #expect(throws: ContainerError.self) {
                try container.loadText(.documents / "l", followingLinks: false)
            }
            #expect(error?.code == .notAFile)
        }
    }
}
