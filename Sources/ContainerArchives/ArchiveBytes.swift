package import Foundation

/// Conversion between objects and the bytes of an archive.
package enum ArchiveBytes {
    /// Returns the root object of an archive.
    package static func read<Object: NSObject & NSSecureCoding>(
        _ type: Object.Type, from bytes: [UInt8], allowing classes: [ArchivableClass],
        named names: [String: ArchivableClass], limits: ArchiveLimits
    ) throws(ArchiveFault) -> Object {
        for type in [type] + classes + names.values.map({ $0 }) {
            guard let reason = ArchiveClasses.refusal(of: type) else { continue }
            throw ArchiveFault(.disallowedClass, reason, hint: ArchiveClasses.refusalHint)
        }
        let archive = try KeyedArchive(bytes, limits: limits)
        return try ArchiveReader(archive, ArchiveClasses([type] + classes, named: names), limits).root(as: type)
    }

    /// Returns the root object of an archive that contains only plain values.
    static func readPlain(_ bytes: [UInt8], limits: ArchiveLimits) throws(ArchiveFault) -> NSObject {
        let archive = try KeyedArchive(bytes, limits: limits)
        return try ArchiveReader(archive, ArchiveClasses([], named: [:]), limits).root(as: NSObject.self)
    }

    /// Returns the bytes of an archive of `object`.
    package static func write(
        _ object: any NSObject & NSSecureCoding, named names: [String: ArchivableClass], limits: ArchiveLimits
    ) throws(ArchiveFault) -> [UInt8] {
        let bytes = try ArchiveWriter.archive(object, named: names, limits: limits)
        // An archive that is written must be readable with the same limits.
        _ = try KeyedArchive(bytes, limits: limits)
        return bytes
    }
}
