// both: is declared in extension of 'NSCoder' and cannot be overridden
import Foundation

/// A coder that overrides a function, which on Apple's systems is in an extension.
final class DecodingForLinux: NSCoder {
    override func decodeObject(of types: [AnyClass]?, forKey key: String) -> Any? { nil }
}
