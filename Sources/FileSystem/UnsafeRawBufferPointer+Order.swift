internal import Foundation

extension UnsafeRawBufferPointer {
    /// Returns true if these bytes come before others, as `lexicographicallyPrecedes`, which is slower.
    package func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
        guard let start = baseAddress, let otherStart = other.baseAddress else { return count < other.count }
        let order = memcmp(start, otherStart, Swift.min(count, other.count))
        return order == 0 ? count < other.count : order < 0
    }
}

extension [UInt8] {
    /// Returns true if these bytes come before others.
    package func precedes(_ other: [UInt8]) -> Bool {
        withUnsafeBytes { own in other.withUnsafeBytes { own.precedes($0) } }
    }
}
