internal import StoragePolicy

/// How text looks on a terminal.
public struct Style: Sendable {
    private let isColored: Bool

    /// Text with colours, or without.
    public init(colored: Bool) { isColored = colored }

    func bold(_ text: String) -> String { wrap(text, "1") }
    func dim(_ text: String) -> String { wrap(text, "2") }
    func severity(_ severity: Severity, _ text: String) -> String {
        switch severity {
        case .error: wrap(text, "1;31")
        case .warning: wrap(text, "1;33")
        case .note: wrap(text, "1;36")
        }
    }

    private func wrap(_ text: String, _ code: String) -> String { isColored ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text }
}

/// Quantities as a person reads them, in no one's locale.
enum Quantity {
    /// Bytes in powers of a thousand, as storage is sold and shown: `12 KB`, `1.2 MB`.
    static func bytes(_ count: UInt64) -> String {
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

    static func count(_ number: Int, _ noun: String) -> String {
        "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Digits in threes.
    static func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in String(number).reversed().enumerated() {
            if index > 0, index % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
