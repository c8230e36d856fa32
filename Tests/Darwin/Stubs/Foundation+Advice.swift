// The declarations of Foundation that only the advice of the rules uses.

extension URL {
    @available(macOS 13.0, iOS 16.0, *)
    public static var documentsDirectory: URL { stub() }
    @available(macOS 13.0, iOS 16.0, *)
    public static var cachesDirectory: URL { stub() }
    @available(macOS 13.0, iOS 16.0, *)
    public static var applicationSupportDirectory: URL { stub() }
}

extension URLResourceKey {
    public static let contentModificationDateKey = URLResourceKey(rawValue: "")
}

extension URLResourceValues {
    public var contentModificationDate: Date? { stub() }
}

extension FileAttributeKey {
    public static let protectionKey = FileAttributeKey(rawValue: "")
}

public struct FileProtectionType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let completeUntilFirstUserAuthentication = FileProtectionType(rawValue: "")
}

extension FileManager {
    public func moveItem(at source: URL, to target: URL) throws { stub() }
    public func moveItem(atPath source: String, toPath target: String) throws { stub() }
    public func copyItem(at source: URL, to target: URL) throws { stub() }
    public func contentsOfDirectory(
        at url: URL, includingPropertiesForKeys keys: [URLResourceKey]?, options: DirectoryEnumerationOptions = []
    ) throws -> [URL] { stub() }
    public func createSymbolicLink(atPath path: String, withDestinationPath target: String) throws { stub() }
    public func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws { stub() }
}

extension UserDefaults {
    public func set(_ value: Bool, forKey key: String) { stub() }
    public func string(forKey key: String) -> String? { stub() }
}

extension NSKeyedArchiver {
    public class func setClassName(_ name: String?, for type: AnyClass) { stub() }
}

extension NSKeyedUnarchiver {
    public class func setClass(_ type: AnyClass?, forClassName name: String) { stub() }
}

open class URLCache: NSObject, @unchecked Sendable {
    open class var shared: URLCache { stub() }
    open var diskCapacity: Int {
        get { stub() }
        set { stub() }
    }
    open func removeCachedResponses(since date: Date) { stub() }
}

open class URLSessionConfiguration: NSObject, @unchecked Sendable {
    open class var ephemeral: URLSessionConfiguration { stub() }
}

open class URLSession: NSObject, @unchecked Sendable {
    public init(configuration: URLSessionConfiguration) { stub() }
}
