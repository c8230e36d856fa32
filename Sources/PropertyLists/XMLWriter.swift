extension PropertyList {
    /// Returns the XML form, with a line for each value, as Apple's tools write it.
    ///
    /// Control characters other than tabs and line feeds are written as character references, which this module reads back and
    /// a reader of strict XML 1.0 refuses. A date is written in whole seconds.
    ///
    /// - Throws: `unsupported` for a NUL in a text and for a date without a calendar date, `tooLarge` beyond 500 levels.
    package func xml() throws(PropertyListError) -> String {
        var writer = XMLWriter()
        try writer.add(self, depth: 0)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            \(writer.text)</plist>

            """
    }
}

/// A writer for the elements of Apple's PropertyList-1.0 DTD.
private struct XMLWriter {
    private(set) var text = ""

    mutating func add(_ value: PropertyList, depth: Int) throws(PropertyListError) {
        guard depth < 500 else { throw PropertyListError(.tooLarge, at: 0, description: "nested too deeply") }
        let indent = String(repeating: "\t", count: depth)
        switch value {
        case .boolean(let value): text += "\(indent)<\(value)/>\n"
        case .integer(let number): text += "\(indent)<integer>\(number)</integer>\n"
        case .unsigned(let number): text += "\(indent)<integer>\(number)</integer>\n"
        case .real(let number): text += "\(indent)<real>\(number)</real>\n"
        case .single(let number): text += "\(indent)<real>\(number)</real>\n"
        case .date(let seconds): text += "\(indent)<date>\(try Self.date(seconds))</date>\n"
        case .data(let bytes):
            text += "\(indent)<data>\n"
            for line in Self.base64(bytes) { text += "\(indent)\(line)\n" }
            text += "\(indent)</data>\n"
        case .string(let string): text += "\(indent)<string>\(try Self.escaped(string))</string>\n"
        case .uid(let number):
            try add(
                .dictionary([("CF$UID", number > Int64.max ? .unsigned(number) : .integer(Int64(number)))]),
                depth: depth)
        case .array(let members):
            guard !members.isEmpty else { return text += "\(indent)<array/>\n" }
            text += "\(indent)<array>\n"
            for member in members { try add(member, depth: depth + 1) }
            text += "\(indent)</array>\n"
        case .dictionary(let pairs):
            guard !pairs.isEmpty else { return text += "\(indent)<dict/>\n" }
            text += "\(indent)<dict>\n"
            for (key, value) in pairs {
                text += "\(indent)\t<key>\(try Self.escaped(key))</key>\n"
                try add(value, depth: depth + 1)
            }
            text += "\(indent)</dict>\n"
        }
    }

    private static func escaped(_ string: String) throws(PropertyListError) -> String {
        var escaped = ""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\t", "\n": escaped.unicodeScalars.append(scalar)
            case "\0":
                throw PropertyListError(.unsupported, at: 0, description: "a text with a NUL, which XML cannot have")
            case _ where scalar.value < 0x20 || scalar.value == 0x7f: escaped += "&#\(scalar.value);"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Returns a date such as 2026-01-31T12:00:00Z. The argument is in seconds since 2001-01-01T00:00:00Z.
    ///
    /// Source: Hinnant, chrono-compatible low-level date algorithms.
    private static func date(_ seconds: Double) throws(PropertyListError) -> String {
        // The years of up to nine digits that the reader accepts.
        guard seconds.isFinite, abs(seconds) < 3e16 else {
            throw PropertyListError(.unsupported, at: 0, description: "a date that XML cannot have")
        }
        let whole = Int64(seconds.rounded(.down)) + 978_307_200
        let days = Int64((Double(whole) / 86_400).rounded(.down))
        // The division of a large number may round up.
        let day = days * 86_400 > whole ? days - 1 : days
        let rest = whole - day * 86_400
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let date = dayOfYear - (153 * month + 2) / 5 + 1
        let calendarMonth = month < 10 ? month + 3 : month - 9
        let year = yearOfEra + era * 400 + (calendarMonth <= 2 ? 1 : 0)
        func digits(_ number: Int64, count: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        return (year < 0 ? "-" : "") + digits(abs(year), count: 4) + "-" + digits(calendarMonth, count: 2) + "-"
            + digits(date, count: 2) + "T" + digits(rest / 3600, count: 2) + ":" + digits(rest / 60 % 60, count: 2)
            + ":"
            + digits(rest % 60, count: 2) + "Z"
    }

    /// Returns the lines of base64 text, each of 76 characters or the rest.
    private static func base64(_ bytes: [UInt8]) -> [String] {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        return stride(from: 0, to: bytes.count, by: 57).map { start in
            var line: [UInt8] = []
            for group in stride(from: start, to: min(start + 57, bytes.count), by: 3) {
                let part = bytes[group..<min(group + 3, bytes.count)]
                let word = part.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - part.count))
                for position in 0..<4 {
                    line.append(
                        position <= part.count
                            ? letters[Int(word >> UInt32(18 - 6 * position) & 63)] : UInt8(ascii: "="))
                }
            }
            return String(decoding: line, as: UTF8.self)
        }
    }
}
