// The declarations of Foundation for bookmarks of picked files, and for days.

extension URL {
    public struct BookmarkCreationOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let minimalBookmark = BookmarkCreationOptions(rawValue: 512)
        #if os(macOS)
        public static let withSecurityScope = BookmarkCreationOptions(rawValue: 2048)
        #endif
    }
    public struct BookmarkResolutionOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        #if os(macOS)
        public static let withSecurityScope = BookmarkResolutionOptions(rawValue: 1024)
        #endif
    }
    public func bookmarkData(
        options: BookmarkCreationOptions = [], includingResourceValuesForKeys keys: Set<URLResourceKey>? = nil,
        relativeTo url: URL? = nil
    ) throws -> Data { stub() }
    public init(
        resolvingBookmarkData data: Data, options: BookmarkResolutionOptions = [], relativeTo url: URL? = nil,
        bookmarkDataIsStale: inout Bool
    ) throws { stub() }
}

extension Calendar {
    public static var current: Calendar { stub() }
    public func isDate(_ first: Date, inSameDayAs second: Date) -> Bool { stub() }
}
