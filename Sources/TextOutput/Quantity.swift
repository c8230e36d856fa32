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
