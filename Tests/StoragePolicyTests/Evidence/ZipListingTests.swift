import Foundation
@testable import PolicyTexts
@testable import StoragePolicy
import TestSupport
import Testing

@Suite("ZipListing") struct ZipListingTests {
    /// A ZIP archive of files that are stored as they are.
    private static func zip(_ files: [(name: String, content: String)]) -> [UInt8] {
        func number(_ value: Int, _ bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(value >> (8 * $0) & 0xff) } }
        var (archive, listing): ([UInt8], [UInt8]) = ([], [])
        for (name, content) in files {
            let (name, content) = (Array(name.utf8), Array(content.utf8))
            let sizes = number(0, 4) + number(content.count, 4) + number(content.count, 4) + number(name.count, 2)
            listing += [0x50, 0x4b, 1, 2] + number(20, 2) + number(20, 2) + number(0, 8) + sizes + number(0, 12)
            listing += number(archive.count, 4) + name
            archive += [0x50, 0x4b, 3, 4] + number(20, 2) + number(0, 8) + sizes + number(0, 2) + name + content
        }
        let end = [0x50, 0x4b, 5, 6] + number(0, 4) + number(files.count, 2) + number(files.count, 2)
        return archive + listing + end + number(listing.count, 4) + number(archive.count, 4) + number(0, 2)
    }

    private func listing(of bytes: [UInt8]) -> ZipListing? {
        ZipListing(size: UInt64(bytes.count)) { Array(bytes.dropFirst(Int(clamping: $1)).prefix($0)) }
    }

    @Test("The files of an archive are listed with their sizes, without directories")
    func files() {
        let entries = listing(of: Self.zip([("a/", ""), ("a/one.mp3", "12"), ("__MACOSX/x", ""), ("b", "")]))?.entries
        #expect(entries?.map { String(decoding: $0.path, as: UTF8.self) } == ["a/one.mp3", "b"])
        #expect(entries?.map(\.size) == [2, 0])
        let many = (0..<100).map { (name: "\($0)", content: "") }
        #expect(listing(of: Self.zip(many))?.entries.count == 64)
        #expect(listing(of: Self.zip([])) == nil && listing(of: []) == nil && listing(of: Array("PK".utf8)) == nil)
    }

    @Test("Damaged archives have a listing or none, and never trap")
    func hostile() {
        let bytes = Self.zip([("a.txt", "1"), ("b.txt", "22")])
        for length in 0..<bytes.count { _ = listing(of: Array(bytes.prefix(length))) }
        for offset in bytes.indices {
            for value in [0, 0x7f, 0xff] as [UInt8] {
                var damaged = bytes
                damaged[offset] = value
                _ = listing(of: damaged)
            }
        }
    }

    @Test(
        "An archive is unpacked beside it only if its listing agrees with the directory",
        arguments: [
            ("turn.mp3", "left", true), ("eng/turn.mp3", "left", true), ("turn.mp3", "longer", false),
            ("novel.txt", "left", false),
        ])
    func agreement(entry: String, content: String, agrees: Bool) throws {
        try withEvidence { fixture throws in
            try fixture.write("Documents/v/eng.zip", Data(Self.zip([(entry, content)])))
            try fixture.write("Documents/v/eng/turn.mp3", text: "left")
            let evidence = try fixture.evidence()
            #expect((evidence["Documents/v/eng.zip"]?["archive-beside-unpacked"] != nil) == agrees)
            #expect((evidence["Documents/v/eng/turn.mp3"]?["unpacked-copy"] != nil) == agrees)
        }
    }
}
