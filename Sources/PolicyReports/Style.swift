internal import StoragePolicy

/// How text looks on a terminal.
public struct Style: Sendable {
    private let isColored: Bool
    private let hasLinks: Bool
    /// What a line may take; nil for text that no terminal shows.
    let columns: Int?

    /// Text with colours, or without.
    public init(colored: Bool) { self.init(colored: colored, links: false, columns: nil) }

    /// Text for a terminal of so many columns, where it is one; `links` where it makes links of OSC 8.
    package init(colored: Bool, links: Bool, columns: Int?) {
        isColored = colored
        hasLinks = links
        self.columns = columns.map { max(20, $0) }
    }

    /// The name of a rule, which leads to what it rests on. Source: egmontkob, "Hyperlinks in terminal emulators".
    func link(_ text: String, of rule: Rule) -> String {
        guard hasLinks, let target = rule.references.first(where: { $0.hasPrefix("https://") }),
            target.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { return text }
        return "\u{1b}]8;;\(target)\u{1b}\\\(text)\u{1b}]8;;\u{1b}\\"
    }

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
