public import AppContainer
internal import Foundation
internal import SystemPackage

/// Values in archives, as `NSKeyedArchiver.encodeEncodable` keeps them: the property list that the value is encoded to
/// is archived as dictionaries, arrays, texts, numbers, data and dates. Source: NSCoder.swift of Swift's Darwin overlay.
extension Container {
    /// Saves a value as a keyed archive; the rest is as for an object.
    ///
    /// - Throws: `notEncodable` for a value that is no dictionary or array when it is encoded, or that a property list
    ///   cannot hold; `tooDeep`, `tooLarge`; `file` with what saving throws.
    public func archive(
        _ value: some Encodable, to place: ContainerPath, overwrite: Overwrite = .replace,
        durability: Durability = .full, provenance: Provenance? = nil,
        limits: ArchiveLimits = ArchiveLimits(), fileID: String = #fileID, line: UInt = #line
    ) throws(ArchiveError) {
        let path = try archivePath(place)
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
            let fault = ArchiveFault(.notEncodable, "the value is encoded to what cannot be archived")
            throw ArchiveError(fault, path: path.string, onDisk: "Nothing on disk has changed.")
        }
        try archive(
            encoded, to: place, overwrite: overwrite, durability: durability, provenance: provenance, limits: limits,
            fileID: fileID, line: line)
    }

    /// Reads a value that was archived, here or by `encodeEncodable`, from a file that may be damaged or made to do
    /// harm.
    ///
    /// - Throws: As for an object; `wrongType` where the archive holds something else than this value's fields.
    public func unarchive<Value: Decodable>(
        _ type: Value.Type, from place: ContainerPath, limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> Value {
        let path = try archivePath(place)
        let bytes = try archiveBytes(path, limits)
        do throws(ArchiveFault) {
            let root = try ArchiveBytes.readPlain(bytes, limits: limits)
            guard PropertyListSerialization.propertyList(root, isValidFor: .binary) else {
                throw ArchiveFault(
                    .wrongType, "it holds more than texts, numbers, data, dates, arrays and dictionaries")
            }
            do {
                let list = try PropertyListSerialization.data(fromPropertyList: root, format: .binary, options: 0)
                return try PropertyListDecoder().decode(type, from: list)
            } catch { throw ArchiveFault(.wrongType, "it is no \(type): \(error)") }
        } catch { throw ArchiveError(error, path: path.string, onDisk: "The file is untouched.") }
    }
}
