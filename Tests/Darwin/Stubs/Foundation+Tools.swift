// The declarations of Foundation in use by the tools and the linter: programs, files and texts.

// Darwin's Swift overlay declares it.
public var errno: Int32 {
    get { stub() }
    set { stub() }
}

extension Array: DataProtocol where Element == UInt8 {}
extension ArraySlice: DataProtocol where Element == UInt8 {}
extension UnsafeRawBufferPointer: DataProtocol {}

extension Data {
    public func subdata(in range: Range<Int>) -> Data { stub() }
}

extension Data.WritingOptions {
    public static let withoutOverwriting = Data.WritingOptions(rawValue: 2)
}

extension Date {
    @available(macOS 12.0, iOS 15.0, *)
    public func formatted<F: FormatStyle>(_ format: F) -> F.FormatOutput where F.FormatInput == Date { stub() }
}

@available(macOS 12.0, iOS 15.0, *)
public protocol FormatStyle: Codable, Hashable {
    associatedtype FormatInput
    associatedtype FormatOutput
    func format(_ value: FormatInput) -> FormatOutput
}

@available(macOS 12.0, iOS 15.0, *)
extension Date.ISO8601FormatStyle: FormatStyle {
    public func format(_ value: Date) -> String { stub() }
}

@available(macOS 12.0, iOS 15.0, *)
extension FormatStyle where Self == Date.ISO8601FormatStyle {
    public static var iso8601: Self { stub() }
}

extension String {
    public struct CompareOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var caseInsensitive: Self { stub() }
    }
}

extension StringProtocol {
    public var removingPercentEncoding: String? { stub() }
    public var capitalized: String { stub() }
    public var decomposedStringWithCanonicalMapping: String { stub() }
    public var precomposedStringWithCanonicalMapping: String { stub() }
    public func addingPercentEncoding(withAllowedCharacters allowed: CharacterSet) -> String? { stub() }
    public func padding(toLength length: Int, withPad pad: some StringProtocol, startingAt index: Int) -> String {
        stub()
    }
    public func range(of text: some StringProtocol, options: String.CompareOptions = []) -> Range<Index>? { stub() }
}

extension CharacterSet {
    public static var urlUserAllowed: CharacterSet { stub() }
    public static var urlPasswordAllowed: CharacterSet { stub() }
    public static var urlPathAllowed: CharacterSet { stub() }
    public mutating func insert(charactersIn text: String) { stub() }
    public mutating func insert(charactersIn range: ClosedRange<Unicode.Scalar>) { stub() }
    public mutating func remove(charactersIn text: String) { stub() }
    public func union(_ other: CharacterSet) -> CharacterSet { stub() }
    public func intersection(_ other: CharacterSet) -> CharacterSet { stub() }
}

extension CocoaError.Code {
    public static let fileWriteUnknown = CocoaError.Code(rawValue: 512)
    public static let featureUnsupported = CocoaError.Code(rawValue: 3_328)
}

public struct TimeZone: Hashable, Sendable {
    @available(macOS 13.0, iOS 16.0, *)
    public static var gmt: TimeZone { stub() }
}

public struct Calendar: Hashable, Sendable {
    public enum Identifier: Sendable { case gregorian, iso8601 }
    public enum Component: Sendable { case year, month, day, hour, minute, second }
    public init(identifier: Identifier) { stub() }
    public var timeZone: TimeZone {
        get { stub() }
        set { stub() }
    }
    public func component(_ component: Component, from date: Date) -> Int { stub() }
    public func dateComponents(_ components: Set<Component>, from date: Date) -> DateComponents { stub() }
    public func date(from components: DateComponents) -> Date? { stub() }
}

public struct DateComponents: Hashable, Sendable {
    public var year: Int?
    public var month: Int?
    public var hour: Int?
    public var minute: Int?
    public var second: Int?
}

extension URL {
    public mutating func deleteLastPathComponent() { stub() }
}

extension FileAttributeKey {
    public static let posixPermissions = FileAttributeKey(rawValue: "")
}

extension FileManager {
    public func fileExists(atPath path: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool { stub() }
    public func isExecutableFile(atPath path: String) -> Bool { stub() }
    public func createFile(
        atPath path: String, contents: Data?, attributes: [FileAttributeKey: Any]? = nil
    ) -> Bool { stub() }
    public func createDirectory(
        atPath path: String, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil
    ) throws { stub() }
}

extension FileHandle {
    public class var standardError: FileHandle { stub() }
    public class var nullDevice: FileHandle { stub() }
    public convenience init?(forReadingAtPath path: String) { stub() }
    public convenience init?(forWritingAtPath path: String) { stub() }
    public convenience init(forReadingFrom url: URL) throws { stub() }
    public convenience init(forUpdating url: URL) throws { stub() }
    public var fileDescriptor: Int32 { stub() }
    public func write(_ data: Data) { stub() }
    @available(macOS 10.15.4, iOS 13.4, *)
    public func read(upToCount count: Int) throws -> Data? { stub() }
    @available(macOS 10.15, iOS 13.0, *)
    public func seek(toOffset offset: UInt64) throws { stub() }
    @available(macOS 10.15, iOS 13.0, *)
    public func truncate(atOffset offset: UInt64) throws { stub() }
    @available(macOS 10.15, iOS 13.0, *)
    public func synchronize() throws { stub() }
}

// iOS has no Process.
#if os(macOS)
extension Process {
    public enum TerminationReason: Int, Sendable { case exit = 1, uncaughtSignal = 2 }
    public var currentDirectoryURL: URL? {
        get { stub() }
        set { stub() }
    }
    public var standardInput: Any? {
        get { stub() }
        set { stub() }
    }
    public var isRunning: Bool { stub() }
    public var processIdentifier: Int32 { stub() }
    public var terminationReason: TerminationReason { stub() }
}
#endif
