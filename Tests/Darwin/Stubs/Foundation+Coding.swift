// Errors, encoders and texts of Foundation.
@_exported import Darwin
@_exported import Dispatch

public protocol LocalizedError: Error {
    var errorDescription: String? { get }
    var failureReason: String? { get }
    var recoverySuggestion: String? { get }
    var helpAnchor: String? { get }
}
extension LocalizedError {
    public var errorDescription: String? { stub() }
    public var failureReason: String? { stub() }
    public var recoverySuggestion: String? { stub() }
    public var helpAnchor: String? { stub() }
}

public protocol CustomNSError: Error {
    static var errorDomain: String { get }
    var errorCode: Int { get }
    var errorUserInfo: [String: Any] { get }
}
extension CustomNSError {
    public static var errorDomain: String { stub() }
    public var errorCode: Int { stub() }
    public var errorUserInfo: [String: Any] { stub() }
}

extension Error {
    public var localizedDescription: String { stub() }
}

public struct CocoaError: Error, Sendable {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static let fileNoSuchFile = Code(rawValue: 4)
        public static let fileReadNoPermission = Code(rawValue: 257)
        public static let fileReadNoSuchFile = Code(rawValue: 260)
        public static let coderReadCorrupt = Code(rawValue: 4_864)
        public static let coderValueNotFound = Code(rawValue: 4_865)
        public static let coderInvalidValue = Code(rawValue: 4_866)
    }
    public init(_ code: Code, userInfo: [String: Any] = [:]) { stub() }
    public var code: Code { stub() }
}

public let NSLocalizedDescriptionKey = ""
public let NSFilePathErrorKey = ""
public let NSUnderlyingErrorKey = ""
public let NSPOSIXErrorDomain = ""

// Coding of values.

open class JSONEncoder: @unchecked Sendable {
    public struct OutputFormatting: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let prettyPrinted = OutputFormatting(rawValue: 1)
        public static let sortedKeys = OutputFormatting(rawValue: 2)
        public static let withoutEscapingSlashes = OutputFormatting(rawValue: 8)
    }
    public enum DateEncodingStrategy: Sendable { case deferredToDate, secondsSince1970, iso8601 }
    public init() { stub() }
    open var outputFormatting: OutputFormatting {
        get { stub() }
        set { stub() }
    }
    open var dateEncodingStrategy: DateEncodingStrategy {
        get { stub() }
        set { stub() }
    }
    open func encode<T: Encodable>(_ value: T) throws -> Data { stub() }
}

open class JSONDecoder: @unchecked Sendable {
    public enum DateDecodingStrategy: Sendable { case deferredToDate, secondsSince1970, iso8601 }
    public init() { stub() }
    open var dateDecodingStrategy: DateDecodingStrategy {
        get { stub() }
        set { stub() }
    }
    open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { stub() }
}

open class PropertyListEncoder: @unchecked Sendable {
    public init() { stub() }
    open var outputFormat: PropertyListSerialization.PropertyListFormat {
        get { stub() }
        set { stub() }
    }
    open func encode<Value: Encodable>(_ value: Value) throws -> Data { stub() }
}

open class PropertyListDecoder: @unchecked Sendable {
    public init() { stub() }
    open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { stub() }
}

extension StringProtocol {
    public func data(using encoding: String.Encoding, allowLossyConversion: Bool = false) -> Data? { stub() }
    public func trimmingCharacters(in set: CharacterSet) -> String { stub() }
    public func components(separatedBy separator: some StringProtocol) -> [String] { stub() }
    public func replacingOccurrences<Target: StringProtocol, Replacement: StringProtocol>(
        of target: Target, with replacement: Replacement
    ) -> String { stub() }
}

extension String {
    public struct Encoding: RawRepresentable, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let utf8 = Encoding(rawValue: 4)
        public static let utf16 = Encoding(rawValue: 10)
    }
    public init?(data: Data, encoding: Encoding) { stub() }
    public init?(bytes: some Sequence<UInt8>, encoding: Encoding) { stub() }
    public init(format: String, _ arguments: any CVarArg...) { stub() }
    public init(_ text: NSString) { stub() }
    public init(contentsOfFile path: String, encoding: Encoding) throws { stub() }
    public init(contentsOf url: URL, encoding: Encoding) throws { stub() }
}

func stub() -> Never { fatalError() }
