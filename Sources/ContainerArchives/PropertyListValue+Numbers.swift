internal import Foundation
internal import PropertyLists

extension PropertyListValue {
    /// The value as a number, or nil.
    var number: NSNumber? {
        switch node {
        case .boolean(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .unsigned(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .single(let value): NSNumber(value: value)
        default: nil
        }
    }

    /// The value as a 64-bit integer, in any number format, or nil.
    var integer: Int64? {
        switch node {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): value
        case .unsigned(let value): Int64(exactly: value)
        case .real(let value): Int64(exactly: value)
        case .single(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// The value as a floating-point number, or nil.
    var real: Double? {
        switch node {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .real(let value): value
        case .single(let value): Double(value)
        default: nil
        }
    }

    /// The value as a Boolean, or nil. Old archivers stored Booleans as numbers.
    var boolean: Bool? {
        switch node {
        case .boolean(let value): value
        case .integer(0): false
        case .integer(1): true
        default: nil
        }
    }
}
