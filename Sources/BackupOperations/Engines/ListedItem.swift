internal import FileSystem

/// One item of a snapshot, as the tool lists it.
struct ListedItem {
    /// The path as the tool shows it, from the root of what was kept; empty for the root itself. Bytes that are not
    /// UTF-8 are all shown alike.
    let name: [UInt8]
    let kind: FileKind
    /// Nil where the listing does not tell.
    let size: UInt64?
    let permissions: UInt16
    let modified: Timestamp?
}

extension Timestamp {
    /// The time that a tool writes as `2026-11-21T15:17:39.491600387Z`, at most to the nanosecond. Without a zone it is
    /// UTC's; with another zone, or where it is no such text, nil.
    init?(listed text: String) {
        let fields = text.hasSuffix("Z") ? text.utf8.dropLast() : text.utf8[...]
        let numbers = fields.split { !(48...57).contains($0) }.compactMap { Int64(String(Substring($0))) }
        guard numbers.count == 6 || numbers.count == 7, fields.count >= 19, !text.contains("+"),
            fields.count(where: { $0 == UInt8(ascii: "-") }) == 2
        else { return nil }
        let (year, month, day) = (numbers[1] > 2 ? numbers[0] : numbers[0] - 1, numbers[1], numbers[2])
        // Days since 1970 of the proleptic Gregorian calendar, the year beginning in March.
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        let fraction = text.split(separator: ".").dropFirst().first.map { $0.prefix(while: \.isNumber) } ?? ""
        let digits = (fraction + "000000000").prefix(9)
        self.init(
            seconds: days * 86_400 + numbers[3] * 3_600 + numbers[4] * 60 + numbers[5],
            nanoseconds: UInt32(digits) ?? 0)
    }
}
