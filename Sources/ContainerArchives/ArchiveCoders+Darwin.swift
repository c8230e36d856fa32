#if canImport(Darwin)
internal import Foundation

extension ArchiveCoders {
    /// The coders that the library uses.
    package static let standard = foundation
}

extension NSKeyedUnarchiver {
    /// The classes that are allowed for the object that is being decoded.
    var currentClasses: [AnyClass] { (allowedClasses ?? []).compactMap { $0.base as? AnyClass } }

    /// Returns the object of a top-level key. Exceptions of Objective-C become errors.
    func topLevelObject(of type: AnyClass, forKey key: String) throws -> Any? {
        try decodeTopLevelObject(of: [type], forKey: key)
    }
}
#endif
