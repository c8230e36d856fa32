public import Foundation

/// A class whose objects can be archived: a class of the app or of Foundation.
public typealias ArchivableClass = any (NSObject & NSSecureCoding).Type

/// A class with a name of its own in archives, which stays the same when the class or its module is renamed.
///
/// A name in the argument `named:` of a call takes precedence.
public protocol ArchiveNamed: NSObject {
    /// The name, or nil for `Module.Class`. A subclass overrides it, because it needs another name.
    static var archiveName: String? { get }
}

/// A class that states which of its fields refer to objects, so that an archive can be checked before it is decoded.
///
/// `@AutoArchived` writes the conformance.
public protocol _ArchiveDescribed: ArchiveNamed {
    /// The fields that refer to objects, with those of the superclasses.
    static var _archivedFields: [_ArchivedField] { get }
}

/// A field of a class with `@AutoArchived` that refers to objects.
public struct _ArchivedField {
    let keys: [String]
    let classes: [AnyClass]
    let isLink: Bool

    /// Creates the description of a field.
    ///
    /// - Parameters:
    ///   - keys: The key, and those of older archives.
    ///   - classes: The classes that are allowed in the field.
    ///   - isLink: True if the field is decoded after the object.
    public init(keys: [String], classes: [AnyClass], isLink: Bool) {
        (self.keys, self.classes, self.isLink) = (keys, classes, isLink)
    }
}

/// The classes that are allowed in an archive, and their names in the archive.
struct ArchiveClasses {
    /// The classes that are currently allowed, with their subclasses.
    private(set) var allowed: [AnyClass]
    private var named: [String: ArchivableClass] = [:]
    /// The reasons why classes of fields cannot be decoded, by name.
    private var refused: [String: String] = [:]
    /// True in a field of a class that does not state its fields. Any class may be allowed there.
    private var allowsAny = false

    /// Creates the set from the classes that the caller allows.
    init(_ classes: [ArchivableClass], named names: [String: ArchivableClass]) {
        allowed = classes + names.values.map { $0 }
        named = names
        learn(classes)
    }

    /// The result of a lookup of a class name.
    enum Found {
        case foundation(FoundationValue), app(ArchivableClass), disallowed, unknown
        /// A class that is allowed but cannot be decoded, with the reason.
        case undecodable(String)
        /// A class that may be known to the class that requests the object.
        case unlisted
    }

    /// Looks up a class name among the classes that the app allows.
    func find(_ name: String) -> Found {
        if let type = named[name] { return allows(type) ? .app(type) : .disallowed }
        if let reason = refused[name] { return .undecodable(reason) }
        guard let value = FoundationValue.named(name) else { return allowsAny ? .unlisted : .unknown }
        return value.isPlain || allows(value.type) ? .foundation(value) : .disallowed
    }

    /// Returns the error for a class at a position, or nil if it is allowed there.
    func refusal(of found: Found, name: String, at place: String) -> ArchiveFault? {
        switch found {
        case .foundation, .app, .unlisted: nil
        case .disallowed:
            ArchiveFault(
                .disallowedClass, at: place,
                "an object has the class \(ArchiveFault.shown(name)), which is not allowed at this position",
                hint: "Add the class to allowing:, or allow it where its field is decoded.")
        case .undecodable(let reason):
            ArchiveFault(.disallowedClass, at: place, reason, hint: Self.refusalHint)
        case .unknown:
            ArchiveFault(
                .unknownClass, at: place, "an object has the unknown class \(ArchiveFault.shown(name))",
                hint: "Add the class to allowing:, or to named: if it has another name in the archive.")
        }
    }

    /// The set with any class allowed.
    var allowingAny: ArchiveClasses {
        var other = self
        other.allowsAny = true
        return other
    }

    /// Returns the set with other classes allowed, as a class of the app requests for one of its fields.
    func allowing(_ classes: [AnyClass]) -> ArchiveClasses {
        var other = self
        other.allowed = classes
        other.allowsAny = false
        other.learn(classes.compactMap { $0 as? ArchivableClass })
        return other
    }

    private func allows(_ type: ArchivableClass) -> Bool {
        allowsAny || allowed.contains { type.isSubclass(of: $0) }
    }

    /// A name from the caller takes precedence over the class's own name.
    private mutating func learn(_ classes: [ArchivableClass]) {
        // Foundation's classes are read by name, and the private classes of a class cluster have no name in an archive.
        for type in classes where !FoundationValue.isFoundation(type) && !Self.isHidden(type) {
            let name = Self.name(of: type)
            if let reason = Self.refusal(of: type) {
                refused[name] = reason
            } else if named[name] == nil {
                named[name] = type
            }
        }
    }

    /// The hint for a class that is refused.
    static let refusalHint = "Archive the parts of the object in a class of your own."

    /// Returns the reason why objects of a class are not decoded, or nil if they are.
    ///
    /// This reader supports only those of Foundation's classes that `FoundationValue` lists. On Linux, `init(coder:)` of the
    /// others may end the process for a decoder other than `NSKeyedUnarchiver` or for fields of other types, and so may
    /// that of an app's class that inherits from a class of Foundation other than `NSObject`. Measured with Swift
    /// 6.3.1.
    static func refusal(of type: AnyClass) -> String? {
        guard type != NSObject.self, !FoundationValue.isFoundation(type), !isHidden(type) else { return nil }
        if isOfFoundation(type) { return "\(name(of: type)) is a class of Foundation that is not supported" }
        var ancestor: AnyClass? = _getSuperclass(type)
        while let current = ancestor, current != NSObject.self {
            if isOfFoundation(current) {
                return
                    "\(name(of: type)) inherits from a class of Foundation, \(name(of: current)), whose decoding may "
                    + "end the process"
            }
            ancestor = _getSuperclass(current)
        }
        return nil
    }

    /// Returns true for a private class of a class cluster of Foundation, such as that of Booleans.
    private static func isHidden(_ type: AnyClass) -> Bool {
        guard isOfFoundation(type), let object = type as? NSObject.Type else {
            return false
        }
        return FoundationValue.allCases.contains { object.isSubclass(of: $0.type) }
    }

    private static let modules: Set<Substring> = [
        "Foundation", "FoundationEssentials", "FoundationNetworking", "FoundationXML",
    ]

    /// Returns true for a class of Foundation. Apple's systems return no module for a class of Objective-C.
    static func isOfFoundation(_ type: AnyClass) -> Bool {
        let parts = String(reflecting: type).split(separator: ".", maxSplits: 1)
        return parts.count == 2 ? modules.contains(parts[0]) : parts.first?.hasPrefix("NS") == true
    }

    /// Returns the name of a class in an archive: its own one or `Module.Class`, without the module for classes of
    /// Foundation.
    static func name(of type: AnyClass) -> String {
        if let name = ownName(of: type) { return name }
        return isTopLevel(type) ? NSStringFromClass(type) : String(reflecting: type)
    }

    /// Returns the names of the superclasses of a class, as an archive lists them.
    static func ancestors(of type: AnyClass) -> [String] {
        var names: [String] = []
        var ancestor: AnyClass? = _getSuperclass(type)
        while let current = ancestor {
            names.append(name(of: current))
            ancestor = _getSuperclass(current)
        }
        return names
    }

    /// Returns the name that a class states for itself.
    static func ownName(of type: AnyClass) -> String? { (type as? any ArchiveNamed.Type)?.archiveName }

    /// Returns true for a class that is neither private nor nested. For others, NSStringFromClass ends the process on
    /// Linux, and other archivers do not use Swift's names for them.
    static func isTopLevel(_ type: AnyClass) -> Bool {
        let name = String(reflecting: type)
        return name.utf8.count { $0 == UInt8(ascii: ".") } <= 1 && !name.contains(" ")
    }
}

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
    /// The name that Apple's archiver writes. Others write NSDecimalNumber.
    case decimalNumber = "NSDecimalNumberPlaceholder"
    case indexSet = "NSIndexSet"
    case mutableIndexSet = "NSMutableIndexSet"
    case indexPath = "NSIndexPath"
    case locale = "NSLocale"
    case attributedString = "NSAttributedString"
    case mutableAttributedString = "NSMutableAttributedString"

    /// Returns the class with a name in an archive, or nil.
    static func named(_ name: String) -> FoundationValue? {
        name == "NSDecimalNumber" ? .decimalNumber : FoundationValue(rawValue: name)
    }

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
        case .decimalNumber: NSDecimalNumber.self
        case .indexSet: NSIndexSet.self
        case .mutableIndexSet: NSMutableIndexSet.self
        case .indexPath: NSIndexPath.self
        case .locale: NSLocale.self
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
        case .decimalNumber: [rawValue, "NSDecimalNumber"] + Self.number.lineage
        case .mutableIndexSet: [rawValue] + Self.indexSet.lineage
        case .mutableAttributedString: [rawValue] + Self.attributedString.lineage
        default: [rawValue, "NSObject"]
        }
    }

    /// The classes of plain values.
    static let plain: [AnyClass] = allCases.filter(\.isPlain).map(\.type)

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
        let exact = Self.byType[ObjectIdentifier(Swift.type(of: object))]
        // Mutable and more specific classes come after their superclasses.
        guard let value = exact ?? Self.allCases.last(where: { object.isKind(of: $0.type) }) else { return nil }
        self = value
    }

    private static let byType = Dictionary(uniqueKeysWithValues: allCases.map { (ObjectIdentifier($0.type), $0) })

    /// Returns true for one of these classes, which are identified only by their own name.
    static func isFoundation(_ type: AnyClass) -> Bool { byType[ObjectIdentifier(type)] != nil }
}
