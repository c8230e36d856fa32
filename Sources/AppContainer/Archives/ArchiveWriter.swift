internal import Foundation

/// Makes the bytes of an archive, by Foundation's archiver.
enum ArchiveWriter {
    /// Archives an object once it is known that nothing in it ends the process.
    static func archive(
        _ object: any NSObject & NSSecureCoding, named names: [String: ArchivableClass]
    ) throws(ArchiveFault) -> Data {
        try ArchiveSurvey(names: names, limits: ArchiveLimits()).examine(object)
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.outputFormat = .binary
        for (name, type) in names { archiver.setClassName(name, for: type) }
        archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        if let error = archiver.error { throw ArchiveFault(.notEncodable, "Foundation cannot archive it: \(error)") }
        return archiver.encodedData
    }
}
