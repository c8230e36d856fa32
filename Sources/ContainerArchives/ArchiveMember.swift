internal import Foundation

/// What makes a member of a set, or a key of a dictionary, another than its neighbours.
///
/// Foundation on Linux calls two texts equal that differ in how their accents are composed, and a whole number and a
/// fraction that round to the same, but hashes them differently; a hash table ends the process when it finds such two.
/// It does so too when it compares sets that hold collections. Measured with Swift 6.3.1. So only values that are
/// told apart here go into one.
enum ArchiveMember: Hashable {
    case text(String), integer(Int64), unsigned(UInt64), real(Double), notANumber, data(Data), date(Double)
    case url(String), uuid(UUID), null, object(ObjectIdentifier)

    /// Nil for what cannot be a member: collections, ranges, attributed texts.
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

    /// The same where there are fractions beside it.
    private var rounded: ArchiveMember {
        switch self {
        case .integer(let value): .real(Double(value))
        case .unsigned(let value): .real(Double(value))
        default: self
        }
    }

    /// Whether no two of these are equal.
    static func areDistinct(_ members: [ArchiveMember]) -> Bool {
        let hasFractions = members.contains { if case .real = $0 { true } else { false } }
        return Set(hasFractions ? members.map(\.rounded) : members).count == members.count
    }
}
