import AppContainer
import ContainerArchives
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Values in archives") struct ArchivedValueTests {
    struct Player: Codable, Equatable {
        var name: String
        var score: Int
        var isHuman: Bool
        var ratio: Double
        var since: Date
        var face: Data
        var friends: [String: [Int]]
        var team: String?
    }
    private let players = [
        Player(
            name: "Ümit", score: 1, isHuman: true, ratio: 1.0, since: Date(timeIntervalSinceReferenceDate: 86_400),
            face: Data([0, 255]), friends: ["a": [1, 2], "": []], team: nil),
        Player(
            name: "", score: -5, isHuman: false, ratio: 0.5, since: .distantPast, face: Data(), friends: [:],
            team: "red"),
    ]

    @Test("A value is read as it was archived, and integers, Booleans and fractions are distinct")
    func roundTrip() throws {
        try withContainer { container throws in
            try container.archive(players, to: .documents / "players.archive")
            #expect(try container.unarchive([Player].self, from: .documents / "players.archive") == players)
        }
    }

    @Test("An independent reader finds the fields in the archive", .needs(.externalProgram))
    func readByOthers() throws {
        try withContainer { container throws in
            try container.archive(players[0], to: .documents / "p")
            let path = try container.path(.documents / "p").string
            let read =
                "import sys; from bpylist2 import archiver; p = archiver.unarchive(open(sys.argv[1],'rb').read());"
                + "print(p['score'], p['isHuman'], p['friends']['a'])"
            let shown = try Command(Command.python(), ["-c", read, path])
            #expect(shown.text == "1 True [1, 2]\n", "\(shown.errors)")
        }
    }

    @Test("An archive of another value is an error, and the file remains")
    func refused() throws {
        try withContainer { container throws in
            try container.archive(["a": 1], to: .documents / "d")
            let other = #expect(throws: ArchiveError.self) {
                try container.unarchive(Player.self, from: .documents / "d")
            }
            #expect(other?.code == .wrongType)
            try container.archive(NSNull(), to: .documents / "n")
            let null = #expect(throws: ArchiveError.self) {
                try container.unarchive([Int].self, from: .documents / "n")
            }
            #expect(null?.code == .disallowedClass)
            let plain = #expect(throws: ArchiveError.self) { try container.archive(5, to: .documents / "d") }
            #expect(plain?.code == .notEncodable)
            #expect(try container.unarchive([String: Int].self, from: .documents / "d") == ["a": 1])
        }
    }
}
