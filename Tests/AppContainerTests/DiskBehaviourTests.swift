import AppContainer
import Foundation
import TestSupport
import Testing

/// The behaviour that users of the library Disk expect, with this library's calls. `FromDisk.md` lists the differences.
@Suite("Behaviour known from Disk") struct DiskBehaviourTests {
    private struct Message: Codable, Equatable {
        var title: String
        var body: String
    }
    private let messages = (0..<5).map { Message(title: "Message \($0)", body: "…") }

    @Test("A value, an array of values and data are saved and retrieved, also in subdirectories")
    func roundTrip() throws {
        try withContainer { container throws in
            for directory in [ContainerPath.documents, .caches, .temporary, .applicationSupport, .library / "Shared"] {
                try container.save(messages[0], to: directory / "message.json")
                try container.save(messages, to: directory / "Folder/Sub/messages.json")
                try container.save(Data([1, 2]), to: directory / "data")
                #expect(try container.load(Message.self, from: directory / "message.json") == messages[0])
                #expect(try container.load([Message].self, from: directory / "Folder/Sub/messages.json") == messages)
                #expect(try container.load(directory / "data") == Data([1, 2]))
            }
        }
    }

    @Test("Values are appended to an array in a file, which is created if it is missing")
    func append() throws {
        try withContainer { container throws in
            let file = ContainerPath.documents / "Folder/messages.json"
            let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
            try container.append(contentsOf: [messages[0]], to: file, encoder: encoder, decoder: decoder)
            try container.append(contentsOf: Array(messages[1...]), to: file, encoder: encoder, decoder: decoder)
            #expect(try container.load([Message].self, from: file) == messages)
            // A single value is not turned into an array.
            try container.save(messages[0], to: file)
            let error = #expect(throws: ContainerError.self) {
                try container.append(contentsOf: [messages[1]], to: file, encoder: encoder, decoder: decoder)
            }
            #expect(error?.code == .damaged)
            #expect(try container.load(Message.self, from: file) == messages[0])
        }
    }

    @Test("An item exists until it is removed, and retrieving a missing one is an error")
    func existence() throws {
        try withContainer { container throws in
            let file = ContainerPath.documents / "Folder/message.json"
            #expect(try !container.exists(file))
            let missing = #expect(throws: ContainerError.self) { try container.load(Message.self, from: file) }
            #expect(missing?.code == .notFound)
            try container.save(messages[0], to: file)
            #expect(try container.exists(file) && container.exists(.documents / "Folder"))
            try container.remove(.documents / "Folder")
            #expect(try !container.exists(file))
            #expect(throws: ContainerError.self) { try container.remove(file) }
        }
    }

    @Test("A value of another type or a file that is not one is an error")
    func wrongType() throws {
        try withContainer { container throws in
            try container.save(messages, to: .documents / "a.json")
            try container.save(Data([0xff]), to: .documents / "b.json")
            for name in ["a.json", "b.json"] {
                let error = #expect(throws: ContainerError.self) {
                    try container.load(Message.self, from: .documents / name)
                }
                #expect(error?.code == .damaged)
            }
        }
    }

    @Test("A directory is cleared, an item is renamed and moved, and a taken name is refused")
    func changes() throws {
        try withContainer { container throws in
            try container.save("1", to: .documents / "a")
            try container.move(.documents / "a", to: .documents / "b")
            try container.move(.documents / "b", to: .caches / "Folder/b")
            #expect(try container.list(.documents).isEmpty && container.loadText(.caches / "Folder/b") == "1")
            try container.save("2", to: .caches / "c")
            let taken = #expect(throws: ContainerError.self) {
                try container.move(.caches / "c", to: .caches / "Folder/b")
            }
            #expect(taken?.code == .alreadyExists)
            try container.removeAll(in: .caches)
            #expect(try container.list(.caches).isEmpty && container.exists(.caches))
        }
    }

    @Test("An item is excluded from backup and included again, and the exclusion survives a save")
    func backup() throws {
        try withContainer { container throws in
            let file = ContainerPath.documents / "a.json"
            try container.save(messages, to: file)
            try container.excludeFromBackup(file)
            try container.save(messages, to: file)
            #expect(try container.isBackedUp(file) == false)
            try container.includeInBackup(file)
            #expect(try container.isBackedUp(file) == true)
        }
    }

    @Test("A URL is provided for an item that exists or not, and the capacity of the volume")
    func urlsAndCapacity() throws {
        try withContainer { container throws in
            try container.save("x", to: .documents / "a b.txt")
            #expect(try Data(contentsOf: container.url(for: .documents / "a b.txt")) == Data("x".utf8))
            #expect(try container.url(for: .documents / "none").lastPathComponent == "none")
            let capacity = try container.capacity()
            #expect(capacity.total >= capacity.free && capacity.available > 0)
        }
    }

    @Test("A name is never changed: one that leads out is refused, and unusual ones are kept")
    func names() throws {
        try withContainer { container throws in
            for name in ["a:b", "…/\u{202e}x", ".hidden", "a\\b", "-rf", " ", "ä"] {
                try container.save("x", to: .documents / "names" / name)
                #expect(try container.loadText(.documents / "names" / name) == "x")
            }
            for name in ["/a", "../a", "a/../../b"] {
                #expect(throws: ContainerError.self) { try container.save("x", to: .documents / name) }
            }
        }
    }
}
