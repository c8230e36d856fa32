/// Parsers for the text of elements of an XML property list.
enum XMLText {
    /// Returns the text of one of the five predefined entities of XML or of a character reference.
    static func entity(_ name: ArraySlice<UInt8>) -> Unicode.Scalar? {
        let name = String(decoding: name, as: UTF8.self)
        switch name {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
            guard name.hasPrefix("#"), let number, number > 0 else { return nil }
            return Unicode.Scalar(number)
        }
    }

    /// Returns the seconds since 2001-01-01T00:00:00Z of a date such as 2026-01-31T12:00:00Z. The year has at most nine
    /// digits.
    static func date(_ text: String) -> Double? {
        var text = text
        guard let date = text.withUTF8({ dateFields(in: $0) }) else { return nil }
        let (year, month) = (date.isNegative ? -date.year : date.year, date.month)
        // Returns the days since 1970-01-01 of a date. Source: Hinnant, chrono-compatible low-level date algorithms.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + date.day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return Double(days * 86_400 + date.hour * 3600 + date.minute * 60 + date.second - 978_307_200)
    }

    /// The fields of a date in UTC, of which the year has no sign.
    private struct DateFields {
        var isNegative = false
        var (year, month, day): (Int64, Int64, Int64) = (0, 0, 0)
        var (hour, minute, second): (Int64, Int64, Int64) = (0, 0, 0)
    }

    private static func dateFields(in text: UnsafeBufferPointer<UInt8>) -> DateFields? {
        var position = 0

        /// Reads a number of `digits` digits.
        func number(_ digits: ClosedRange<Int>) -> Int64? {
            let start = position
            var number: Int64 = 0
            while position < text.count, position - start < digits.upperBound,
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[position])
            {
                number = number * 10 + Int64(text[position] - UInt8(ascii: "0"))
                position += 1
            }
            return position - start >= digits.lowerBound ? number : nil
        }
        /// Reads a separator and a number of two digits.
        func field(after separator: Unicode.Scalar, _ range: ClosedRange<Int64>) -> Int64? {
            guard position < text.count, text[position] == UInt8(ascii: separator) else { return nil }
            position += 1
            return number(2...2).flatMap { range.contains($0) ? $0 : nil }
        }
        var fields = DateFields()
        if text.first == UInt8(ascii: "-") {
            fields.isNegative = true
            position = 1
        }
        guard let year = number(1...9), let month = field(after: "-", 1...12), let day = field(after: "-", 1...31),
            let hour = field(after: "T", 0...24), let minute = field(after: ":", 0...59),
            let second = field(after: ":", 0...60), position + 1 == text.count, text[position] == UInt8(ascii: "Z")
        else { return nil }
        (fields.year, fields.month, fields.day) = (year, month, day)
        (fields.hour, fields.minute, fields.second) = (hour, minute, second)
        return fields
    }

    /// Returns the bytes of base64 text. Ignores blanks.
    static func base64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        text.withUnsafeBufferPointer { base64($0) }
    }

    private static func base64(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var isBase64 = true
        let bytes = sixBits.withUnsafeBufferPointer { sixBits in
            [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 3) { bytes, total in
                var (buffer, bits): (UInt32, UInt32) = (0, 0)
                var (position, count) = (0, 0)
                defer { total = count }
                while position < text.count {
                    // Four characters at once, which are three bytes.
                    if bits == 0, position + 4 <= text.count {
                        let (first, second) = (sixBits[Int(text[position])], sixBits[Int(text[position + 1])])
                        let (third, fourth) = (sixBits[Int(text[position + 2])], sixBits[Int(text[position + 3])])
                        if first | second | third | fourth < blank {
                            bytes[count] = first << 2 | second >> 4
                            bytes[count + 1] = second << 4 | third >> 2
                            bytes[count + 2] = third << 6 | fourth
                            (position, count) = (position + 4, count + 3)
                            continue
                        }
                    }
                    let value = sixBits[Int(text[position])]
                    position += 1
                    if value < blank {
                        buffer = buffer << 6 | UInt32(value)
                        bits += 6
                        guard bits >= 8 else { continue }
                        bits -= 8
                        bytes[count] = UInt8(truncatingIfNeeded: buffer >> bits)
                        count += 1
                    } else if value != blank {
                        isBase64 = false
                        return
                    }
                }
            }
        }
        return isBase64 ? bytes : nil
    }

    /// The value of a base64 character: less than 64, `blank`, or greater if it is not valid.
    private static let sixBits: [UInt8] = {
        var table = [UInt8](repeating: 255, count: 256)
        for byte in [0x20, 0x09, 0x0a, 0x0d, UInt8(ascii: "=")] { table[Int(byte)] = blank }
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, letter) in letters.utf8.enumerated() { table[Int(letter)] = UInt8(value) }
        return table
    }()
    private static let blank: UInt8 = 64
}
