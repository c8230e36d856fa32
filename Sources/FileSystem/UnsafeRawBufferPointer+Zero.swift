internal import Foundation

extension UnsafeRawBufferPointer {
    /// True if every byte is zero, and for no bytes: the first one is, and each is equal to the one before it.
    package var isZero: Bool {
        guard let baseAddress, first == 0 else { return isEmpty }
        return memcmp(baseAddress, baseAddress + 1, count - 1) == 0
    }
}
