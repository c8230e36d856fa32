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

    /// Returns a decimal number, infinity, or not a number, as CoreFoundation reads it: blanks are allowed before the
    /// number, but no text after it. Hexadecimal numbers are not valid.
    static func real(_ text: String) -> Double? {
        if names.contains(text.lowercased()) { return Double(text) }
        let number = text.drop { $0.isWhitespace && $0.isASCII }
        // The initializer would also accept hexadecimal numbers, names with blanks, and text after a null character.
        let isDecimal = number.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || [0x2b, 0x2d, 0x2e, 0x45, 0x65].contains(byte)
        }
        return isDecimal ? Double(number) : nil
    }

    /// The numbers without digits, in lowercase.
    private static let names: Set = ["nan", "inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"]

    /// Returns the bytes of base64 text, as CoreFoundation reads it: characters that are not base64 are ignored, and so
    /// is an incomplete group of four characters at the end. Returns nil for text that is not ASCII.
    static func base64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        text.withUnsafeBufferPointer { base64($0) }
    }

    private static func base64(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var isASCII = true
        let bytes = sixBits.withUnsafeBufferPointer { sixBits in
            [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 3) { bytes, total in
                var (buffer, characters, padding): (UInt32, Int, Int) = (0, 0, 0)
                var (position, count) = (0, 0)
                defer { total = count }
                while position < text.count {
                    // Four characters at once, which are three bytes.
                    if characters == 0, position + 4 <= text.count {
                        let (first, second) = (sixBits[Int(text[position])], sixBits[Int(text[position + 1])])
                        let (third, fourth) = (sixBits[Int(text[position + 2])], sixBits[Int(text[position + 3])])
                        if first | second | third | fourth < pad {
                            bytes[count] = first << 2 | second >> 4
                            bytes[count + 1] = second << 4 | third >> 2
                            bytes[count + 2] = third << 6 | fourth
                            (position, count, padding) = (position + 4, count + 3, 0)
                            continue
                        }
                    }
                    let (byte, value) = (text[position], sixBits[Int(text[position])])
                    position += 1
                    guard byte < 0x80 else {
                        isASCII = false
                        return
                    }
                    if value == pad {
                        padding += 1
                    } else if value < pad {
                        padding = 0
                    } else {
                        continue
                    }
                    buffer = buffer << 6 | (value == pad ? 0 : UInt32(value))
                    characters += 1
                    guard characters == 4 else { continue }
                    // The last characters of a group may be padding, for which there are no bytes.
                    let whole = padding >= 2 ? 1 : 3 - padding
                    for index in 0..<whole {
                        bytes[count + index] = UInt8(truncatingIfNeeded: buffer >> (16 - 8 * UInt32(index)))
                    }
                    (buffer, characters, count) = (0, 0, count + whole)
                }
            }
        }
        return isASCII ? bytes : nil
    }

    /// The value of a base64 character: less than 64, `pad`, or greater if it is ignored.
    private static let sixBits: [UInt8] = {
        var table = [UInt8](repeating: 255, count: 256)
        table[Int(UInt8(ascii: "="))] = pad
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, letter) in letters.utf8.enumerated() { table[Int(letter)] = UInt8(value) }
        return table
    }()
    private static let pad: UInt8 = 64
}
