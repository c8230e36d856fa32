public import AppContainer
public import Foundation
internal import SystemPackage

extension Container {
    /// Saves an object and all objects that it refers to as a keyed archive that Apple's systems can read. Otherwise
    /// like saving bytes.
    ///
    /// The format is that of Foundation's archiver (`$archiver`, `$version`, `$top`, `$objects`), but the
    /// implementation is not: input that ends the process there on Linux is an error here. The Foundation classes that
    /// `unarchive` supports can be archived. A class of the app encodes itself, with keys.
    ///
    ///     try container.archive(shelf, to: .documents("shelf.archive"))
    ///
    /// - Parameters:
    ///   - object: The root object.
    ///   - item: The path of the file.
    ///   - names: Names for classes of the app in the archive, if they differ from `Module.Class`. Required for nested
    ///     and private classes.
    ///   - overwrite: The policy for an existing item.
    ///   - durability: The durability when the call returns.
    ///   - provenance: The origin of the content. Nil keeps the provenance of the old file.
    ///   - limits: The limits for the archive, so that it can be read with the same limits.
    ///   - fileID: The file of the caller, recorded as `recording` says.
    ///   - line: The line of the caller.
    /// - Throws: `notEncodable` for an object that is not `NSSecureCoding`, has an unsupported Foundation class
    ///   (NSDecimalNumber, NSError), or encodes values without keys; `cycle` and `tooDeep` for objects that could not
    ///   be read again; `tooLarge`; `file` with the errors of saving bytes. An NSMutableArray that contains itself ends
    ///   the process on Linux, as any access to it does.
    public func archive(
        _ object: some NSObject & NSSecureCoding, to item: ContainerPath, named names: [String: ArchivableClass] = [:],
        overwrite: Overwrite = .replace, durability: Durability = .full, provenance: Provenance? = nil,
        limits: ArchiveLimits = ArchiveLimits(), fileID: String = #fileID, line: UInt = #line
    ) throws(ArchiveError) {
        let bytes = try archivedBytes(object, named: names, limits: limits, for: item)
        do throws(ContainerError) {
            try save(
                bytes, to: item, overwrite: overwrite, durability: durability, provenance: provenance, fileID: fileID,
                line: line)
        } catch { throw ArchiveError(error) }
    }

    func archivedBytes(
        _ object: any NSObject & NSSecureCoding, named names: [String: ArchivableClass], limits: ArchiveLimits,
        for item: ContainerPath
    ) throws(ArchiveError) -> [UInt8] {
        let path = try archivePath(item)
        do throws(ArchiveFault) { return try ArchiveBytes.write(object, named: names, limits: limits) } catch {
            throw ArchiveError(error, path: path.string, onDisk: "Nothing on disk has changed.")
        }
    }

    func archivePath(_ item: ContainerPath) throws(ArchiveError) -> FilePath {
        do throws(ContainerError) { return try relative(item) } catch { throw ArchiveError(error) }
    }
}
