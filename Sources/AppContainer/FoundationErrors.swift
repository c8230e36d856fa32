public import Foundation

// The library's errors as Foundation shows them: `localizedDescription` is the error's own sentence, and as an `NSError`
// each type has its domain, each code its number, and the failed call its `NSUnderlyingErrorKey`.

extension ContainerError: LocalizedError, CustomNSError {
    /// `AppContainer.ContainerError`.
    public static var errorDomain: String { "AppContainer.ContainerError" }
    /// The number of the code; it stays the same in later versions.
    public var errorCode: Int { code.number }
    /// The sentence, the file and the kernel's number.
    public var errorUserInfo: [String: Any] { userInfo(description, path: path, underlying: posixError(errno)) }
    /// The sentence of `description`.
    public var errorDescription: String? { description }
}

extension BatchError: LocalizedError, CustomNSError {
    /// `AppContainer.BatchError`.
    public static var errorDomain: String { "AppContainer.BatchError" }
    /// The number of the code of `cause`.
    public var errorCode: Int { cause.errorCode }
    /// The sentence, the file at which the batch stopped, and `cause`.
    public var errorUserInfo: [String: Any] { userInfo(description, path: cause.path, underlying: cause) }
    /// The sentence of `description`.
    public var errorDescription: String? { description }
}

package func posixError(_ errno: Int32?) -> (any Error)? {
    errno.map { NSError(domain: NSPOSIXErrorDomain, code: Int($0)) }
}

package func userInfo(_ description: String, path: String, underlying: (any Error)?) -> [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: description, NSFilePathErrorKey: path]
    if let underlying { info[NSUnderlyingErrorKey] = underlying as NSError }
    return info
}
