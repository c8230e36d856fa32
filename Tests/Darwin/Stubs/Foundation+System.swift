// The declarations of Foundation in use: files, processes, threads, bundles and defaults.

open class PropertyListSerialization: NSObject {
    public enum PropertyListFormat: UInt, Sendable { case openStep = 1, xml = 100, binary = 200 }
    public struct MutabilityOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    public typealias ReadOptions = MutabilityOptions
    public typealias WriteOptions = Int
    open class func propertyList(_ list: Any, isValidFor format: PropertyListFormat) -> Bool { stub() }
    open class func data(
        fromPropertyList list: Any, format: PropertyListFormat, options: WriteOptions
    ) throws -> Data { stub() }
    open class func propertyList(
        from data: Data, options: ReadOptions = [], format: UnsafeMutablePointer<PropertyListFormat>?
    ) throws -> Any { stub() }
}

open class JSONSerialization: NSObject {
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    open class func jsonObject(with data: Data, options: ReadingOptions = []) throws -> Any { stub() }
}

public struct FileAttributeKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let size = FileAttributeKey(rawValue: "")
    public static let type = FileAttributeKey(rawValue: "")
    public static let modificationDate = FileAttributeKey(rawValue: "")
}

public struct FileAttributeType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let typeRegular = FileAttributeType(rawValue: "")
    public static let typeDirectory = FileAttributeType(rawValue: "")
    public static let typeSymbolicLink = FileAttributeType(rawValue: "")
}

open class FileManager: NSObject {
    open func contents(atPath path: String) -> Data? { stub() }
    public struct DirectoryEnumerationOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let skipsHiddenFiles = DirectoryEnumerationOptions(rawValue: 4)
        public static let skipsPackageDescendants = DirectoryEnumerationOptions(rawValue: 2)
    }
    open class DirectoryEnumerator: NSObject, Sequence {
        open var level: Int { stub() }
        open func skipDescendants() { stub() }
        open func nextObject() -> Any? { stub() }
        public final func makeIterator() -> NSFastEnumerationIterator { stub() }
    }
    open class var `default`: FileManager { stub() }
    open var currentDirectoryPath: String { stub() }
    open var temporaryDirectory: URL { stub() }
    open func fileExists(atPath path: String) -> Bool { stub() }
    open func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] { stub() }
    open func subpathsOfDirectory(atPath path: String) throws -> [String] { stub() }
    open func contentsOfDirectory(atPath path: String) throws -> [String] { stub() }
    open func createDirectory(
        at url: URL, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil
    ) throws { stub() }
    open func removeItem(atPath path: String) throws { stub() }
    open func removeItem(at url: URL) throws { stub() }
    open func enumerator(
        at url: URL, includingPropertiesForKeys keys: [URLResourceKey]?, options: DirectoryEnumerationOptions = [],
        errorHandler: ((URL, any Error) -> Bool)? = nil
    ) -> DirectoryEnumerator? { stub() }
    // Apple's systems only.
    open func containerURL(forSecurityApplicationGroupIdentifier identifier: String) -> URL? { stub() }
}

open class FileHandle: NSObject, @unchecked Sendable {
    open class var standardOutput: FileHandle { stub() }
    public convenience init(forWritingTo url: URL) throws { stub() }
    @available(macOS 10.15.4, iOS 13.4, *)
    public func write(contentsOf data: some DataProtocol) throws { stub() }
    @available(macOS 10.15.4, iOS 13.4, *)
    public func readToEnd() throws -> Data? { stub() }
    @available(macOS 10.15.4, iOS 13.4, *)
    @discardableResult public func seekToEnd() throws -> UInt64 { stub() }
    @available(macOS 10.15, iOS 13.0, *)
    public func close() throws { stub() }
}

public func NSHomeDirectory() -> String { stub() }
public func NSTemporaryDirectory() -> String { stub() }

open class Bundle: NSObject {
    public convenience init?(url: URL) { stub() }
    public convenience init?(path: String) { stub() }
    open class var main: Bundle { stub() }
    open var bundleIdentifier: String? { stub() }
    open var bundleURL: URL { stub() }
    open var executablePath: String? { stub() }
    open func url(forResource name: String?, withExtension ext: String?) -> URL? { stub() }
}

open class ProcessInfo: NSObject, @unchecked Sendable {
    open class var processInfo: ProcessInfo { stub() }
    open var environment: [String: String] { stub() }
    open var arguments: [String] { stub() }
    open var processIdentifier: Int32 { stub() }
}

// iOS has no Process.
#if os(macOS)
open class Pipe: NSObject, @unchecked Sendable {
    open var fileHandleForReading: FileHandle { stub() }
    open var fileHandleForWriting: FileHandle { stub() }
}
open class Process: NSObject, @unchecked Sendable {
    open var executableURL: URL? {
        get { stub() }
        set { stub() }
    }
    open var arguments: [String]? {
        get { stub() }
        set { stub() }
    }
    open var environment: [String: String]? {
        get { stub() }
        set { stub() }
    }
    open var standardOutput: Any? {
        get { stub() }
        set { stub() }
    }
    open var standardError: Any? {
        get { stub() }
        set { stub() }
    }
    open var terminationStatus: Int32 { stub() }
    open func run() throws { stub() }
    open func waitUntilExit() { stub() }
    open func terminate() { stub() }
}
#endif

open class Thread: NSObject {
    public override init() { stub() }
    @available(macOS 10.12, iOS 10.0, *)
    public convenience init(block: @escaping @Sendable () -> Void) { stub() }
    open class var current: Thread { stub() }
    open class var isMainThread: Bool { stub() }
    open class func sleep(forTimeInterval seconds: TimeInterval) { stub() }
    open var name: String? {
        get { stub() }
        set { stub() }
    }
    open var stackSize: Int {
        get { stub() }
        set { stub() }
    }
    open func start() { stub() }
}

open class NSCondition: NSObject, @unchecked Sendable {
    open func lock() { stub() }
    open func unlock() { stub() }
    open func wait() { stub() }
    open func wait(until limit: Date) -> Bool { stub() }
    open func signal() { stub() }
    open func broadcast() { stub() }
}

open class OperationQueue: NSObject, @unchecked Sendable {
    public override init() { stub() }
    open class var main: OperationQueue { stub() }
    open var name: String? {
        get { stub() }
        set { stub() }
    }
    open var maxConcurrentOperationCount: Int {
        get { stub() }
        set { stub() }
    }
    @preconcurrency open func addOperation(_ block: @escaping @Sendable () -> Void) { stub() }
}

open class NSNotification: NSObject {
    public struct Name: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(_ name: String) { stub() }
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

public struct Notification {
    public typealias Name = NSNotification.Name
    public var name: Name
    public var object: Any?
}

open class NotificationCenter: NSObject, @unchecked Sendable {
    open class var `default`: NotificationCenter { stub() }
    open func addObserver(
        forName name: NSNotification.Name?, object: Any?, queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol { stub() }
    open func removeObserver(_ observer: Any) { stub() }
}

open class UserDefaults: NSObject {
    public class var standard: UserDefaults { stub() }
    public class var didChangeNotification: NSNotification.Name { stub() }
    public convenience override init() { stub() }
    public init?(suiteName name: String?) { stub() }
    open func object(forKey key: String) -> Any? { stub() }
    open func set(_ value: Any?, forKey key: String) { stub() }
    open func removeObject(forKey key: String) { stub() }
    open func dictionaryRepresentation() -> [String: Any] { stub() }
    open func persistentDomain(forName name: String) -> [String: Any]? { stub() }
    open func setPersistentDomain(_ domain: [String: Any], forName name: String) { stub() }
    @discardableResult open func synchronize() -> Bool { stub() }
}
