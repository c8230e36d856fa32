/// The result of an extraction.
package struct ExtractedArchive: Sendable {
    /// The format of an archive.
    package enum Format: String, Sendable { case tar, zip }

    /// A form in which an archive stores extended attributes.
    package enum AttributeSpelling: String, Sendable, CaseIterable, CustomStringConvertible {
        /// Records `SCHILY.xattr.*` and `LIBARCHIVE.xattr.*` in the extended headers of a tar.
        case pax
        /// A file `._x` beside `x` or under `__MACOSX`.
        case appleDouble = "AppleDouble"

        package var description: String { rawValue }
    }

    /// The format of the archive.
    package var format = Format.tar
    /// The forms in which the archive stores attributes. Empty if it stores none: then the backup exclusion of its files
    /// is unknown, because most programs do not store attributes.
    package var spellings: Set<AttributeSpelling> = []
    /// False if the file system of the folder cannot store attributes.
    package var storesAttributes = true
    /// The number of extracted files, each hard link counted, without the AppleDouble files whose attributes were set.
    package var files = 0
    package var directories = 0
    package var symbolicLinks = 0
    /// The size of all files in bytes.
    package var contentSize: UInt64 = 0
    /// The number of attributes that were set.
    package var attributes = 0
    /// The number of files and directories whose mode got the bits that the owner needs to read them.
    package var changedModes = 0
    /// The first of these items in the order of the archive.
    package var firstChangedMode: [UInt8]?
    /// The first incidents, in the order of the archive. Empty if the archive was extracted completely.
    package var incidents: [ExtractionIncident] = []
    /// The number of all incidents.
    package var incidentCount = 0

    /// True if a missing attribute of an extracted file means that the original has none.
    package var carriesAttributes: Bool { !spellings.isEmpty && storesAttributes }

    mutating func report(_ incident: ExtractionIncident, limit: Int) {
        incidentCount += 1
        if incidents.count < limit { incidents.append(incident) }
    }
}
