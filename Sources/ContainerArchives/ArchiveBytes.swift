package import Foundation

/// Conversion between objects and the bytes of an archive.
package enum ArchiveBytes {
    /// Returns the root object of an archive.
    package static func read<Object: NSObject & NSSecureCoding>(
        _ type: Object.Type, from bytes: [UInt8], allowing classes: [ArchivableClass],
        named names: [String: ArchivableClass], limits: ArchiveLimits, by coders: ArchiveCoders = .standard
    ) throws(ArchiveFault) -> Object {
        for type in [type] + classes + names.values.map({ $0 }) {
            guard let reason = ArchiveClasses.refusal(of: type) else { continue }
            throw ArchiveFault(.disallowedClass, reason, hint: ArchiveClasses.refusalHint)
        }
        let archive = try KeyedArchive(bytes, limits: limits)
        let root = try coders.read(type, archive, ArchiveClasses([type] + classes, named: names), limits)
        guard let object = root as? Object else {
            throw ArchiveFault(.wrongType, at: "root", "\(ArchiveClasses.name(of: Swift.type(of: root))) was found")
        }
        return object
    }

    /// Returns the root object of an archive that contains only plain values. No class decodes itself.
    static func readPlain(_ bytes: [UInt8], limits: ArchiveLimits) throws(ArchiveFault) -> NSObject {
        let archive = try KeyedArchive(bytes, limits: limits)
        return try ArchiveReader(
            archive, classes: ArchiveClasses([], named: [:]), limits: limits, appObjects: ArchiveCheck()
        ).root(
            of: NSObject.self)
    }

    /// Returns the bytes of an archive of `object`.
    package static func write(
        _ object: any NSObject & NSSecureCoding, named names: [String: ArchivableClass], limits: ArchiveLimits,
        by coders: ArchiveCoders = .standard
    ) throws(ArchiveFault) -> [UInt8] {
        let bytes = try coders.write(object, names, limits)
        // An archive that is written must be readable with the same limits.
        _ = try KeyedArchive(bytes, limits: limits)
        return bytes
    }
}

/// The coders that classes of the app are called with.
///
/// On Apple's systems, these are `NSKeyedArchiver` and `NSKeyedUnarchiver`. On Linux, where input can end the process in
/// both, they are coders of this library. The formats are the same.
package struct ArchiveCoders: Sendable {
    /// Returns the root object of an archive, which is of the class.
    let read: @Sendable (AnyClass, KeyedArchive, ArchiveClasses, ArchiveLimits) throws(ArchiveFault) -> NSObject
    /// Returns the bytes of an archive of an object.
    let write:
        @Sendable (any NSObject & NSSecureCoding, [String: ArchivableClass], ArchiveLimits) throws(ArchiveFault) ->
            [UInt8]

    /// The coders of Foundation, between checks of this library. See `FoundationDecoding` and `FoundationEncoding`.
    package static let foundation = ArchiveCoders(
        read: { (type, archive, classes, limits) throws(ArchiveFault) in
            try FoundationDecoding.root(of: type, archive, classes: classes, limits: limits)
        },
        write: { (object, names, limits) throws(ArchiveFault) in
            try FoundationEncoding.archive(object, named: names, limits: limits)
        })
}
