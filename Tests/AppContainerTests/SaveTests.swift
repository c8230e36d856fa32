import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Save and load") struct SaveTests {
    @Test(
        "Text is loaded as it was saved, in each encoding",
        arguments: [String.Encoding.utf8, .utf16, .utf32, .isoLatin1, .utf16BigEndian])
    func encodings(encoding: String.Encoding) throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "letters/é.txt"
            try container.save("Grüße, señor", to: place, encoding: encoding)
            #expect(try container.loadText(place, encoding: encoding) == "Grüße, señor")
        }
    }

    @Test("Text that the encoding cannot represent is refused and the old file remains")
    func notText() throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "a.txt"
            try container.save("old", to: place)
            let error = #expect(throws: ContainerError.self) { try container.save("日本", to: place, encoding: .ascii) }
            #expect(error?.code == .notText)
            #expect(try container.loadText(place) == "old")
        }
    }

    @Test("Bytes that are not valid in the encoding are an error")
    func notThatEncoding() throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "a.bin"
            try container.save(Data([0xff, 0xfe, 0xfd]), to: place)
            #expect(throws: ContainerError.self) { try container.loadText(place) }
            #expect(try container.load(place) == Data([0xff, 0xfe, 0xfd]))
        }
    }

    @Test("With overwrite: .never the old file remains")
    func never() throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "a.txt"
            try container.save("old", to: place, options: .init(overwrite: .never))
            let error = #expect(throws: ContainerError.self) {
                try container.save("new", to: place, options: .init(overwrite: .never))
            }
            #expect(error?.code == .alreadyExists)
            #expect(error?.description.contains("Nothing on disk has changed") == true)
            #expect(try container.loadText(place) == "old")
        }
    }

    @Test(
        "An excluded file of mode 0600 that is saved again keeps its exclusion and its mode",
        arguments: Durability.allCases)
    func flagAndMode(durability: Durability) throws {
        try withContainer { container throws in
            var container = container
            container.recording = .given
            let place = ContainerPath.documents / "tiles.db"
            try container.save("one", to: place)
            try container.excludeFromBackup(place)
            let path = try container.path(place)
            try setMode("600", of: path.string)
            try AttributeTool.set("user.other", to: "x", of: path.string)
            let before = try attributes(path)
            try container.save("two", to: place, options: .init(durability: durability))
            #expect(try container.loadText(place) == "two")
            #expect(try attributes(path) == before)
            #expect(before.contains("user.com.apple.metadata:com_apple_backup_excludeItem=0x62706c697374"))
            #expect(try mode(of: path.string) == "600")
        }
    }

    @Test("A symbolic link with the name of the file is refused, and its target is unchanged")
    func link() throws {
        try withContainer { container throws in
            let target = container.location.removingLastComponent().appending("outside")
            try Data("safe".utf8).write(to: URL(fileURLWithPath: target.string))
            let path = try container.path(.documents / "a.txt")
            try FileManager.default.createSymbolicLink(atPath: path.string, withDestinationPath: target.string)
            let error = #expect(throws: ContainerError.self) { try container.save("x", to: .documents / "a.txt") }
            #expect(error?.code == .notAFile)
            #expect(throws: ContainerError.self) { try container.load(.documents / "a.txt") }
            #expect(try String(contentsOfFile: target.string, encoding: .utf8) == "safe")
        }
    }

    @Test("No other file remains after a save")
    func noLeftover() throws {
        try withContainer { container throws in
            for text in ["a", "b", ""] { try container.save(text, to: .documents / "a.txt") }
            #expect(try container.list(.documents).map(\.description) == ["Documents/a.txt"])
        }
    }

    @Test("Appending keeps the old content, the exclusion and the mode")
    func append() throws {
        try withContainer { container throws in
            let place = ContainerPath.applicationSupport / "log.txt"
            try container.append("one\n", to: place)
            try container.excludeFromBackup(place)
            try container.append("two\n", to: place)
            #expect(try container.loadText(place) == "one\ntwo\n")
            #expect(try container.exclusion(of: place).state == .excluded)
        }
    }

    @Test("An origin is stored without parts that may be secret")
    func provenance() throws {
        try withContainer { container throws in
            let url = try #require(URL(string: "https://me:secret@example.com/a.jpg?token=secret#secret"))
            try container.save(Data(), to: .caches / "a.jpg", options: .init(provenance: .downloaded(from: url)))
            let path = try container.path(.caches / "a.jpg").string
            let values = try AttributeTool.attributes(of: path).mapValues { String(decoding: $0, as: UTF8.self) }
            #expect(values["user.xdg.origin.url"] == "https://example.com/a.jpg")
            #expect(values["user.appcontainer.provenance"] == "downloaded")
            #expect(!"\(values)".contains("secret"))
        }
    }
}
