public import Foundation

// The errors of the libraries as Foundation presents them: `localizedDescription` is the error's `description`. As an
// `NSError`, each type has a domain, each code a number, and the failed system call is the `NSUnderlyingErrorKey`.

extension ContainerError: LocalizedError, CustomNSError {
    /// `AppContainer.ContainerError`.
    public static var errorDomain: String { "AppContainer.ContainerError" }
    /// The number of the code. It does not change in later versions.
    public var errorCode: Int { code.number }
    /// The description, the path and the error number of the kernel.
    public var errorUserInfo: [String: Any] { userInfo(description, path: path, underlying: posixError(errno)) }
    /// The description.
    public var errorDescription: String? { description }
}

extension BatchError: LocalizedError, CustomNSError {
    /// `AppContainer.BatchError`.
    public static var errorDomain: String { "AppContainer.BatchError" }
    /// The number of the code of `cause`.
    public var errorCode: Int { cause.errorCode }
    /// The description, the path at which the batch stopped, and `cause`.
    public var errorUserInfo: [String: Any] { userInfo(description, path: cause.path, underlying: cause) }
    /// The description.
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
