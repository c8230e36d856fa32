/// A number of items and the bytes of their content.
///
/// A file system may report any size, so the sum of the bytes saturates.
package struct ItemSum: Sendable, Hashable {
    package private(set) var items = 0
    package private(set) var bytes: UInt64 = 0

    package mutating func add(items: Int = 1, bytes: UInt64) {
        self.items += items
        self.bytes = self.bytes.addingSaturated(bytes)
    }

    package mutating func add(_ other: ItemSum) { add(items: other.items, bytes: other.bytes) }

    package init() {}

    /// Subtracts a part that was added before.
    mutating func subtract(_ part: ItemSum) {
        items -= part.items
        bytes -= min(bytes, part.bytes)
    }
}

extension UInt64 {
    /// The sum, or the largest number where the sum is larger.
    @inline(__always)
    package func addingSaturated(_ other: UInt64) -> UInt64 {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? .max : sum
    }
}
