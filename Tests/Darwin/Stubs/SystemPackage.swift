// The declarations of swift-system in use, as its Darwin build has them.
public import Darwin

public typealias CModeT = mode_t

public struct Errno: RawRepresentable, Error, Hashable, Codable, Sendable, CustomStringConvertible {
    public let rawValue: CInt
    public init(rawValue: CInt) { self.rawValue = rawValue }
    public init(_ raw: CInt) { rawValue = raw }
    public var description: String { stub() }
    public static func ~= (left: Errno, right: any Error) -> Bool { stub() }

    public static var argListTooLong: Errno { stub() }
    public static var noSuchAddressOrDevice: Errno { stub() }
    public static var notPermitted: Errno { stub() }
    public static var noSuchFileOrDirectory: Errno { stub() }
    public static var interrupted: Errno { stub() }
    public static var connectionReset: Errno { stub() }
    public static var ioError: Errno { stub() }
    public static var badFileDescriptor: Errno { stub() }
    public static var deadlock: Errno { stub() }
    public static var noMemory: Errno { stub() }
    public static var permissionDenied: Errno { stub() }
    public static var resourceBusy: Errno { stub() }
    public static var fileExists: Errno { stub() }
    public static var improperLink: Errno { stub() }
    public static var notDirectory: Errno { stub() }
    public static var isDirectory: Errno { stub() }
    public static var invalidArgument: Errno { stub() }
    public static var tooManyOpenFilesInSystem: Errno { stub() }
    public static var tooManyOpenFiles: Errno { stub() }
    public static var textFileBusy: Errno { stub() }
    public static var fileTooLarge: Errno { stub() }
    public static var noSpace: Errno { stub() }
    public static var illegalSeek: Errno { stub() }
    public static var readOnlyFileSystem: Errno { stub() }
    public static var tooManyLinks: Errno { stub() }
    public static var brokenPipe: Errno { stub() }
    public static var outOfRange: Errno { stub() }
    public static var resourceTemporarilyUnavailable: Errno { stub() }
    public static var wouldBlock: Errno { stub() }
    public static var notSupported: Errno { stub() }
    public static var notSupportedOnSocket: Errno { stub() }
    public static var tooManySymbolicLinkLevels: Errno { stub() }
    public static var fileNameTooLong: Errno { stub() }
    public static var directoryNotEmpty: Errno { stub() }
    public static var diskQuotaExceeded: Errno { stub() }
    public static var staleNFSFileHandle: Errno { stub() }
    public static var noFunction: Errno { stub() }
    public static var overflow: Errno { stub() }
    public static var canceled: Errno { stub() }
    public static var illegalByteSequence: Errno { stub() }
    public static var attributeNotFound: Errno { stub() }
    public static var noData: Errno { stub() }
}

public struct FilePermissions: OptionSet, Hashable, Codable, Sendable, CustomStringConvertible {
    public let rawValue: CModeT
    public init(rawValue: CModeT) { self.rawValue = rawValue }
    public var description: String { stub() }
    public static var ownerRead: FilePermissions { stub() }
    public static var ownerWrite: FilePermissions { stub() }
    public static var ownerExecute: FilePermissions { stub() }
    public static var ownerReadWrite: FilePermissions { stub() }
    public static var ownerReadWriteExecute: FilePermissions { stub() }
    public static var groupRead: FilePermissions { stub() }
    public static var groupExecute: FilePermissions { stub() }
    public static var otherRead: FilePermissions { stub() }
    public static var otherExecute: FilePermissions { stub() }
}

public struct FilePath: Hashable, Codable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible,
    CustomDebugStringConvertible
{
    public init() { stub() }
    public init(_ string: String) { stub() }
    public init(stringLiteral: String) { stub() }
    public init(platformString: UnsafePointer<CChar>) { stub() }
    public init(platformString: [CChar]) { stub() }
    public init(root: Root?, _ components: ComponentView.SubSequence) { stub() }
    public init(root: Root?, _ components: some Collection<Component>) { stub() }
    public init(root: Root?, components: Component...) { stub() }
    public init(_ components: some Collection<Component>) { stub() }
    public init(from decoder: any Decoder) throws { stub() }
    public func encode(to encoder: any Encoder) throws { stub() }
    public var description: String { stub() }
    public var debugDescription: String { stub() }
    public var string: String { stub() }
    public var length: Int { stub() }
    public func withPlatformString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
        stub()
    }
    public func withCString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result { stub() }

    public struct Root: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        public init(stringLiteral: String) { stub() }
        public init?(_ string: String) { stub() }
        public var description: String { stub() }
    }

    public struct Component: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        public enum Kind: Sendable { case currentDirectory, parentDirectory, regular }
        public init(stringLiteral: String) { stub() }
        public init?(_ string: String) { stub() }
        public init?(platformString: UnsafePointer<CChar>) { stub() }
        public var kind: Kind { stub() }
        public var string: String { stub() }
        public var stem: String { stub() }
        public var `extension`: String? { stub() }
        public var description: String { stub() }
        public func withPlatformString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
            stub()
        }
    }

    public struct ComponentView: BidirectionalCollection, RangeReplaceableCollection, Sendable {
        public struct Index: Comparable, Hashable, Sendable {
            public static func < (left: Index, right: Index) -> Bool { stub() }
        }
        public init() { stub() }
        public var startIndex: Index { stub() }
        public var endIndex: Index { stub() }
        public func index(after index: Index) -> Index { stub() }
        public func index(before index: Index) -> Index { stub() }
        public subscript(index: Index) -> Component { stub() }
        public mutating func replaceSubrange(_ range: Range<Index>, with new: some Collection<Component>) { stub() }
    }

    public var root: Root? {
        get { stub() }
        set { stub() }
    }
    public var components: ComponentView {
        get { stub() }
        set { stub() }
    }
    public var lastComponent: Component? { stub() }
    public var isEmpty: Bool { stub() }
    public var isAbsolute: Bool { stub() }
    public var isRelative: Bool { stub() }
    public var stem: String? { stub() }
    public var `extension`: String? {
        get { stub() }
        set { stub() }
    }
    public func starts(with other: FilePath) -> Bool { stub() }
    public func ends(with other: FilePath) -> Bool { stub() }
    public func removingRoot() -> FilePath { stub() }
    public func removingLastComponent() -> FilePath { stub() }
    @discardableResult public mutating func removeLastComponent() -> Bool { stub() }
    public mutating func removePrefix(_ prefix: FilePath) -> Bool { stub() }
    public mutating func append(_ component: Component) { stub() }
    public mutating func append(_ components: some Collection<Component>) { stub() }
    public mutating func append(_ other: String) { stub() }
    public func appending(_ component: Component) -> FilePath { stub() }
    public func appending(_ components: some Collection<Component>) -> FilePath { stub() }
    public func appending(_ other: String) -> FilePath { stub() }
    public mutating func push(_ other: FilePath) { stub() }
    public func pushing(_ other: FilePath) -> FilePath { stub() }
    public mutating func lexicallyNormalize() { stub() }
    public func lexicallyNormalized() -> FilePath { stub() }
    public func lexicallyResolving(_ subpath: FilePath) -> FilePath? { stub() }
    public var isLexicallyNormal: Bool { stub() }
}

extension String {
    public init(decoding path: FilePath) { stub() }
    public init?(validating path: FilePath) { stub() }
    public init(decoding component: FilePath.Component) { stub() }
    public init?(validating component: FilePath.Component) { stub() }
}

private func stub() -> Never { fatalError() }
