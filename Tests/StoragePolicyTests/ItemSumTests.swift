@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import TextOutput
import Testing

@Suite("ItemSum") struct ItemSumTests {
    @Test("Sizes that a hostile file system reports add up to the largest number, and not to a crash")
    func saturation() {
        var sum = ItemSum()
        for _ in 0..<3 { sum.add(bytes: 1 << 63) }
        #expect(sum.items == 3 && sum.bytes == .max)
        var content = LintReport.Content()
        for _ in 0..<3 { content.addBytes(1 << 63, isBackedUp: true) }
        content.add(content)
        #expect(content.bytes == .max && content.backedUpBytes == .max)
    }

    @Test(
        "Any number of bytes has a text",
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (1_536, "1.5 KB"), (1 << 30, "1.1 GB"), (UInt64.max, "18446744 TB"),
        ])
    func text(bytes: UInt64, text: String) { #expect(Quantity.bytes(bytes) == text) }

    @Test("A part that is subtracted leaves the rest, and never less than nothing")
    func subtraction() {
        var (sum, part) = (ItemSum(), ItemSum())
        sum.add(items: 5, bytes: 100)
        part.add(items: 2, bytes: 30)
        sum.subtract(part)
        #expect(sum.items == 3 && sum.bytes == 70)
        part.add(bytes: .max)
        sum.subtract(part)
        #expect(sum.items == 0 && sum.bytes == 0)
    }
}
