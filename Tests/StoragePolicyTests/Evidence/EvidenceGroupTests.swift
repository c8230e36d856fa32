import FileSystem
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import Testing

@Suite("EvidenceGroup") struct EvidenceGroupTests {
    private func group(_ names: [String], seconds: (Int) -> Int64 = { _ in 0 }, size: UInt64 = 1) -> EvidenceGroup {
        var group = EvidenceGroup(traits: NameTraits(kind: 0))
        for (index, name) in names.enumerated() {
            Array(name.utf8).withUnsafeBytes { group.add($0, status: status(size: size, seconds: seconds(index))) }
        }
        return group
    }

    @Test("All names of 100 files are kept, and the first eight of more, whatever the order of arrival")
    func names() {
        let names = (100...200).map { "\($0)" }
        #expect(group(Array(names.prefix(100))).isListed)
        #expect(group(Array(names.prefix(100))).files.count == 100)
        for order in [names, names.reversed(), names.shuffled()] {
            let group = group(order)
            #expect(!group.isListed && group.items == 101 && group.bytes == 101)
            #expect(group.files.map { String(decoding: $0.name, as: UTF8.self) } == Array(names.prefix(8)))
        }
    }

    @Test("Merged groups equal one group of all files")
    func together() {
        let names = (100..<300).map { "\($0)" }.shuffled()
        var sum = group(Array(names.prefix(90)))
        sum.add(group(Array(names.dropFirst(90))))
        #expect(sum.items == 200 && sum.files.map(\.name) == group(names).files.map(\.name))
    }

    @Test("Extreme times and sizes do not trap")
    func extremes() {
        let times = group(["a", "b"], seconds: { $0 == 0 ? .min : .max })
        #expect(times.timeSpan == .max && times.oldest == .min && times.newest == .max)
        #expect(group(["a", "b"], size: .max).bytes == .max)
        #expect(EvidenceGroup(traits: NameTraits(kind: 0)).timeSpan == 0)
    }

    @Test("A part has the names, the number and the size of its files")
    func part() {
        let part = group(["a", "b", "c"], size: 5).part { $0 != 1 }
        #expect(part.items == 2 && part.bytes == 10 && part.files.map(\.name) == [[0x61], [0x63]])
    }
}
