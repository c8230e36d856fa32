public import AppContainer
public import Foundation
internal import SystemPackage

extension Container {
    /// Saves an object, and all that hangs on it, as a keyed archive that Apple's systems read; the rest is as for
    /// saving bytes.
    ///
    /// The graph is the one of Foundation's archiver (`$archiver`, `$version`, `$top`, `$objects`), the archiver is
    /// not: what that one ends the process for on Linux is an error here. Foundation's objects that are archived are
    /// those that `unarchive` reads. A class of the app encodes itself, with keys.
    ///
    ///     try container.archive(shelf, to: .documents("shelf.archive"))
    ///
    /// - Parameters:
    ///   - object: The root.
    ///   - place: Where the file is to lie.
    ///   - names: What the archive is to call classes of the app, where that is not `Module.Class`; a class within
    ///     another, or a private one, must be named.
    ///   - overwrite: What gives way.
    ///   - durability: What is done before the call returns for the file to last.
    ///   - provenance: Who made the content; nil leaves what an old file says of it.
    ///   - limits: How large the archive may be, so that it can be read with the same limits.
    ///   - fileID: The caller, recorded where `recording` says so.
    ///   - line: The caller's line.
    /// - Throws: `notEncodable` for an object that is not `NSSecureCoding`, is of a class of Foundation's that is not
    ///   read here (an NSDecimalNumber, an NSError), or encodes values without keys; `cycle` and `tooDeep` for what could not be read
    ///   again; `tooLarge`; `file` with what saving throws. An NSMutableArray that holds itself ends the process on
    ///   Linux, as every look into it does there.
    public func archive(
        _ object: some NSObject & NSSecureCoding, to place: ContainerPath, named names: [String: ArchivableClass] = [:],
        overwrite: Overwrite = .replace, durability: Durability = .full, provenance: Provenance? = nil,
        limits: ArchiveLimits = ArchiveLimits(), fileID: String = #fileID, line: UInt = #line
    ) throws(ArchiveError) {
        let bytes = try archivedBytes(object, named: names, limits: limits, for: place)
        do throws(ContainerError) {
            try save(
                bytes, to: place, overwrite: overwrite, durability: durability, provenance: provenance, fileID: fileID,
                line: line)
        } catch { throw ArchiveError(error) }
    }

    func archivedBytes(
        _ object: any NSObject & NSSecureCoding, named names: [String: ArchivableClass], limits: ArchiveLimits,
        for place: ContainerPath
    ) throws(ArchiveError) -> [UInt8] {
        let path = try archivePath(place)
        do throws(ArchiveFault) { return try ArchiveBytes.write(object, named: names, limits: limits) } catch {
            throw ArchiveError(error, path: path.string, onDisk: "Nothing on disk has changed.")
        }
    }

    func archivePath(_ place: ContainerPath) throws(ArchiveError) -> FilePath {
        do throws(ContainerError) { return try relative(place) } catch { throw ArchiveError(error) }
    }
}
