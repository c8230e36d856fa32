import AppContainer
import ContainerArchives
import ContainerPreferences
import Foundation
import SystemPackage
import TestSupport
import Testing

// shown in ContainerArchives.md
final class Book: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let title: String
    let address: URL?

    init(title: String, address: URL?) { (self.title, self.address) = (title, address) }

    func encode(with coder: NSCoder) {
        coder.encode(title, forKey: "title")
        coder.encode(address.map { $0 as NSURL }, forKey: "address")
    }

    init?(coder: NSCoder) {
        guard let title = coder.decodeObject(of: NSString.self, forKey: "title") else { return nil }
        self.title = String(title)
        address = coder.decodeObject(of: NSURL.self, forKey: "address").map { $0 as URL }
    }
}
// end

@Suite("Guide: read files from other sources") struct ReadForeignFilesTests {
    @Test("Text, JSON and property lists are read, or are damaged")
    func values() throws {
        try withContainer { container throws in
            try container.save("Grüße", to: .documents / "letter.txt")
            // shown in ReadForeignFiles.md
            let letter = try container.loadText(.documents / "letter.txt", encoding: .utf8)
            // end
            #expect(letter == "Grüße")

            let saved = [["name": "Ümit"]]
            try container.save(#"[{"name": "Ümit", "score": 7}]"#, to: .documents / "players.json")
            let list = #"<plist><array><dict><key>name</key><string>Z</string><key>score</key><integer>8</integer>"#
            try container.save(list + "</dict></array></plist>", to: .documents / "players.plist")
            // shown in ReadForeignFiles.md
            struct Player: Codable { var name: String, score: Int }

            let players = try container.load([Player].self, from: .documents / "players.json", decoder: JSONDecoder())
            let again = try container.load(
                [Player].self, from: .documents / "players.plist", decoder: PropertyListDecoder())
            // end
            #expect(players.map(\.score) + again.map(\.score) == [7, 8])

            try container.save(saved, to: .documents / "players.json", encoder: JSONEncoder())
            let error = #expect(throws: ContainerError.self) {
                try container.load([Player].self, from: .documents / "players.json", decoder: JSONDecoder())
            }
            #expect(error?.code == .damaged)

            func bounded() throws -> [Player] {
                // shown in ReadForeignFiles.md
                var limits = ValueLimits()
                limits.bytes = 10 << 20
                let few = try container.load(
                    [Player].self, from: .documents / "players.json", decoder: JSONDecoder(), limits: limits)
                // end
                return few
            }
            #expect(throws: ContainerError.self) { try bounded() }
            try container.save(Data(#"[{"name":"A","score":1}]"#.utf8), to: .documents / "players.json")
            #expect(try bounded().count == 1)

            try container.archive(Player(name: "A", score: 1), to: .documents / "player.archive")
            // shown in ContainerArchives.md
            var limits = ArchiveLimits()
            limits.bytes = 1 << 20
            let player = try container.unarchive(Player.self, from: .documents / "player.archive", limits: limits)
            // end
            #expect(player.name == "A")
        }
    }

    @Test("JSON that is nested too deeply is damaged, and does not crash")
    func deepJSON() throws {
        try withContainer { container throws in
            let text = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
            try container.save(text, to: .documents / "deep.json")
            indirect enum Tree: Decodable {
                case members([Tree])
                init(from decoder: any Decoder) throws {
                    self = .members(try decoder.singleValueContainer().decode([Tree].self))
                }
            }
            let error = #expect(throws: ContainerError.self) {
                try container.load(Tree.self, from: .documents / "deep.json", decoder: JSONDecoder())
            }
            #expect(error?.code == .damaged)
        }
    }

    @Test("Allowed classes of an archive are read, and others are an error")
    func archives() throws {
        try withContainer { container throws in
            let address = URL(string: "https://books.example.com/1")
            try container.archive(
                NSArray(array: [Book(title: "SICP", address: address)]), to: .documents / "books.archive")
            // shown in ContainerArchives.md
            let books = try container.unarchive(NSArray.self, from: .documents / "books.archive", allowing: [Book.self])
            // end
            let book = try #require(books.firstObject as? Book)
            #expect(book.title == "SICP" && book.address == address)

            // shown in ContainerArchives.md
            do {
                _ = try container.unarchive(NSArray.self, from: .documents / "books.archive")
            } catch let error as ArchiveError {
                print(error.code, error.keyPath ?? "")  // unknownClass, and the position in the archive
            }
            // end
            let error = #expect(throws: ArchiveError.self) {
                try container.unarchive(NSArray.self, from: .documents / "books.archive")
            }
            #expect(error?.code == .unknownClass && error?.keyPath?.isEmpty == false)

            try container.archive(
                NSArray(array: [Book(title: "SICP", address: nil)]), to: .documents / "old.archive",
                named: ["OldReader.Book": Book.self])
            let old = try container.unarchive(
                NSArray.self, from: .documents / "old.archive", named: ["OldReader.Book": Book.self])
            #expect((old.firstObject as? Book)?.title == "SICP")
        }
    }

    @Test("A settings bundle provides the defaults of preferences")
    func preferences() throws {
        try withScratch { scratch throws in
            let bundle = scratch
            let pane = """
                <plist><dict><key>PreferenceSpecifiers</key><array><dict>
                <key>Type</key><string>PSToggleSwitchSpecifier</string><key>Key</key><string>nightMode</string>
                <key>Title</key><string>Night</string><key>DefaultValue</key><true/>
                </dict></array></dict></plist>
                """
            try Data(pane.utf8).write(to: bundle.appending(path: "Root.plist"))
            try withContainer { container throws in
                // shown in ContainerPreferences.md
                let preferences = try container.preferences()
                try preferences.register(settingsBundle: bundle)
                let isNight = try preferences.bool(forKey: "nightMode")
                let settings = try preferences.values()
                // end
                #expect(isNight && settings == ["nightMode": true])

                try container.save("no list", to: .preferences / "com.example.app.plist")
                let read = #expect(throws: PreferencesError.self) { try preferences.bool(forKey: "nightMode") }
                let changed = #expect(throws: PreferencesError.self) { try preferences.set(1, forKey: "a") }
                #expect(read?.code == .damaged && changed?.code == .damaged)
                #expect(try container.loadText(.preferences / "com.example.app.plist") == "no list")
            }
        }
    }

    @Test("A link is followed unless disallowed, and a pipe does not block")
    func links() throws {
        try withContainer { container throws in
            try container.save("EPUB", to: .documents / "Inbox/book.epub")
            // shown in ReadForeignFiles.md
            let book = try container.load(.documents / "Inbox/book.epub", followingLinks: false)
            // end
            #expect(book == Data("EPUB".utf8))
            let folder = try container.path(.documents).string
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/inside", withDestinationPath: "Inbox/book.epub")
            try FileManager.default.createSymbolicLink(atPath: folder + "/outside", withDestinationPath: "/etc/passwd")
            try createPipe(folder + "/pipe")
            #expect(try container.loadText(.documents / "inside") == "EPUB")
            let codes = ["inside", "pipe", "outside"].map { name in
                #expect(throws: ContainerError.self) {
                    try container.load(.documents / name, followingLinks: name == "outside")
                }?.code
            }
            #expect(codes == [.notAFile, .notAFile, .leavesContainer])
        }
    }

    @Test("Mapped bytes do not change when the file is saved again")
    func mapped() throws {
        try withContainer { container throws in
            let bytes = Data(repeating: 7, count: 10_000)
            try container.save(bytes, to: .caches / "fonts/menlo.ttf")
            // shown in ReadForeignFiles.md
            let font = try container.loadMapped(.caches / "fonts/menlo.ttf")
            // end
            try container.save("short", to: .caches / "fonts/menlo.ttf")
            #expect(font == bytes)
        }
    }
}
