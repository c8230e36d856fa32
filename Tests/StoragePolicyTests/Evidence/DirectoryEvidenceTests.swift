import AppContainer
import Foundation
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("DirectoryEvidence") struct DirectoryEvidenceTests {
    private func settled(_ fixture: EvidenceFixture, _ path: String) throws -> DirectoryEvidence {
        var directory = try #require(try EvidenceVisitor.directories(of: fixture.container)[path])
        directory.finish()
        return directory
    }

    @Test("A directory is unpacked from the archive beside it, or from the one in it that has its name")
    func unpacked() throws {
        try withEvidence { fixture throws in
            try fixture.write("Documents/voices/eng.zip")
            try fixture.write("Documents/voices/eng/left.mp3")
            try fixture.write("Documents/voices/deu.zip")
            try fixture.write("Documents/map/map.zip")
            try fixture.write("Documents/map/tile.png")
            try fixture.write("Documents/alone/alone.zip")
            let voices = try settled(fixture, "Documents/voices")
            #expect(voices.unpacked == [Array("Documents/voices/eng".utf8)])
            #expect(voices.unpackedStems == [Array("eng".utf8)])
            let map = try settled(fixture, "Documents/map")
            #expect(map.unpacked == [Array("Documents/map".utf8)] && map.unpackedStems == [Array("map".utf8)])
            #expect(try settled(fixture, "Documents/alone").unpackedStems.isEmpty)
        }
    }

    @Test("Paths in the root of a group container have no leading slash")
    func groupRoot() throws {
        try withEvidence("group.com.example") { fixture throws in
            try fixture.write("pack.zip")
            try fixture.write("pack/a.png")
            let root = try settled(fixture, "")
            #expect(root.unpacked == [Array("pack".utf8)])
            #expect(root.path(of: [0x61]) == [0x61])
            #expect(try fixture.evidence()["pack/a.png"]?["unpacked-copy"] == 1)
        }
    }

    @Test("More than 256 groups are distinguished only by kind, whatever the order of arrival")
    func coarse() throws {
        try withEvidence { fixture throws in
            let vocabulary = try embeddedModel().vocabulary
            let words = ["cache", "log", "draft", "icon", "tile", "token", "server", "preview", "snippet"]
            // Each set of words is a group of its own.
            for number in 1..<512 {
                let own = words.enumerated().filter { number >> $0.offset & 1 == 1 }.map(\.element)
                let name = own.joined(separator: "-")
                try fixture.write("Documents/all/\(name).\(number % 2 == 0 ? "jpg" : "json")")
            }
            let directory = try settled(fixture, "Documents/all")
            #expect(directory.groups.count == 2)
            #expect(directory.groups.reduce(0) { $0 + $1.items } == 511)
            #expect(directory.groups.allSatisfy { $0.traits.themes == 0 && $0.files.count == EvidenceGroup.sampled })
            #expect(Set(directory.groups.map { vocabulary.kinds[Int($0.traits.kind)] }) == ["picture", "json"])
        }
    }

    @Test("Ten thousand subdirectories beside an archive are bounded")
    func manySubdirectories() throws {
        try withEvidence { fixture throws in
            try fixture.write("Documents/all/7.zip")
            for number in 0..<5_000 {
                let path = fixture.folder.appending(path: "Documents/all/\(number)")
                try FileManager.default.createDirectory(at: path, withIntermediateDirectories: false)
            }
            let directory = try settled(fixture, "Documents/all")
            #expect(directory.hasSubdirectories && directory.unpacked.isEmpty && directory.footprint < 2_000)
        }
    }
}
