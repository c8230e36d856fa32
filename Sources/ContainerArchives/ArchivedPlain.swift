internal import Foundation
internal import PropertyLists

/// A plain value in the object table. Equal values share an entry.
enum ArchivedPlain: Hashable {
    case text(String), data(Data), boolean(Bool), integer(Int64), unsigned(UInt64), real(bits: UInt64)
    case single(bits: UInt32)

    /// Returns nil for an object that is not a plain value.
    init?(_ object: NSObject, value: FoundationValue) {
        switch (value, object) {
        case (.string, let text as NSString): self = .text(String(text))
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
        case .text(let text): .string(text)
        case .data(let data): .data(Array(data))
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .unsigned(let value): .unsigned(value)
        case .real(let bits): .real(Double(bitPattern: bits))
        case .single(let bits): .single(Float(bitPattern: bits))
        }
    }
}
