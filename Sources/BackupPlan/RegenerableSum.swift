internal import ContainerTree

/// The number and size of re-downloadable or regenerable files, with the largest one. The result does not depend on the
/// order of the files.
struct RegenerableSum: Sendable {
    private(set) var sum = ItemCount()
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
