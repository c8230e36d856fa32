import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Values without a coder, and what a save may set") struct DefaultFormatTests {
    struct Player: Codable, Sendable, Equatable {
        var name: String
        var score: [String: Int]
        var seen: Date
    }
    private let player = Player(name: "Ä", score: ["b": 2, "a": 1], seen: Date(timeIntervalSince1970: 86_400))

    @Test("A value is saved as JSON, or as a property list by the extension, and loaded into its type")
    func roundTrip() throws {
        try withContainer { container throws in
            for name in ["p.json", "p", "p.plist", "p.PLIST"] {
                try container.save(player, to: .documents / name)
                let loaded: Player = try container.load(from: .documents / name)
                #expect(loaded == player)
                #expect(try container.load(Player.self, from: .documents / name) == player)
                let bytes = try container.load(.documents / name)
                #expect(bytes.starts(with: Data("bplist00".utf8)) == name.lowercased().hasSuffix(".plist"))
            }
            // The format of Foundation's coders.
            let other = try JSONDecoder().decode(Player.self, from: container.load(.documents / "p.json"))
            #expect(other == player)
            try container.save(JSONEncoder().encode(player), to: .documents / "q.json")
            #expect(try container.load(from: .documents / "q.json") == player)
            #expect(try container.loadText(.documents / "p.json").hasPrefix(#"{"name":"Ä","score":{"a":1,"b":2}"#))
            try container.save([1, 2], to: .documents / "list.json")
            try container.save("text", to: .documents / "text.json")
            #expect(try container.loadText(.documents / "list.json") == "[1,2]")
            try container.batch { try $0.save([1, 2], to: .documents / "batch.json") }
            try container.store([1, 2], named: "stored.json", as: .userDocument)
            try container.append(contentsOf: [1, 2], to: .documents / "appended.json")
            for name in ["batch.json", "stored.json", "appended.json"] {
                #expect(try container.loadText(.documents / name) == "[1,2]", "\(name)")
            }
            #expect(try container.loadText(.documents / "text.json") == "text", "text is text")
        }
    }

    @Test("Bytes are saved as bytes in every form, not encoded as a value")
    func bytes() throws {
        try withContainer { container throws in
            let bytes: [UInt8] = [0, 1, 0xff]
            let saves: [(ContainerPath) throws -> Void] = [
                { try container.save(bytes, to: $0) }, { try container.save(Data(bytes), to: $0) },
                { try container.save(Data(bytes[...]), to: $0) },
                { try container.save(ContiguousArray(bytes), to: $0) },
                { place in try container.batch { try $0.save(Data(bytes), to: place) } },
                { _ = try container.store(Data(bytes), named: $0.name, as: .userDocument) },
            ]
            for (number, save) in saves.enumerated() {
                try save(.documents / "\(number)")
                #expect(try container.loadBytes(.documents / "\(number)") == bytes, "\(number)")
            }
        }
    }

    @Test("Limits, damaged content and a kind of data apply to values without a coder too")
    func failures() throws {
        try withContainer { container throws in
            var limits = ValueLimits()
            limits.bytes = 10
            let large = #expect(throws: ContainerError.self) {
                try container.save(player, to: .documents / "p.json", limits: limits)
            }
            #expect(large?.code == .tooLarge)
            try container.save(player, to: .documents / "p.json")
            let refused = #expect(throws: ContainerError.self) {
                try container.load(Player.self, from: .documents / "p.json", limits: limits)
            }
            #expect(refused?.code == .tooLarge)
            try container.save("{", to: .documents / "p.json")
            let damaged = #expect(throws: ContainerError.self) {
                try container.load(Player.self, from: .documents / "p.json")
            }
            #expect(damaged?.code == .damaged)
            let place = try container.store(player, named: "p.plist", as: .userData)
            #expect(try container.load(from: place) == player)
            try container.batch { try $0.save(player, to: .documents / "batch.json") }
            #expect(try container.load(from: .documents / "batch.json") == player)
        }
    }

    @Test("A save sets the permissions, and without them keeps those of the old file")
    func permissions() throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "secret"
            try container.save("1", to: place, options: .init(permissions: .ownerReadWrite))
            #expect(try container.attributes(of: place).permissions == .ownerReadWrite)
            try container.save("2", to: place)
            #expect(try container.attributes(of: place).permissions == .ownerReadWrite)
            try container.save(Data([1]), to: place, options: .init(permissions: [.ownerRead, .groupRead, .setUserID]))
            #expect(try container.attributes(of: place).permissions == [.ownerRead, .groupRead])
            try container.save(player, to: place, options: .init(permissions: .ownerReadWrite))
            #expect(try container.attributes(of: place).permissions == .ownerReadWrite)
            let writer = try container.writer(to: .documents / "w", options: .init(permissions: .ownerReadWrite))
            try writer.write("x")
            try writer.finish()
            #expect(try container.attributes(of: .documents / "w").permissions == .ownerReadWrite)
        }
    }

    @Test("Data that the app generates and keeps is excluded from backup and never in Caches")
    func generated() throws {
        try withContainer { container throws in
            let place = try container.store("index", named: "search/index", as: .appGenerated)
            #expect(place == .applicationSupport / "Generated/search/index")
            #expect(try container.exclusion(of: place).carrier?.hasSuffix("Generated") == true)
            #expect(try container.isBackedUp(place) == false)
            #expect(try container.provenance(of: place)?.maker == .derived)
        }
    }

    @Test("The data protection is recorded, and later saves keep it", arguments: FileProtection.allCases)
    func protection(protection: FileProtection) throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "diary"
            try container.save("1", to: place)
            #expect(try container.protection(of: place) == nil)
            try container.setProtection(protection, of: place)
            try container.save("2", to: place)
            #expect(try container.protection(of: place) == protection)
            try container.setProtection(protection, of: .documents)
            #expect(try container.protection(of: .documents) == protection)
            #expect(throws: ContainerError.self) { try container.setProtection(protection, of: .documents / "none") }
        }
    }
}
