@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import Testing

@Suite("ItemTraits") struct ItemTraitsTests {
    private static let bits = [0, 1, 63, 64, 65, 127, 128, 191, 192, 254, 255]

    @Test("Each bit is a set of its own", arguments: bits)
    func single(bit: Int) {
        var traits = ItemTraits(bit: bit)
        #expect(!traits.isEmpty && traits.count == 1 && traits.last == bit)
        for other in Self.bits where other != bit {
            #expect(traits.isDisjoint(with: ItemTraits(bit: other)) && !traits.contains(ItemTraits(bit: other)))
        }
        #expect(traits.popFirst() == bit && traits.isEmpty && traits.popFirst() == nil && traits.last == nil)
    }

    @Test("Sets of bits are combined, compared and enumerated from the lowest bit")
    func sets() {
        let all = ItemTraits(Self.bits.map { ItemTraits(bit: $0) })
        let some = ItemTraits([1, 64, 191, 255].map { ItemTraits(bit: $0) })
        #expect(all.count == Self.bits.count && all.last == 255)
        #expect(some.isSubset(of: all) && all.isSuperset(of: some) && !all.isSubset(of: some))
        #expect(all.intersection(some) == some && all.union(some) == all)
        var rest = all.subtracting(some)
        #expect(rest.isDisjoint(with: some) && rest.union(some) == all)
        var found: [Int] = []
        while let bit = rest.popFirst() { found.append(bit) }
        #expect(found == [0, 63, 65, 127, 128, 192, 254])
    }
}
