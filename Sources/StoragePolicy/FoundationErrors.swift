public import Foundation

// The library's errors as Foundation shows them: `localizedDescription` is the error's own text.

extension SourceError: LocalizedError, CustomNSError {
    /// `StoragePolicy.SourceError`.
    public static var errorDomain: String { "StoragePolicy.SourceError" }
    /// 1: `message` says what is wrong.
    public var errorCode: Int { 1 }
    /// The text and the file.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description, NSFilePathErrorKey: file] }
    /// The text of `description`.
    public var errorDescription: String? { description }
}

extension UnreadableSource: LocalizedError, CustomNSError {
    /// `StoragePolicy.UnreadableSource`.
    public static var errorDomain: String { "StoragePolicy.UnreadableSource" }
    /// 1: there is one way to be unreadable.
    public var errorCode: Int { 1 }
    /// The text and the file.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description, NSFilePathErrorKey: path] }
    /// The text of `description`.
    public var errorDescription: String? { description }
}

extension UnknownRule: LocalizedError, CustomNSError {
    /// `StoragePolicy.UnknownRule`.
    public static var errorDomain: String { "StoragePolicy.UnknownRule" }
    /// 1: there is one way to be unknown.
    public var errorCode: Int { 1 }
    /// The text.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
    /// The text of `description`.
    public var errorDescription: String? { description }
}
