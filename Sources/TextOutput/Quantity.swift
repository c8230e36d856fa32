/// Formatted quantities, independent of the locale.
package enum Quantity {
    /// Returns bytes with decimal prefixes, as Apple's systems show them: `12 KB`, `1.2 MB`.
    package static func bytes(_ count: UInt64) -> String {
        if count == 1 { return "1 byte" }
        var value = Double(count)
        for unit in ["bytes", "KB", "MB", "GB", "TB"] {
            if value < 999.5 || unit == "TB" {
                let tenths = Int((value * 10).rounded())
                let isWhole = unit == "bytes" || value >= 99.95 || tenths % 10 == 0
                return isWhole ? "\(Int(value.rounded())) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
            }
            value /= 1000
        }
        return "\(count) bytes"
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
    package static func readBytes(_ text: String) -> UInt64? {
        guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return UInt64(text) }
        return UInt32(text.dropLast(unit.suffix.count)).map { UInt64($0) * unit.bytes }
    }

    package static func count(_ number: Int, _ noun: String) -> String {
        "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Returns digits in groups of three.
    package static func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in String(number).reversed().enumerated() {
            if index > 0, index % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
