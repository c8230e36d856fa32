// The declarations of Foundation, and of the part of Darwin in Swift, that only tests use.

// Darwin declares variadic functions in Swift.
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { stub() }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { stub() }
public func openat(_ directory: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { stub() }
public func openat(_ directory: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { stub() }
public var S_IFMT: mode_t { stub() }
public var S_IFDIR: mode_t { stub() }
public var S_IFREG: mode_t { stub() }
public var S_IFLNK: mode_t { stub() }
public var S_IFIFO: mode_t { stub() }
public var S_IFSOCK: mode_t { stub() }
public var S_IFCHR: mode_t { stub() }
public var S_IFBLK: mode_t { stub() }
public var SIG_IGN: (@convention(c) (Int32) -> Void)? { stub() }
// A macro for a constant of an enumeration, which the compiler on Linux does not import.
public var CLOCK_THREAD_CPUTIME_ID: clockid_t { stub() }
public func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 { stub() }
public func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 { stub() }
public func fcntl(_ descriptor: Int32, _ command: Int32, _ value: UnsafeMutableRawPointer) -> Int32 { stub() }

public enum POSIXErrorCode: Int32, Sendable { case EPERM = 1, ENOENT = 2, EIO = 5, EACCES = 13 }
public struct POSIXError: Error, Sendable {
    public init(_ code: POSIXErrorCode, userInfo: [String: Any] = [:]) { stub() }
}
extension CocoaError.Code {
    public static let fileReadUnknown = CocoaError.Code(rawValue: 256)
    public static let fileReadCorruptFile = CocoaError.Code(rawValue: 259)
    public static let formatting = CocoaError.Code(rawValue: 2048)
}

extension String.Encoding {
    public static let ascii = String.Encoding(rawValue: 1)
    public static let isoLatin1 = String.Encoding(rawValue: 5)
    public static let utf16LittleEndian = String.Encoding(rawValue: 0x9400_0100)
    public static let utf16BigEndian = String.Encoding(rawValue: 0x9000_0100)
    public static let utf32 = String.Encoding(rawValue: 0x8c00_0100)
}
// The example apps.
extension TimeZone {
    public static var current: TimeZone { stub() }
    public init?(identifier: String) { stub() }
    public init?(secondsFromGMT seconds: Int) { stub() }
    public var identifier: String { stub() }
    public func secondsFromGMT(for date: Date = Date()) -> Int { stub() }
    public func isDaylightSavingTime(for date: Date = Date()) -> Bool { stub() }
    public func nextDaylightSavingTimeTransition(after date: Date) -> Date? { stub() }
}
extension JSONSerialization {
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let prettyPrinted = WritingOptions(rawValue: 1)
        public static let sortedKeys = WritingOptions(rawValue: 2)
    }
    public class func data(withJSONObject object: Any, options: WritingOptions = []) throws -> Data { stub() }
}
public struct URLError: Error, Sendable {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static let badURL = Code(rawValue: -1000)
    }
    public init(_ code: Code) { stub() }
}

extension String {
    public func write(to url: URL, atomically: Bool, encoding: Encoding) throws { stub() }
}
extension StringProtocol {
    public func replacingCharacters(in range: some RangeExpression<Index>, with text: some StringProtocol) -> String {
        stub()
    }
}
extension String: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSString { stub() }
    public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout String?) { stub() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout String?) -> Bool { stub() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> String { stub() }
}
extension NSString {
    public var lastPathComponent: String { stub() }
    public var deletingLastPathComponent: String { stub() }
}
extension CharacterSet {
    public static var alphanumerics: CharacterSet { stub() }
    public init(charactersIn range: ClosedRange<Unicode.Scalar>) { stub() }
}

extension Data {
    public struct SearchOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    public func range(of data: Data, options: SearchOptions = [], in range: Range<Index>? = nil) -> Range<Index>? {
        stub()
    }
}
extension IndexSet: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: Int...) { stub() }
}
extension FileAttributeKey {
    public static let systemFileNumber = FileAttributeKey(rawValue: "")
    public static let referenceCount = FileAttributeKey(rawValue: "")
}
extension FileManager {
    public func copyItem(atPath source: String, toPath target: String) throws { stub() }
}
extension NSCondition {
    public func withLock<R>(_ body: () throws -> R) rethrows -> R { stub() }
}
extension Data.ReadingOptions {
    public static let alwaysMapped = Data.ReadingOptions(rawValue: 8)
}

extension FileManager {
    public func linkItem(atPath path: String, toPath other: String) throws { stub() }
    public func linkItem(at url: URL, to other: URL) throws { stub() }
    public func destinationOfSymbolicLink(atPath path: String) throws -> String { stub() }
    public func enumerator(atPath path: String) -> DirectoryEnumerator? { stub() }
}
extension FileHandle {
    public convenience init(fileDescriptor descriptor: Int32, closeOnDealloc: Bool) { stub() }
    public var availableData: Data { stub() }
    public func readDataToEndOfFile() -> Data { stub() }
}
extension Thread {
    @available(macOS 10.12, iOS 10.0, *)
    public class func detachNewThread(_ block: @escaping @Sendable () -> Void) { stub() }
}
extension OperationQueue {
    public class var current: OperationQueue? { stub() }
}
extension NotificationCenter {
    public func post(name: NSNotification.Name, object: Any?) { stub() }
}
extension UserDefaults {
    public func integer(forKey key: String) -> Int { stub() }
    public func bool(forKey key: String) -> Bool { stub() }
    public func float(forKey key: String) -> Float { stub() }
    public func double(forKey key: String) -> Double { stub() }
    public func removePersistentDomain(forName name: String) { stub() }
}

extension NSString: ExpressibleByStringLiteral {}
extension NSURL {
    public convenience init(fileURLWithPath path: String) { stub() }
}
extension NSMutableData {
    public convenience init?(length: Int) { stub() }
}
extension FileManager {
    public func createSymbolicLink(at url: URL, withDestinationURL target: URL) throws { stub() }
}
extension ArraySlice: ContiguousBytes where Element == UInt8 {}
extension ContiguousArray: ContiguousBytes where Element == UInt8 {}
extension ContiguousArray: DataProtocol where Element == UInt8 {}
extension URL {
    public func appendingPathExtension(_ pathExtension: String) -> URL { stub() }
}
extension IndexSet {
    public init(integer: Int) { stub() }
}
extension NSArray {
    public convenience init(object: Any) { stub() }
    public subscript(index: Int) -> Any { stub() }
}
extension NSMutableArray {
    public func add(_ object: Any) { stub() }
}
extension NSDictionary {
    public subscript(key: Any) -> Any? { stub() }
}
extension NSNumber {
    public var stringValue: String { stub() }
}
extension NSDecimalNumber {
    public convenience init(string: String?) { stub() }
    public class var notANumber: NSDecimalNumber { stub() }
}
extension NSIndexSet {
    public convenience init(index: Int) { stub() }
    public convenience init(indexesIn range: NSRange) { stub() }
    public var count: Int { stub() }
}
extension NSMutableAttributedString {
    public func addAttribute(_ name: NSAttributedString.Key, value: Any, range: NSRange) { stub() }
}
extension NSCoder {
    @available(*, deprecated)
    public func decodeValue(ofObjCType type: UnsafePointer<CChar>, at address: UnsafeMutableRawPointer) { stub() }
}
public let NSKeyedArchiveRootObjectKey = "root"

public struct CGRect: Hashable, Sendable {
    public init(x: Double, y: Double, width: Double, height: Double) { stub() }
    public init(origin: CGPoint, size: CGSize) { stub() }
}

// macOS alone has these names.
public typealias NSPoint = CGPoint
public typealias NSSize = CGSize
public typealias NSRect = CGRect
extension NSValue {
    public convenience init(point: NSPoint) { stub() }
    public convenience init(size: NSSize) { stub() }
    public convenience init(rect: NSRect) { stub() }
    public var pointValue: NSPoint { stub() }
    public var sizeValue: NSSize { stub() }
    public var rectValue: NSRect { stub() }
}
public struct IndexPath: Hashable, Sendable, ExpressibleByArrayLiteral {
    public init(arrayLiteral indexes: Int...) { stub() }
    public init(indexes: [Int]) { stub() }
}
extension IndexPath: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSIndexPath { stub() }
    public static func _forceBridgeFromObjectiveC(_ source: NSIndexPath, result: inout IndexPath?) { stub() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSIndexPath, result: inout IndexPath?) -> Bool {
        stub()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSIndexPath?) -> IndexPath { stub() }
}
open class NSTextCheckingResult: StubObject {}
open class NSDateComponents: StubObject {}
open class NSPersonNameComponents: StubObject {}
open class NSRegularExpression: StubObject {}
open class NSTimeZone: StubObject {}
open class NSCalendar: StubObject {}
open class NSCharacterSet: StubObject {}
