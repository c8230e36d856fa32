// The declarations of Foundation in use: values and URLs.
@_exported import Darwin
@_exported import Dispatch

public typealias TimeInterval = Double

public protocol ContiguousBytes {
    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
}

public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {}

public struct Data: Hashable, Codable, Sendable, RandomAccessCollection, MutableCollection, RangeReplaceableCollection,
    ContiguousBytes, DataProtocol
{
    public typealias Index = Int
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let atomic = WritingOptions(rawValue: 1)
    }
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    public struct Base64EncodingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    public init() { stub() }
    public init(_ elements: some Sequence<UInt8>) { stub() }
    public init(bytes: UnsafeRawPointer, count: Int) { stub() }
    public enum Deallocator {
        case free, unmap, none
        case custom((UnsafeMutableRawPointer, Int) -> Void)
    }
    public init(bytesNoCopy bytes: UnsafeMutableRawPointer, count: Int, deallocator: Deallocator) { stub() }
    public init(count: Int) { stub() }
    public init(capacity: Int) { stub() }
    public init(contentsOf url: URL, options: ReadingOptions = []) throws { stub() }
    public init(referencing data: NSData) { stub() }
    public init?(base64Encoded text: String) { stub() }
    public var startIndex: Int { stub() }
    public var endIndex: Int { stub() }
    public subscript(index: Int) -> UInt8 {
        get { stub() }
        set { stub() }
    }
    public subscript(range: Range<Int>) -> Data {
        get { stub() }
        set { stub() }
    }
    public mutating func replaceSubrange(_ range: Range<Int>, with bytes: some Collection<UInt8>) { stub() }
    public mutating func append(_ other: Data) { stub() }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { stub() }
    public mutating func withUnsafeMutableBytes<R>(
        _ body: (UnsafeMutableRawBufferPointer) throws -> R
    ) rethrows -> R { stub() }
    public func write(to url: URL, options: WritingOptions = []) throws { stub() }
    public func base64EncodedString(options: Base64EncodingOptions = []) -> String { stub() }
}

extension Array: ContiguousBytes where Element == UInt8 {}

public struct Date: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public init() { stub() }
    public init(timeIntervalSinceReferenceDate seconds: TimeInterval) { stub() }
    public init(timeIntervalSince1970 seconds: TimeInterval) { stub() }
    public init(timeIntervalSinceNow seconds: TimeInterval) { stub() }
    public init(timeInterval: TimeInterval, since date: Date) { stub() }
    @available(macOS 12.0, iOS 15.0, *)
    public init<Strategy: ParseStrategy>(_ text: Strategy.ParseInput, strategy: Strategy) throws
    where Strategy.ParseOutput == Date { stub() }
    public static var now: Date { stub() }
    public static let distantPast = Date()
    public static let distantFuture = Date()
    public var timeIntervalSinceReferenceDate: TimeInterval { stub() }
    public var timeIntervalSince1970: TimeInterval { stub() }
    public var timeIntervalSinceNow: TimeInterval { stub() }
    public func timeIntervalSince(_ date: Date) -> TimeInterval { stub() }
    public func addingTimeInterval(_ seconds: TimeInterval) -> Date { stub() }
    public var description: String { stub() }
    public static func < (left: Date, right: Date) -> Bool { stub() }
    public static func + (date: Date, seconds: TimeInterval) -> Date { stub() }
    public static func - (date: Date, seconds: TimeInterval) -> Date { stub() }
    @available(macOS 12.0, iOS 15.0, *)
    public struct ISO8601FormatStyle: ParseStrategy, Sendable {
        public init() { stub() }
        public func parse(_ value: String) throws -> Date { stub() }
    }
    @available(macOS 12.0, iOS 15.0, *)
    public func ISO8601Format(_ style: ISO8601FormatStyle = ISO8601FormatStyle()) -> String { stub() }
}

@available(macOS 12.0, iOS 15.0, *)
public protocol ParseStrategy: Codable, Hashable {
    associatedtype ParseInput
    associatedtype ParseOutput
    func parse(_ value: ParseInput) throws -> ParseOutput
}

@available(macOS 12.0, iOS 15.0, *)
extension ParseStrategy where Self == Date.ISO8601FormatStyle {
    public static var iso8601: Self { stub() }
}

public struct UUID: Hashable, Codable, Sendable, CustomStringConvertible {
    public init() { stub() }
    public init?(uuidString: String) { stub() }
    public init(uuid: uuid_t) { stub() }
    public var uuid: uuid_t { stub() }
    public var uuidString: String { stub() }
    public var description: String { stub() }
    public init(from decoder: any Decoder) throws { stub() }
    public func encode(to encoder: any Encoder) throws { stub() }
}

public struct Decimal: Hashable, Comparable, Codable, Sendable, SignedNumeric, CustomStringConvertible {
    public var _exponent: Int32 {
        get { stub() }
        set { stub() }
    }
    public var _length: UInt32 {
        get { stub() }
        set { stub() }
    }
    public var _isNegative: UInt32 {
        get { stub() }
        set { stub() }
    }
    public var _isCompact: UInt32 {
        get { stub() }
        set { stub() }
    }
    public var _reserved: UInt32 {
        get { stub() }
        set { stub() }
    }
    public var _mantissa: (UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16) {
        get { stub() }
        set { stub() }
    }
    public init() { stub() }
    public init(
        _exponent: Int32, _length: UInt32, _isNegative: UInt32, _isCompact: UInt32, _reserved: UInt32,
        _mantissa: (UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16)
    ) { stub() }
    public init(_ value: Int) { stub() }
    public init(sign: FloatingPointSign, exponent: Int, significand: Decimal) { stub() }
    public var isSignMinus: Bool { stub() }
    public var significand: Decimal { stub() }
    public init(integerLiteral value: Int) { stub() }
    public init?(exactly source: some BinaryInteger) { stub() }
    public init?(string: String, locale: Locale? = nil) { stub() }
    public init(from decoder: any Decoder) throws { stub() }
    public func encode(to encoder: any Encoder) throws { stub() }
    public static let nan = Decimal()
    public var isNaN: Bool { stub() }
    public var exponent: Int { stub() }
    public var magnitude: Decimal { stub() }
    public var description: String { stub() }
    public static func < (left: Decimal, right: Decimal) -> Bool { stub() }
    public static func + (left: Decimal, right: Decimal) -> Decimal { stub() }
    public static func - (left: Decimal, right: Decimal) -> Decimal { stub() }
    public static func * (left: Decimal, right: Decimal) -> Decimal { stub() }
    public static func *= (left: inout Decimal, right: Decimal) { stub() }
}

public struct Locale: Hashable, Codable, Sendable {
    public init(identifier: String) { stub() }
    public var identifier: String { stub() }
}

public struct CharacterSet: Hashable, Codable, Sendable {
    public static var whitespaces: CharacterSet { stub() }
    public static var whitespacesAndNewlines: CharacterSet { stub() }
    public static var newlines: CharacterSet { stub() }
    public init() { stub() }
    public init(charactersIn text: String) { stub() }
}

public struct URL: Hashable, Codable, Sendable, CustomStringConvertible {
    public enum DirectoryHint: Sendable { case isDirectory, notDirectory, checkFileSystem, inferFromPath }
    public init?(string: String) { stub() }
    public init?(string: String, relativeTo base: URL?) { stub() }
    public init(fileURLWithPath path: String) { stub() }
    public init(fileURLWithPath path: String, isDirectory: Bool) { stub() }
    public init(fileURLWithPath path: String, isDirectory: Bool, relativeTo base: URL?) { stub() }
    public init(fileURLWithFileSystemRepresentation path: UnsafePointer<Int8>, isDirectory: Bool, relativeTo base: URL?)
    {
        stub()
    }
    @available(macOS 13.0, iOS 16.0, *)
    public init(filePath path: String, directoryHint: DirectoryHint = .inferFromPath, relativeTo base: URL? = nil) {
        stub()
    }
    public init(from decoder: any Decoder) throws { stub() }
    public func encode(to encoder: any Encoder) throws { stub() }
    public var description: String { stub() }
    public var scheme: String? { stub() }
    public var path: String { stub() }
    public var host: String? { stub() }
    public var query: String? { stub() }
    public var isFileURL: Bool { stub() }
    public var hasDirectoryPath: Bool { stub() }
    public var baseURL: URL? { stub() }
    public var absoluteURL: URL { stub() }
    public var absoluteString: String { stub() }
    public var relativeString: String { stub() }
    public var relativePath: String { stub() }
    public var standardizedFileURL: URL { stub() }
    public var standardized: URL { stub() }
    public var lastPathComponent: String { stub() }
    public var pathExtension: String { stub() }
    public var pathComponents: [String] { stub() }
    @available(macOS 13.0, iOS 16.0, *)
    public func path(percentEncoded: Bool = true) -> String { stub() }
    public func withUnsafeFileSystemRepresentation<R>(_ body: (UnsafePointer<Int8>?) throws -> R) rethrows -> R {
        stub()
    }
    public func appendingPathComponent(_ name: String) -> URL { stub() }
    public func appendingPathComponent(_ name: String, isDirectory: Bool) -> URL { stub() }
    @available(macOS 13.0, iOS 16.0, *)
    public func appending(path: some StringProtocol, directoryHint: DirectoryHint = .inferFromPath) -> URL { stub() }
    @available(macOS 13.0, iOS 16.0, *)
    public func appending(component: some StringProtocol, directoryHint: DirectoryHint = .inferFromPath) -> URL {
        stub()
    }
    public func deletingLastPathComponent() -> URL { stub() }
    public func deletingPathExtension() -> URL { stub() }
    public func resolvingSymlinksInPath() -> URL { stub() }
    public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues { stub() }
    public mutating func setResourceValues(_ values: URLResourceValues) throws { stub() }
    // Apple's systems only.
    public func startAccessingSecurityScopedResource() -> Bool { stub() }
    public func stopAccessingSecurityScopedResource() { stub() }
}

public struct URLResourceKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let isDirectoryKey = URLResourceKey(rawValue: "")
    public static let isRegularFileKey = URLResourceKey(rawValue: "")
    public static let isSymbolicLinkKey = URLResourceKey(rawValue: "")
    public static let isExcludedFromBackupKey = URLResourceKey(rawValue: "")
    public static let fileSizeKey = URLResourceKey(rawValue: "")
    public static let nameKey = URLResourceKey(rawValue: "")
    public static let volumeAvailableCapacityForImportantUsageKey = URLResourceKey(rawValue: "")
}

public struct URLResourceValues {
    public init() { stub() }
    public var isDirectory: Bool? { stub() }
    public var isRegularFile: Bool? { stub() }
    public var isSymbolicLink: Bool? { stub() }
    public var isExcludedFromBackup: Bool? {
        get { stub() }
        set { stub() }
    }
    public var fileSize: Int? { stub() }
    @available(macOS 10.13, iOS 11.0, *)
    public var volumeAvailableCapacityForImportantUsage: Int64? { stub() }
}

public struct URLQueryItem: Hashable, Sendable {
    public init(name: String, value: String?) { stub() }
    public var name: String {
        get { stub() }
        set { stub() }
    }
    public var value: String? {
        get { stub() }
        set { stub() }
    }
}

public struct URLComponents: Hashable, Sendable {
    public init() { stub() }
    public init?(string: String) { stub() }
    public init?(url: URL, resolvingAgainstBaseURL: Bool) { stub() }
    public var url: URL? { stub() }
    public var string: String? { stub() }
    public var scheme: String? {
        get { stub() }
        set { stub() }
    }
    public var user: String? {
        get { stub() }
        set { stub() }
    }
    public var password: String? {
        get { stub() }
        set { stub() }
    }
    public var host: String? {
        get { stub() }
        set { stub() }
    }
    public var port: Int? {
        get { stub() }
        set { stub() }
    }
    public var path: String {
        get { stub() }
        set { stub() }
    }
    public var query: String? {
        get { stub() }
        set { stub() }
    }
    public var fragment: String? {
        get { stub() }
        set { stub() }
    }
    public var queryItems: [URLQueryItem]? {
        get { stub() }
        set { stub() }
    }
}
