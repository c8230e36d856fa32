/// A number of items, and the bytes of their content.
package struct ItemCount: Sendable, Hashable {
    package private(set) var items = 0
    package private(set) var bytes: UInt64 = 0

    package init() {}

    package mutating func add(bytes: UInt64, items: Int = 1) {
        self.items += items
        self.bytes.addClamped(bytes)
    }

    package mutating func add(_ other: ItemCount) { add(bytes: other.bytes, items: other.items) }
}

/// Sizes come from file systems and databases. The sum of the sizes of sparse files may exceed 64 bits.
extension UInt64 {
    /// Adds a number; the sum is limited to `Int64.max`, the largest integer of SQLite.
    package mutating func addClamped(_ other: UInt64) {
        let (sum, isOver) = addingReportingOverflow(other)
        self = isOver ? UInt64(Int64.max) : Swift.min(sum, UInt64(Int64.max))
    }
}
