internal import TextOutput

/// Bytes as people write them.
package enum ByteCount {
    package static func text(_ bytes: UInt64) -> String {
        for (unit, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] where bytes >= 1 << UInt64(shift) {
            let (whole, rest) = (bytes >> UInt64(shift), bytes & (1 << UInt64(shift) - 1))
            let tenths = (rest * 10) >> UInt64(shift)
            return tenths == 0 ? "\(whole) \(unit)" : "\(whole).\(tenths) \(unit)"
        }
        return "\(bytes) bytes"
    }

    /// Bytes in millions with two decimals, as Apple's settings and App Review's letters have them: `13.95 MB`.
    package static func megabytes(_ bytes: UInt64) -> String {
        let hundredths = bytes / 10_000 + (bytes % 10_000 >= 5_000 ? 1 : 0)
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) MB"
    }

    /// Returns the bytes of a text such as `10MB`, see `Quantity.read`.
    package static func read(_ text: String) -> UInt64? { Quantity.read(text) }
}
