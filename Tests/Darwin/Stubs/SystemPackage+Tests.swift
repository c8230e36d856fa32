// The declarations of swift-system that only tests use.

extension FilePermissions {
    public static var setUserID: FilePermissions { stub() }
}

public struct FileDescriptor: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { stub() }
    public struct AccessMode: Hashable, Sendable {
        public static var readOnly: AccessMode { stub() }
        public static var writeOnly: AccessMode { stub() }
        public static var readWrite: AccessMode { stub() }
    }
    public struct OpenOptions: OptionSet, Hashable, Sendable {
        public let rawValue: Int32
        public init(rawValue: Int32) { stub() }
        public static var append: OpenOptions { stub() }
        public static var create: OpenOptions { stub() }
        public static var truncate: OpenOptions { stub() }
    }
    public static func open(
        _ path: FilePath, _ mode: AccessMode, options: OpenOptions = OpenOptions(rawValue: 0),
        permissions: FilePermissions? = nil, retryOnInterrupt: Bool = true
    ) throws -> FileDescriptor { stub() }
    public struct SeekOrigin: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int32
        public init(rawValue: Int32) { stub() }
    }
    @discardableResult public func seek(offset: Int64, from origin: SeekOrigin) throws -> Int64 { stub() }
    public func read(
        into buffer: UnsafeMutableRawBufferPointer, retryOnInterrupt: Bool = true
    ) throws -> Int { stub() }
    public func read(
        fromAbsoluteOffset offset: Int64, into buffer: UnsafeMutableRawBufferPointer, retryOnInterrupt: Bool = true
    ) throws -> Int { stub() }
    public func write(
        toAbsoluteOffset offset: Int64, _ buffer: UnsafeRawBufferPointer, retryOnInterrupt: Bool = true
    ) throws -> Int { stub() }
    public func resize(to size: Int64, retryOnInterrupt: Bool = true) throws { stub() }
    public static var standardOutput: FileDescriptor { stub() }
    public static func open(
        _ path: UnsafePointer<CChar>, _ mode: AccessMode, options: OpenOptions = OpenOptions(rawValue: 0),
        permissions: FilePermissions? = nil, retryOnInterrupt: Bool = true
    ) throws -> FileDescriptor { stub() }
    public func close() throws { stub() }
    public func closeAfter<R>(_ body: () throws -> R) throws -> R { stub() }
    public func writeAll<S: Sequence>(toAbsoluteOffset offset: Int64, _ sequence: S) throws -> Int
    where S.Element == UInt8 { stub() }
    public func writeAll<S: Sequence>(_ sequence: S) throws -> Int where S.Element == UInt8 { stub() }
}

private func stub() -> Never { fatalError() }
