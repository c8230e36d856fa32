internal import ContainerTree

/// The number and size of files, with the largest one. The result does not depend on the order of the files.
struct FileSum: Sendable {
    private(set) var sum = ItemCount()
    private(set) var largest: [UInt8] = []
    private var largestSize: UInt64 = 0

    mutating func add(_ path: [UInt8], size: UInt64) {
        sum.add(bytes: size)
        guard
            largest.isEmpty || size > largestSize
                || (size == largestSize && path.lexicographicallyPrecedes(largest))
        else { return }
        (largest, largestSize) = (path, size)
    }
}
