// The declarations of swift-log's InMemoryLogging in use.
public import Logging

public struct InMemoryLogHandler: LogHandler {
    public struct Entry: Sendable, Equatable {
        public var level: Logger.Level
        public var message: Logger.Message
        public var metadata: Logger.Metadata
    }
    public init() { stub() }
    public var entries: [Entry] { stub() }
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { stub() }
        set {}
    }
    public var metadata: Logger.Metadata {
        get { stub() }
        set {}
    }
    public var logLevel: Logger.Level {
        get { stub() }
        set {}
    }
}

private func stub() -> Never { fatalError() }
