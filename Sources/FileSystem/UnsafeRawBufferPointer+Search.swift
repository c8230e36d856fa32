internal import Foundation

extension UnsafeRawBufferPointer {
    /// Returns the position of the first occurrence of some bytes at or after a position, or nil.
    ///
    /// Compares sixteen positions at once by the first and the last byte.
    package func position(of wanted: [UInt8], from start: Int = 0) -> Int? {
        guard let first = wanted.first, let last = wanted.last else { return start }
        let (firsts, lasts) = (SIMD16(repeating: first), SIMD16(repeating: last))
        let distance = wanted.count - 1
        let end = count - distance
        var position = start
        while position < end {
            // The last sixteen positions are compared together, also if some of them were compared before.
            let base = Swift.min(position, end - 16)
            guard base >= 0 else {
                if hasBytes(wanted, at: position) { return position }
                position += 1
                continue
            }
            let isFirst = loadUnaligned(fromByteOffset: base, as: SIMD16<UInt8>.self) .== firsts
            let isLast = loadUnaligned(fromByteOffset: base + distance, as: SIMD16<UInt8>.self) .== lasts
            if (isFirst .& isLast).isAnySet {
                for next in position..<(base + 16) where hasBytes(wanted, at: next) { return next }
            }
            position = base + 16
        }
        return nil
    }

    /// Returns the position of the first such byte at or after a position, or nil.
    package func position(of byte: UInt8, from start: Int) -> Int? {
        guard start < count, let base = baseAddress, let found = memchr(base + start, Int32(byte), count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// Returns true if the bytes begin with those of a text.
    package func starts(withText text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount else { return false }
        for index in 0..<text.utf8CodeUnitCount where self[index] != text.utf8Start[index] { return false }
        return true
    }

    private func hasBytes(_ wanted: [UInt8], at start: Int) -> Bool {
        for index in wanted.indices where self[start + index] != wanted[index] { return false }
        return true
    }
}

extension SIMDMask<SIMD16<Int8>> {
    /// True if a byte of the mask is set. `any` compares byte by byte.
    fileprivate var isAnySet: Bool { unsafeBitCast(self, to: SIMD2<UInt64>.self) != .zero }
}
