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

    private static let units: [(suffix: String, bytes: UInt64)] = [
        ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("KB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000),
    ]

    /// Returns the bytes of `512`, `64KiB`, `2MiB`, `1GiB`, and of `10KB`, `10MB`, `10GB` in powers of a thousand; nil for
    /// anything else.
    package static func read(_ text: String) -> UInt64? {
        guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return UInt64(text) }
        return UInt32(text.dropLast(unit.suffix.count)).map { UInt64($0) * unit.bytes }
    }
}
