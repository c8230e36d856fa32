// The declarations of Foundation in use: objects.

public protocol NSObjectProtocol: AnyObject {
    func isEqual(_ object: Any?) -> Bool
    func isKind(of aClass: AnyClass) -> Bool
    var hash: Int { get }
    var description: String { get }
}

open class NSObject: NSObjectProtocol, Hashable, CustomStringConvertible {
    public init() { stub() }
    open func isEqual(_ object: Any?) -> Bool { stub() }
    open func isKind(of aClass: AnyClass) -> Bool { stub() }
    open class func isSubclass(of aClass: AnyClass) -> Bool { stub() }
    open class func superclass() -> AnyClass? { stub() }
    open var hash: Int { stub() }
    open var description: String { stub() }
    open var classForCoder: AnyClass { stub() }
    open var classForKeyedArchiver: AnyClass? { stub() }
    open func copy() -> Any { stub() }
    public static func == (left: NSObject, right: NSObject) -> Bool { stub() }
    public final func hash(into hasher: inout Hasher) { stub() }
}

public let NSNotFound = Int.max
public struct _NSRange: Hashable, Sendable {
    public var location: Int
    public var length: Int
    public init() { stub() }
    public init(location: Int, length: Int) { stub() }
}
public typealias NSRange = _NSRange

/// An object that archives itself. Its subclasses inherit the conformance, as Objective-C's classes do.
open class StubObject: NSObject, NSSecureCoding {
    open class var supportsSecureCoding: Bool { stub() }
    public override init() { stub() }
    public required init?(coder: NSCoder) { stub() }
    open func encode(with coder: NSCoder) { stub() }
}

open class NSError: StubObject, Error, @unchecked Sendable {
    public init(domain: String, code: Int, userInfo: [String: Any]? = nil) { stub() }
    public required init?(coder: NSCoder) { stub() }
    open var domain: String { stub() }
    open var code: Int { stub() }
    open var userInfo: [String: Any] { stub() }
}

public protocol NSFilePresenter: AnyObject {}

open class NSFileCoordinator: NSObject {
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let withoutChanges = ReadingOptions(rawValue: 1)
    }
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let forDeleting = WritingOptions(rawValue: 1)
    }
    public init(filePresenter: (any NSFilePresenter)?) { stub() }
    public func coordinate(
        readingItemAt url: URL, options: ReadingOptions = [], error: UnsafeMutablePointer<NSError?>?,
        byAccessor reader: (URL) -> Void
    ) { stub() }
    public func coordinate(
        writingItemAt url: URL, options: WritingOptions = [], error: UnsafeMutablePointer<NSError?>?,
        byAccessor writer: (URL) -> Void
    ) { stub() }
}

// The compiler calls these for casts between an error and an NSError.
public func _convertErrorToNSError(_ error: any Error) -> NSError { stub() }
public func _convertNSErrorToError(_ error: NSError?) -> any Error { stub() }

open class NSString: StubObject {
    public init(string: String) { stub() }
    public required init(stringLiteral value: StaticString) { stub() }
    public required init?(coder: NSCoder) { stub() }
    open var length: Int { stub() }
    open var boolValue: Bool { stub() }
    open var integerValue: Int { stub() }
    open var doubleValue: Double { stub() }
}
open class NSMutableString: NSString {}

open class NSData: StubObject {
    public override init() { stub() }
    public init(data: Data) { stub() }
    public required init?(coder: NSCoder) { stub() }
    open var length: Int { stub() }
}
open class NSMutableData: NSData {
    public override init() { stub() }
    public override init(data: Data) { stub() }
    public required init?(coder: NSCoder) { stub() }
}

open class NSDate: StubObject {
    public override init() { stub() }
    public init(timeIntervalSinceReferenceDate seconds: TimeInterval) { stub() }
    public required init?(coder: NSCoder) { stub() }
    open var timeIntervalSinceReferenceDate: TimeInterval { stub() }
}

public struct NSFastEnumerationIterator: IteratorProtocol {
    public mutating func next() -> Any? { stub() }
}
open class NSArray: StubObject, Sequence, ExpressibleByArrayLiteral {
    public required init(arrayLiteral elements: Any...) { stub() }
    public override init() { stub() }
    public init(array: [Any]) { stub() }
    public required init?(coder: NSCoder) { stub() }
    open var count: Int { stub() }
    open func object(at index: Int) -> Any { stub() }
    public final func makeIterator() -> NSFastEnumerationIterator { stub() }
}
open class NSMutableArray: NSArray {}

open class NSDictionary: StubObject, Sequence, ExpressibleByDictionaryLiteral {
    // Apple's has keys of the protocol NSCopying, to which strings are bridged.
    public required init(dictionaryLiteral elements: (AnyHashable, Any)...) { stub() }
    public struct Iterator: IteratorProtocol {
        public mutating func next() -> (key: Any, value: Any)? { stub() }
    }
    public init(dictionary: [AnyHashable: Any]) { stub() }
    public required init?(coder: NSCoder) { stub() }
    open var count: Int { stub() }
    public final func makeIterator() -> Iterator { stub() }
}
open class NSMutableDictionary: NSDictionary {}

open class NSSet: StubObject, Sequence {
    public init(array: [Any]) { stub() }
    public override init() { stub() }
    public required init?(coder: NSCoder) { stub() }
    open var count: Int { stub() }
    public final func makeIterator() -> NSFastEnumerationIterator { stub() }
}
open class NSMutableSet: NSSet { open func add(_ object: Any) { stub() } }
open class NSCountedSet: NSMutableSet { open func count(for object: Any) -> Int { stub() } }

open class NSOrderedSet: StubObject, Sequence {
    public init(array: [Any]) { stub() }
    public required init?(coder: NSCoder) { stub() }
    open var count: Int { stub() }
    public final func makeIterator() -> NSFastEnumerationIterator { stub() }
}
open class NSMutableOrderedSet: NSOrderedSet {}

open class NSURL: StubObject {
    public init?(string: String) { stub() }
    public init?(string: String, relativeTo base: URL?) { stub() }
    public required init?(coder: NSCoder) { stub() }
    open var baseURL: URL? { stub() }
    open var relativeString: String { stub() }
    open var absoluteString: String? { stub() }
}
open class NSUUID: StubObject {
    public override init() { stub() }
    public init?(uuidString: String) { stub() }
    public required init?(coder: NSCoder) { stub() }
    open var uuidString: String { stub() }
}
open class NSNull: StubObject {}

open class NSValue: StubObject {
    public init(range: NSRange) { stub() }
    public init(bytes value: UnsafeRawPointer, objCType type: UnsafePointer<CChar>) { stub() }
    public override init() { stub() }
    @available(*, deprecated, renamed: "getValue(_:size:)")
    open func getValue(_ value: UnsafeMutableRawPointer) { stub() }
    @available(macOS 10.13, iOS 11.0, *)
    open func getValue(_ value: UnsafeMutableRawPointer, size: Int) { stub() }
    public required init?(coder: NSCoder) { stub() }
    open var objCType: UnsafePointer<CChar> { stub() }
    open var rangeValue: NSRange { stub() }
}
open class NSNumber: NSValue, ExpressibleByIntegerLiteral, @unchecked Sendable {
    public required init(integerLiteral value: Int) { stub() }
    public init(value: Bool) { stub() }
    public init(value: Int) { stub() }
    public init(value: Int64) { stub() }
    public init(value: UInt64) { stub() }
    public init(value: Float) { stub() }
    public init(value: Double) { stub() }
    public required init?(coder: NSCoder) { stub() }
    open var boolValue: Bool { stub() }
    open var intValue: Int32 { stub() }
    open var floatValue: Float { stub() }
    open var int64Value: Int64 { stub() }
    open var uint64Value: UInt64 { stub() }
    open var doubleValue: Double { stub() }
    open var decimalValue: Decimal { stub() }
}
open class NSDecimalNumber: NSNumber, @unchecked Sendable {
    public init(decimal: Decimal) { stub() }
    public required init(integerLiteral value: Int) { stub() }
    public required init?(coder: NSCoder) { stub() }
}

open class NSIndexSet: StubObject {
    public init(indexSet: IndexSet) { stub() }
    public override init() { stub() }
    open func enumerateRanges(_ body: (NSRange, UnsafeMutablePointer<ObjCBool>) -> Void) { stub() }
    public required init?(coder: NSCoder) { stub() }
}
open class NSMutableIndexSet: NSIndexSet {
    open func add(in range: NSRange) { stub() }
    open func add(_ index: Int) { stub() }
}
public struct ObjCBool: ExpressibleByBooleanLiteral {
    public init(booleanLiteral value: Bool) { stub() }
    public var boolValue: Bool { stub() }
}
open class NSLocale: StubObject {
    public init(localeIdentifier: String) { stub() }
    public required init?(coder: NSCoder) { stub() }
    open var localeIdentifier: String { stub() }
}
public struct IndexSet: Hashable, Sendable {
    public init() { stub() }
    public init(integersIn range: Range<Int>) { stub() }
    public mutating func insert(integersIn range: Range<Int>) { stub() }
    public var rangeView: [Range<Int>] { stub() }
}
open class NSIndexPath: StubObject {
    public init(index: Int) { stub() }
    public override init() { stub() }
    public init(indexes: UnsafePointer<Int>?, length: Int) { stub() }
    public required init?(coder: NSCoder) { stub() }
    open var length: Int { stub() }
    open func index(atPosition position: Int) -> Int { stub() }
}

open class NSAttributedString: StubObject {
    public struct Key: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(_ name: String) { stub() }
        public init(rawValue: String) { self.rawValue = rawValue }
    }
    public init(string: String, attributes: [Key: Any]? = nil) { stub() }
    public init(attributedString: NSAttributedString) { stub() }
    public required init?(coder: NSCoder) { stub() }
    open var string: String { stub() }
    open var length: Int { stub() }
    open func attributes(at location: Int, effectiveRange range: UnsafeMutablePointer<NSRange>?) -> [Key: Any] {
        stub()
    }
}
open class NSMutableAttributedString: NSAttributedString {}

public func NSStringFromClass(_ type: AnyClass) -> String { stub() }
public func NSClassFromString(_ name: String) -> AnyClass? { stub() }

extension URL: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSURL { stub() }
    public static func _forceBridgeFromObjectiveC(_ source: NSURL, result: inout URL?) { stub() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSURL, result: inout URL?) -> Bool { stub() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSURL?) -> URL { stub() }
}
extension Locale: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSLocale { stub() }
    public static func _forceBridgeFromObjectiveC(_ source: NSLocale, result: inout Locale?) { stub() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSLocale, result: inout Locale?) -> Bool { stub() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSLocale?) -> Locale { stub() }
}
extension IndexSet: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSIndexSet { stub() }
    public static func _forceBridgeFromObjectiveC(_ source: NSIndexSet, result: inout IndexSet?) { stub() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSIndexSet, result: inout IndexSet?) -> Bool {
        stub()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSIndexSet?) -> IndexSet { stub() }
}
extension UUID: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSUUID { stub() }
    public static func _forceBridgeFromObjectiveC(_ source: NSUUID, result: inout UUID?) { stub() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSUUID, result: inout UUID?) -> Bool { stub() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSUUID?) -> UUID { stub() }
}

// In CoreFoundation.
public struct CGFloat: Hashable, Comparable, Sendable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    public init(_ value: Double) { stub() }
    public init(floatLiteral value: Double) { stub() }
    public init(integerLiteral value: Int) { stub() }
    public var isFinite: Bool { stub() }
    public static func < (left: CGFloat, right: CGFloat) -> Bool { stub() }
}
extension Double {
    public init(_ value: CGFloat) { stub() }
}
public struct CGPoint: Hashable, Sendable {
    public var x: Double
    public var y: Double
    public init(x: Double, y: Double) { stub() }
}
public struct CGSize: Hashable, Sendable {
    public var width: Double
    public var height: Double
    public init(width: Double, height: Double) { stub() }
}
