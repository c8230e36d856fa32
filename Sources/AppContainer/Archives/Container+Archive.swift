public import Foundation
internal import SystemPackage

extension Container {
    /// Saves an object, and all that hangs on it, as a keyed archive that Apple's systems read; the rest is as for
    /// saving bytes.
    ///
    /// What cannot be archived, or not be read again by `unarchive` under its standard limits, is refused before
    /// Foundation sees it, since Foundation on Linux ends the process at much of it. For that each class of the app
    /// is asked twice to encode itself, first on a coder that only looks.
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
    ///   - fileID: The caller, recorded where `recording` says so.
    ///   - line: The caller's line.
    /// - Throws: `notEncodable` for an object that is not `NSSecureCoding`, is of a class of Foundation's that is not
    ///   read here (an NSDecimalNumber, an NSError), or encodes values without keys; `cycle`, `tooDeep`, `tooLarge`;
    ///   `file` with what saving throws.
    public func archive(
        _ object: some NSObject & NSSecureCoding, to place: ContainerPath, named names: [String: ArchivableClass] = [:],
        overwrite: Overwrite = .replace, durability: Durability = .full, provenance: Provenance? = nil,
        fileID: String = #fileID, line: UInt = #line
    ) throws(ArchiveError) {
        let path = try archivePath(place)
        let data: Data
        do throws(ArchiveFault) { data = try ArchiveWriter.archive(object, named: names) } catch {
            throw ArchiveError(error, path: path.string, onDisk: "Nothing on disk has changed.")
        }
        do throws(ContainerError) {
            try save(
                data, to: place, overwrite: overwrite, durability: durability, provenance: provenance, fileID: fileID,
                line: line)
        } catch { throw ArchiveError(error) }
    }

    func archivePath(_ place: ContainerPath) throws(ArchiveError) -> FilePath {
        do throws(ContainerError) { return try relative(place) } catch { throw ArchiveError(error) }
    }
}
