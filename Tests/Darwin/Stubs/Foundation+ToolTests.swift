// The declarations of Foundation that only the tests of the tools and of the guides use.

extension FileManager {
    public func contentsEqual(atPath path: String, andPath other: String) -> Bool { stub() }
    public func urls(for directory: SearchPathDirectory, in mask: SearchPathDomainMask) -> [URL] { stub() }
    public func replaceItemAt(
        _ original: URL, withItemAt new: URL, backupItemName: String? = nil, options: ItemReplacementOptions = []
    ) throws -> URL? { stub() }
    public struct ItemReplacementOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    public enum SearchPathDirectory: UInt, Sendable { case documentDirectory = 9, cachesDirectory = 13 }
    public struct SearchPathDomainMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let userDomainMask = SearchPathDomainMask(rawValue: 1)
    }
}
public func NSSearchPathForDirectoriesInDomains(
    _ directory: FileManager.SearchPathDirectory, _ mask: FileManager.SearchPathDomainMask, _ expandTilde: Bool
) -> [String] { stub() }

extension URL {
    @available(macOS 13.0, iOS 16.0, *)
    public static var temporaryDirectory: URL { stub() }
}
extension URLResourceKey {
    public static let totalFileAllocatedSizeKey = URLResourceKey(rawValue: "")
}
extension URLResourceValues {
    public var totalFileAllocatedSize: Int? { stub() }
}
open class ISO8601DateFormatter: NSObject {
    public override init() {}
    open func string(from date: Date) -> String { stub() }
}
#if os(macOS)
extension Process {
    public var terminationHandler: (@Sendable (Process) -> Void)? {
        get { stub() }
        set { stub() }
    }
}
#endif
extension UserDefaults {
    public func data(forKey key: String) -> Data? { stub() }
    public func register(defaults: [String: Any]) { stub() }
}
open class Timer: NSObject {
    public class func scheduledTimer(
        withTimeInterval interval: TimeInterval, repeats: Bool, block: @escaping @Sendable (Timer) -> Void
    ) -> Timer { stub() }
    open func invalidate() { stub() }
}
public enum ComparisonResult: Int, Sendable { case orderedAscending = -1, orderedSame, orderedDescending }
extension StringProtocol {
    public func localizedStandardCompare(_ other: some StringProtocol) -> ComparisonResult { stub() }
}
extension String: CVarArg {
    public var _cVarArgEncoding: [Int] { stub() }
}
extension CharacterSet: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: Unicode.Scalar...) { stub() }
}

extension NSArray {
    public var firstObject: Any? { stub() }
}
extension NSDictionary {
    public var allKeys: [Any] { stub() }
}
extension Dictionary: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSDictionary { stub() }
    public static func _forceBridgeFromObjectiveC(_ source: NSDictionary, result: inout Dictionary?) { stub() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSDictionary, result: inout Dictionary?) -> Bool {
        stub()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDictionary?) -> Dictionary { stub() }
}
extension Array: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSArray { stub() }
    public static func _forceBridgeFromObjectiveC(_ source: NSArray, result: inout Array?) { stub() }
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSArray, result: inout Array?) -> Bool { stub() }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSArray?) -> Array { stub() }
}
