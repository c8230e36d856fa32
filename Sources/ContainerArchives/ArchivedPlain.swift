internal import Foundation
internal import PropertyLists

/// A plain value in the object table. Equal values share an entry.
enum ArchivedPlain: Hashable {
    /// Text as UTF-8: Swift considers strings equal that differ in Unicode composition.
    case text(utf8: [UInt8])
    case data(Data), boolean(Bool), integer(Int64), unsigned(UInt64), real(bits: UInt64)
    case single(bits: UInt32)

    /// Returns nil for an object that is not a plain value.
    init?(_ object: NSObject, value: FoundationValue) {
        switch (value, object) {
        case (.string, let text as NSString): self = .text(utf8: Array(String(text).utf8))
        case (.data, let data as NSData): self = .data(Data(referencing: data))
        case (.number, let number as NSNumber): self = Self.number(number)
        default: return nil
        }
    }

    /// On every system there is one object for each Boolean. The type of a number is that of its storage.
    static func number(_ number: NSNumber) -> ArchivedPlain {
        if number === NSNumber(value: true) { return .boolean(true) }
        if number === NSNumber(value: false) { return .boolean(false) }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"): return .real(bits: number.doubleValue.bitPattern)
        case UInt8(ascii: "f"): return .single(bits: number.floatValue.bitPattern)
        case UInt8(ascii: "Q"): return .unsigned(number.uint64Value)
        default: return .integer(number.int64Value)
        }
    }

    /// The value in the object table.
    var value: PropertyList {
        switch self {
        case .text(let text): .string(String(decoding: text, as: UTF8.self))
        case .data(let data): .data(Array(data))
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .unsigned(let value): .unsigned(value)
        case .real(let bits): .real(Double(bitPattern: bits))
        case .single(let bits): .single(Float(bitPattern: bits))
        }
    }
}

/// An immutable value that has fields in the object table. Equal values share an entry, which has the fields of the
/// first.
enum ArchivedShared: Hashable {
    case date(bits: UInt64), uuid(UUID)
    /// The absolute and the relative text of a URL, as UTF-8.
    case url([UInt8], relative: [UInt8])

    /// Returns nil for an object of another class.
    init?(_ object: NSObject, value: FoundationValue) {
        switch (value, object) {
        case (.date, let date as NSDate): self = .date(bits: date.timeIntervalSinceReferenceDate.bitPattern)
        case (.uuid, let uuid as NSUUID): self = .uuid(uuid as UUID)
        case (.url, let url as NSURL):
            // Optional on Apple's systems only.
            let text: String? = url.absoluteString
            self = .url(Array((text ?? "").utf8), relative: Array(url.relativeString.utf8))
        default: return nil
        }
    }
}
