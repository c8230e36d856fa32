internal import Foundation

/// The identity of a member of a set or a key of a dictionary.
///
/// Foundation on Linux considers two strings equal that differ in Unicode composition, and an integer and a fraction
/// that round to the same number, but returns different hash values for them. A hash table with such a pair ends the
/// process. So does a comparison of sets that contain collections. Measured with Swift 6.3.1. Therefore only values
/// that this type can distinguish are inserted into a hash table.
enum ArchiveMember: Hashable {
    case text(String), integer(Int64), unsigned(UInt64), real(Double), notANumber, data(Data), date(Double)
    case url(String), uuid(UUID), null, object(ObjectIdentifier)

    /// Returns nil for objects that cannot be members: collections, ranges, attributed strings.
    init?(_ object: NSObject) {
        guard let value = FoundationValue(object) else {
            self = .object(ObjectIdentifier(object))
            return
        }
        switch (value, object) {
        case (.string, let text as NSString), (.mutableString, let text as NSString): self = .text(String(text))
        case (.data, let data as NSData), (.mutableData, let data as NSData): self = .data(Data(referencing: data))
        case (.date, let date as NSDate): self = .date(date.timeIntervalSinceReferenceDate)
        case (.url, let url as NSURL): self = .url((url as URL).absoluteString)
        case (.uuid, let uuid as NSUUID): self = .uuid(uuid as UUID)
        case (.null, _): self = .null
        case (.number, let number as NSNumber):
            switch UInt8(bitPattern: number.objCType.pointee) {
            case UInt8(ascii: "d"), UInt8(ascii: "f"):
                self = number.doubleValue.isNaN ? .notANumber : .real(number.doubleValue)
            case UInt8(ascii: "Q"): self = .unsigned(number.uint64Value)
            default: self = .integer(number.int64Value)
            }
        default: return nil
        }
    }

    /// The value for a comparison with fractions.
    private var rounded: ArchiveMember {
        switch self {
        case .integer(let value): .real(Double(value))
        case .unsigned(let value): .real(Double(value))
        default: self
        }
    }

    /// Returns true if no two members are equal.
    static func areDistinct(_ members: [ArchiveMember]) -> Bool {
        let hasFractions = members.contains { if case .real = $0 { true } else { false } }
        return Set(hasFractions ? members.map(\.rounded) : members).count == members.count
    }
}
