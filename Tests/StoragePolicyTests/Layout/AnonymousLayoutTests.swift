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

@Suite("Anonymous layouts") struct AnonymousLayoutTests {
    @Test(
        "Sizes are rounded to two digits",
        arguments: [
            (0, 0), (7, 7), (99, 99), (100, 100), (104, 100), (105, 110), (995, 1_000), (12_345, 12_000),
            (12_500, 13_000), (UInt64.max, 18_000_000_000_000_000_000),
        ] as [(UInt64, UInt64)])
    func sizes(bytes: UInt64, rounded: UInt64) {
        #expect(AnonymousLayout.rounded(bytes) == rounded)
    }

    @Test("Times keep their distance in tens of seconds and their time of day; old times do not reveal the shift")
    func times() {
        let (one, other) = (AnonymousTimes(Pseudonyms(seed: "a")), AnonymousTimes(Pseudonyms()))
        let moment: Int64 = 1_748_772_007
        for times in [one, other] {
            #expect(times.time(moment + 34) - times.time(moment) == 40)
            #expect((moment - 7 - times.time(moment)) % 86_400 == 0)
            #expect(times.time(moment) <= moment - 365 * 86_400)
            // The epoch, the first moment of zip archives, Apple's reference date.
            #expect([0, -5, 315_532_800, 978_307_200, .min].map(times.time) == [0, 0, 315_532_800, 978_307_200, 0])
            #expect(times.time(.max) > 0)
        }
        #expect(Set((0..<20).map { _ in AnonymousTimes(Pseudonyms()).time(moment) }).count > 10)
    }

    @Test("Entries beyond the limit are dropped in the order of their paths, and counted")
    func limit() throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            for number in 0..<40 {
                try container.save(
                    "x", to: .documents / "d\(number % 7)/\(number).txt", options: .init(durability: .none))
            }
            let whole = try AnonymousLayout(container, seed: "s")
            let part = try AnonymousLayout(container, seed: "s", limit: 10)
            #expect(whole.dropped == 0 && part.entries.count == 10)
            #expect(part.dropped == whole.entries.count - 10)
            #expect(part.entries == Array(whole.entries.prefix(10)))
        }
    }

    @Test(
        "Names that are not UTF-8 or contain control characters are replaced by plain ones",
        .enabled(if: Platform.allowsAnyNames, "APFS refuses names that are not UTF-8"))
    func hostile() throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            let documents = folder.appending(path: "c/Documents")
            let names = ["new\nline", "tab\t", "quote\"", "back\\slash", "\u{1b}[31m", "\u{1f600}"]
            for name in names.map({ Array($0.utf8) }) + [[0x61, 0o377, 0x62]] { try documents.write(toBytes: name) }
            let entries = try AnonymousLayout(container).entries.filter { $0.path.starts(with: "Documents/".utf8) }
            #expect(entries.count == names.count + 1)
            #expect(entries.allSatisfy { $0.path.allSatisfy { $0 >= 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c } })
        }
    }
}
