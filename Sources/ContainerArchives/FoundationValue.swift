internal import Foundation

/// The supported Foundation classes, by their names in archives.
enum FoundationValue: String, CaseIterable, Sendable {
    case string = "NSString"
    case mutableString = "NSMutableString"
    case data = "NSData"
    case mutableData = "NSMutableData"
    case date = "NSDate"
    case array = "NSArray"
    case mutableArray = "NSMutableArray"
    case dictionary = "NSDictionary"
    case mutableDictionary = "NSMutableDictionary"
    case set = "NSSet"
    case mutableSet = "NSMutableSet"
    case countedSet = "NSCountedSet"
    case orderedSet = "NSOrderedSet"
    case mutableOrderedSet = "NSMutableOrderedSet"
    case url = "NSURL"
    case uuid = "NSUUID"
    case null = "NSNull"
    case value = "NSValue"
    case number = "NSNumber"
    case attributedString = "NSAttributedString"
    case mutableAttributedString = "NSMutableAttributedString"

    /// The class.
    var type: ArchivableClass {
        switch self {
        case .string: NSString.self
        case .mutableString: NSMutableString.self
        case .number: NSNumber.self
        case .data: NSData.self
        case .mutableData: NSMutableData.self
        case .date: NSDate.self
        case .array: NSArray.self
        case .mutableArray: NSMutableArray.self
        case .dictionary: NSDictionary.self
        case .mutableDictionary: NSMutableDictionary.self
        case .set: NSSet.self
        case .mutableSet: NSMutableSet.self
        case .countedSet: NSCountedSet.self
        case .orderedSet: NSOrderedSet.self
        case .mutableOrderedSet: NSMutableOrderedSet.self
        case .url: NSURL.self
        case .uuid: NSUUID.self
        case .null: NSNull.self
        case .value: NSValue.self
        case .attributedString: NSAttributedString.self
        case .mutableAttributedString: NSMutableAttributedString.self
        }
    }

    /// The names of the class and its superclasses, as an archive lists them.
    var lineage: [String] {
        switch self {
        case .mutableString: [rawValue] + Self.string.lineage
        case .mutableData: [rawValue] + Self.data.lineage
        case .mutableArray: [rawValue] + Self.array.lineage
        case .mutableDictionary: [rawValue] + Self.dictionary.lineage
        case .mutableSet: [rawValue] + Self.set.lineage
        case .countedSet: [rawValue] + Self.mutableSet.lineage
        case .mutableOrderedSet: [rawValue] + Self.orderedSet.lineage
        case .number: [rawValue] + Self.value.lineage
        case .mutableAttributedString: [rawValue] + Self.attributedString.lineage
        default: [rawValue, "NSObject"]
        }
    }

    /// True for a class of plain values, which are always allowed, as with Apple's decoder.
    var isPlain: Bool {
        switch self {
        case .string, .mutableString, .number, .data, .mutableData, .date, .array, .mutableArray, .dictionary,
            .mutableDictionary:
            true
        default: false
        }
    }

    /// Returns the most specific class of an object, or nil if it is not supported.
    ///
    /// The private classes of a class cluster are subclasses of these.
    init?(_ object: NSObject) {
        // A special number with an archive format of its own.
        if object is NSDecimalNumber { return nil }
        let exact = Self.byType[ObjectIdentifier(Swift.type(of: object))]
        // Mutable and more specific classes come after their superclasses.
        guard let value = exact ?? Self.allCases.last(where: { object.isKind(of: $0.type) }) else { return nil }
        self = value
    }

    private static let byType = Dictionary(uniqueKeysWithValues: allCases.map { (ObjectIdentifier($0.type), $0) })

    /// Returns true for one of these classes, which are identified only by their own name.
    static func isFoundation(_ type: AnyClass) -> Bool { byType[ObjectIdentifier(type)] != nil }
}
