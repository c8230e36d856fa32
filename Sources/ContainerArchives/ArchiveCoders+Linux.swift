#if !canImport(Darwin)
internal import Foundation

extension ArchiveCoders {
    /// The coders that the library uses.
    package static let standard = library

    /// The coders of this library.
    package static let library = ArchiveCoders(
        read: { (type, archive, classes, limits) throws(ArchiveFault) in
            try ArchiveReader(archive, classes: classes, limits: limits, appObjects: DecodedObjects()).root(of: type)
        },
        write: { (object, names, limits) throws(ArchiveFault) in
            try ArchiveWriter.archive(object, named: names, limits: limits)
        })
}

extension NSKeyedUnarchiver {
    /// The classes that are allowed for the object that is being decoded.
    var currentClasses: [AnyClass] { allowedClasses ?? [] }

    /// Returns the object of a top-level key. Errors are in `error`.
    func topLevelObject(of type: AnyClass, forKey key: String) throws -> Any? { decodeObject(of: [type], forKey: key) }
}

// On Linux, the functions of the delegates are not optional.
extension FoundationDecoding {
    func unarchiver(_ unarchiver: NSKeyedUnarchiver, didDecode object: Any?) -> Any? { nil }
    func unarchiver(_ unarchiver: NSKeyedUnarchiver, willReplace object: Any, with newObject: Any) {}
    func unarchiverWillFinish(_ unarchiver: NSKeyedUnarchiver) {}
    func unarchiverDidFinish(_ unarchiver: NSKeyedUnarchiver) {}
}

extension FoundationEncoding {
    func archiverWillFinish(_ archiver: NSKeyedArchiver) {}
    func archiverDidFinish(_ archiver: NSKeyedArchiver) {}
    func archiver(_ archiver: NSKeyedArchiver, willReplace object: Any?, withObject newObject: Any?) {}
}
#endif
