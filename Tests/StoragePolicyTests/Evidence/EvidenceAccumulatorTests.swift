import AppContainer
import Foundation
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import TestSupport
import Testing

@Suite("EvidenceStore") struct EvidenceStoreTests {
    @Test("The kept groups and the number of dropped ones do not depend on the order of arrival")
    func order() throws {
        try withEvidence { fixture throws in
            for number in 100..<160 { try fixture.write("Documents/d\(number)/file-\(number).json") }
            let directories = try EvidenceVisitor.directories(of: fixture.container).values.filter {
                !$0.groups.isEmpty
            }
            func taken(_ order: [DirectoryEvidence]) -> ([[UInt8]], Int) {
                let store = EvidenceAccumulator(limit: 12_000)
                for directory in order { store.add(directory, hours: TimeClusters(width: 3_600, most: 1_024)) }
                let (kept, _, dropped) = store.removeAll()
                return (kept.map(\.path), dropped)
            }
            let sorted = directories.sorted { $0.path.lexicographicallyPrecedes($1.path) }
            let (expected, dropped) = taken(sorted)
            #expect(expected.count > 5 && dropped == sorted.count - expected.count && dropped > 5)
            #expect(expected == sorted.prefix(expected.count).map(\.path))
            for _ in 0..<10 {
                let (paths, count) = taken(directories.shuffled())
                #expect(paths == expected && count == dropped)
            }
        }
    }

    /// Makes directories of a hundred files each, whose names are as long as names can be.
    private func fill(_ fixture: EvidenceFixture, _ directories: Range<Int>) throws {
        for number in directories {
            let folder = fixture.folder.appending(path: "Documents/\(String(repeating: "d", count: 240))\(number)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for file in 100..<200 {
                let path = folder.path + "/" + String(repeating: "ab", count: 120) + "\(file).json"
                #expect(FileManager.default.createFile(atPath: path, contents: nil))
            }
        }
    }

    @Test("If names exceed the limit, the first of each group represent it, and the run is complete")
    func shortened() throws {
        try withEvidence { fixture throws in
            try fill(fixture, 0..<5)
            let store = EvidenceAccumulator(limit: 60_000)
            for directory in try EvidenceVisitor.directories(of: fixture.container).values.shuffled() {
                store.add(directory, hours: TimeClusters(width: 3_600, most: 1_024))
            }
            let (all, _, dropped) = store.removeAll()
            let kept = all.filter { $0.groups[0].items == 100 }
            #expect(dropped == 0 && kept.count == 5)
            #expect(kept.allSatisfy { $0.groups[0].files.count == EvidenceGroup.sampled })
        }
    }

    @Test("Groups beyond the limit are dropped and counted")
    func dropped() throws {
        try withEvidence { fixture throws in
            try fill(fixture, 0..<20)
            let store = EvidenceAccumulator(limit: 10_000)
            for directory in try EvidenceVisitor.directories(of: fixture.container).values {
                store.add(directory, hours: TimeClusters(width: 3_600, most: 1_024))
            }
            #expect(store.removeAll().dropped > 10)
        }
    }

    @Test(
        "Times are flat if more than half of the files share an hour",
        arguments: [(5, 4, true), (5, 5, false), (1, 0, true), (0, 0, false)])
    func flat(together: Int, apart: Int, isFlat: Bool) throws {
        let store = EvidenceAccumulator()
        var hours = TimeClusters(width: 3_600, most: 1_024)
        for number in 0..<together { hours.add(3_600 * 50 + Int64(number)) }
        for number in 0..<apart { hours.add(3_600 * (100 + Int64(number))) }
        try addAll(hours, to: store)
        #expect(store.removeAll().isFlat == isFlat)
    }

    private func addAll(_ hours: TimeClusters, to store: EvidenceAccumulator) throws {
        try withEvidence { fixture throws in
            for directory in try EvidenceVisitor.directories(of: fixture.container).values.prefix(1) {
                store.add(directory, hours: hours)
            }
        }
    }
}
