package import Foundation

/// Archives in memory.
package enum ArchiveBytes {
    /// The root of an archive.
    package static func read<Object: NSObject & NSSecureCoding>(
        _ type: Object.Type, from bytes: [UInt8], allowing classes: [ArchivableClass],
        named names: [String: ArchivableClass], limits: ArchiveLimits
    ) throws(ArchiveFault) -> Object {
        let archive = try KeyedArchive(bytes, limits: limits)
        return try ArchiveReader(archive, ArchiveClasses([type] + classes, named: names), limits).root(as: type)
    }

    /// The bytes of an archive.
    package static func write(
        _ object: any NSObject & NSSecureCoding, named names: [String: ArchivableClass], limits: ArchiveLimits
    ) throws(ArchiveFault) -> [UInt8] {
        try ArchiveWriter.archive(object, named: names, limits: limits)
    }
}
