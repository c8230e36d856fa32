public import AppContainer
internal import Foundation
internal import SystemPackage

/// Codable values in archives, in the format of `NSKeyedArchiver.encodeEncodable`: the value is encoded as a property
/// list, which is archived as dictionaries, arrays, strings, numbers, data and dates. Source: NSCoder.swift of Swift's
/// Darwin overlay.
extension Container {
    /// Saves a value as a keyed archive. Otherwise like archiving an object.
    ///
    /// - Throws: `notEncodable` for a value that is not encoded as a dictionary or array, or that a property list
    ///   cannot contain; `tooDeep`, `tooLarge`; `file` with the errors of saving bytes.
    public func archive(
        _ value: some Encodable, to item: ContainerPath, overwrite: Overwrite = .replace,
        durability: Durability = .full, provenance: Provenance? = nil,
        limits: ArchiveLimits = ArchiveLimits(), fileID: String = #fileID, line: UInt = #line
    ) throws(ArchiveError) {
        let path = try archivePath(item)
        let encoded: (any NSObject & NSSecureCoding)?
        do {
            let bytes = try PropertyListEncoder().encode(value)
            let list = try PropertyListSerialization.propertyList(from: bytes, format: nil)
            encoded = list as AnyObject as? any NSObject & NSSecureCoding
        } catch {
            let fault = ArchiveFault(.notEncodable, "the value cannot be encoded: \(error)")
            throw ArchiveError(fault, path: path.string, onDisk: "Nothing on disk has changed.")
        }
        guard let encoded else {
            let fault = ArchiveFault(.notEncodable, "the encoded value cannot be archived")
            throw ArchiveError(fault, path: path.string, onDisk: "Nothing on disk has changed.")
        }
        try archive(
            encoded, to: item, overwrite: overwrite, durability: durability, provenance: provenance, limits: limits,
            fileID: fileID, line: line)
    }

    /// Reads a value that was archived here or by `encodeEncodable`. The file may be damaged or malicious.
    ///
    /// - Throws: The errors of reading an object; `wrongType` if the archive contains something other than the value.
    public func unarchive<Value: Decodable>(
        _ type: Value.Type, from item: ContainerPath, limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> Value {
        let path = try archivePath(item)
        let bytes = try archiveBytes(path, limits)
        do throws(ArchiveFault) {
            let root = try ArchiveBytes.readPlain(bytes, limits: limits)
            guard PropertyListSerialization.propertyList(root, isValidFor: .binary) else {
                throw ArchiveFault(
                    .wrongType, "it contains more than strings, numbers, data, dates, arrays and dictionaries")
            }
            do {
                let list = try PropertyListSerialization.data(fromPropertyList: root, format: .binary, options: 0)
                return try PropertyListDecoder().decode(type, from: list)
            } catch { throw ArchiveFault(.wrongType, "it is not a \(type): \(error)") }
        } catch { throw ArchiveError(error, path: path.string, onDisk: "The file is unchanged.") }
    }
}
