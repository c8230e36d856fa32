// The declarations of swift-log in use.

public protocol LogHandler: Sendable {
    subscript(metadataKey key: String) -> Logger.Metadata.Value? { get set }
    var metadata: Logger.Metadata { get set }
    var logLevel: Logger.Level { get set }
}

public struct Logger: Sendable {
    public typealias Metadata = [String: MetadataValue]

    public enum Level: String, Codable, CaseIterable, Sendable, Comparable {
        case trace
        case debug
        case info
        case notice
        case warning
        case error
        case critical
        public static func < (left: Level, right: Level) -> Bool { stub() }
    }

    public struct Message: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, Equatable,
        CustomStringConvertible, Sendable
    {
        public init(stringLiteral value: String) { stub() }
        public var description: String { stub() }
    }

    public enum MetadataValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, Equatable,
        CustomStringConvertible, Sendable
    {
        case string(String)
        case dictionary(Metadata)
        case array([Metadata.Value])
        public init(stringLiteral value: String) { stub() }
        public var description: String { stub() }
    }

    public init(label: String) { stub() }
    public init(label: String, factory: (String) -> any LogHandler) { stub() }
    public var logLevel: Level {
        get { stub() }
        set {}
    }
    public func log(
        level: Level, _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil,
        file: String = #fileID, function: String = #function, line: UInt = #line
    ) { stub() }
}

private func stub() -> Never { fatalError() }
