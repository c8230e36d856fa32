/// A number of items, and the size of their content.
package struct PlanSum: Sendable, Hashable {
    package private(set) var items = 0
    package private(set) var bytes: UInt64 = 0

    package init() {}

    package mutating func add(bytes: UInt64, items: Int = 1) {
        self.items += items
        self.bytes.addClamped(bytes)
    }

    package mutating func add(_ other: PlanSum) { add(bytes: other.bytes, items: other.items) }
}

/// The number and size of re-downloadable or regenerable files, with the largest one. The result does not depend on the
/// order of the files.
struct RegenerableSum: Sendable {
    private(set) var sum = PlanSum()
    private(set) var largest: [UInt8] = []
    private var largestSize: UInt64 = 0

    mutating func add(_ path: [UInt8], _ size: UInt64) {
        sum.add(bytes: size)
        consider(path, size)
    }

    mutating func add(_ other: RegenerableSum) {
        guard other.sum.items > 0 else { return }
        sum.add(other.sum)
        consider(other.largest, other.largestSize)
    }

    private mutating func consider(_ path: [UInt8], _ size: UInt64) {
        guard
            largest.isEmpty || size > largestSize
                || (size == largestSize && path.lexicographicallyPrecedes(largest))
        else { return }
        (largest, largestSize) = (path, size)
    }
}

/// Sizes come from file systems and databases. The sum of the sizes of sparse files may exceed 64 bits.
extension UInt64 {
    /// Adds a number; the sum is limited to `Int64.max`, the largest integer of SQLite.
    package mutating func addClamped(_ other: UInt64) {
        let (sum, isOver) = addingReportingOverflow(other)
        self = isOver ? UInt64(Int64.max) : Swift.min(sum, UInt64(Int64.max))
    }
}
