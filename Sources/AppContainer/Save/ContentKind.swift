public import Foundation
internal import SystemPackage

/// The kind of a file, which determines its directory and its backup exclusion.
///
/// The kinds follow Apple's criteria: the origin of the file, whether it can be downloaded or generated again, and
/// whether it must be available offline or when space is low. Source: Apple, "Optimizing Your App's Data for iCloud
/// Backup"; iOS Data Storage Guidelines.
///
/// | kind | directory | backed up | deleted by the system |
/// |---|---|---|---|
/// | `.userDocument` | `Documents` | yes | never |
/// | `.userData` | `Library/Application Support/<id>` | yes | never |
/// | `.imported` | `Documents` | yes | never |
/// | `.downloaded(from:keepOffline: true)` | `Library/Application Support/<id>/Downloads`, excluded from backup | no | never |
/// | `.downloaded(from:keepOffline: false)` | `Library/Caches/<id>` | no | any time |
/// | `.appGenerated` | `Library/Application Support/<id>/Generated`, excluded from backup | no | never |
/// | `.derived` | `Library/Caches/<id>` | no | any time |
/// | `.cache` | `Library/Caches/<id>` | no | any time |
/// | `.scratch` | `tmp` | no | maybe |
public enum ContentKind: Sendable, Hashable {
    /// A document that the user creates and finds by its name: a letter, a drawing.
    case userDocument
    /// User data that only the app displays: favourites, a library's database.
    case userData
    /// A file that the user imports: a book, a comic. It is backed up, because the app cannot download it.
    case imported
    /// A file that a server still has. `keepOffline` is true if the app needs it without a network.
    case downloaded(from: URL, keepOffline: Bool)
    /// A file that the app generates and keeps, but that no backup needs: a search index, a trained model. After a
    /// restore on another device it is missing, and the app generates it again.
    case appGenerated
    /// A file generated from other files that the app still has, which may disappear at any time: a thumbnail.
    case derived
    /// A file that only saves time.
    case cache
    /// A file that the next launch does not need.
    case scratch

    /// The directory in Application Support for downloads that must be available offline. It is excluded from backup.
    package static let downloads = "Downloads"
    /// The directory in Application Support for generated files that are kept. It is excluded from backup.
    package static let generated = "Generated"

    /// Returns the provenance of a file of this kind. The expiry date is only used for re-downloadable and regenerable
    /// kinds.
    package func provenance(expires expiry: Date? = nil) -> Provenance {
        switch self {
        case .userDocument, .userData: Provenance(.user)
        case .imported: Provenance(.imported)
        case .downloaded(let origin, _): .downloaded(from: origin, expires: expiry)
        case .appGenerated, .derived: .derived(expires: expiry)
        case .cache, .scratch: Provenance(.app)
        }
    }

    /// Returns the path of a file of this kind.
    public func path(named name: String) -> ContainerPath {
        switch self {
        case .userDocument, .imported: .documents / name
        case .userData: .applicationSupport / name
        case .downloaded(_, keepOffline: true):
            .applicationSupport / Self.downloads / name
        case .appGenerated: .applicationSupport / Self.generated / name
        case .downloaded, .derived, .cache: .caches / name
        case .scratch: .temporary / name
        }
    }

    /// Returns the options of a save of a file of this kind.
    fileprivate func options(_ options: SaveOptions, expires expiry: Date?) -> SaveOptions {
        var options = options
        options.provenance = options.provenance ?? provenance(expires: expiry)
        return options
    }

    /// The directory that is excluded from backup before a file is saved in it.
    var flaggedDirectory: ContainerPath? {
        switch self {
        case .downloaded(_, keepOffline: true): .applicationSupport / Self.downloads
        case .appGenerated: .applicationSupport / Self.generated
        default: nil
        }
    }
}

extension Container {
    /// Saves bytes in the directory for their kind, with the matching backup exclusion, and records their provenance.
    ///
    ///     let place = try container.store(cover, named: "covers/1.jpg", as: .downloaded(from: url, keepOffline: true))
    ///
    /// - Parameters:
    ///   - bytes: The whole content.
    ///   - name: The name of the file, which may contain directories.
    ///   - kind: The kind of the file.
    ///   - expiry: The date from which `purgeExpired()` removes the file. Only used for re-downloadable and regenerable
    ///     kinds.
    ///   - options: The options of the save. A provenance in them replaces that of the kind, and then `expiry` is not
    ///     used.
    ///   - fileID: The file of the caller, recorded as `recording` says.
    ///   - line: The line of the caller.
    /// - Returns: The path of the file.
    /// - Throws: The errors of saving bytes; `invalidPath` for an invalid name.
    @discardableResult
    public func store(
        _ bytes: some ContiguousBytes & Encodable, named name: String, as kind: ContentKind,
        expires expiry: Date? = nil,
        options: SaveOptions = SaveOptions(), fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) -> ContainerPath {
        let item = try prepare(name, kind: kind)
        try save(bytes, to: item, options: kind.options(options, expires: expiry), fileID: fileID, line: line)
        return item
    }

    /// Saves text in the directory for its kind. Otherwise like storing bytes.
    ///
    /// - Throws: `notText`, and the errors of storing bytes.
    @discardableResult
    public func store(
        _ text: String, named name: String, as kind: ContentKind, encoding: String.Encoding = .utf8,
        expires expiry: Date? = nil, options: SaveOptions = SaveOptions(), fileID: String = #fileID,
        line: UInt = #line
    ) throws(ContainerError) -> ContainerPath {
        let item = try prepare(name, kind: kind)
        let options = kind.options(options, expires: expiry)
        try save(text, to: item, encoding: encoding, options: options, fileID: fileID, line: line)
        return item
    }

    /// Saves a value in the directory for its kind, in the format of `encoder`, by default as JSON, or as a binary
    /// property list if the name ends in `.plist`. Otherwise like storing bytes.
    ///
    /// - Throws: `notEncodable`, `tooLarge`, and the errors of storing bytes.
    @discardableResult
    public func store(
        _ value: some Encodable, named name: String, as kind: ContentKind, encoder: (any ValueEncoder)? = nil,
        expires expiry: Date? = nil, limits: ValueLimits = ValueLimits(), options: SaveOptions = SaveOptions(),
        fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) -> ContainerPath {
        let item = try prepare(name, kind: kind)
        let options = kind.options(options, expires: expiry)
        try save(value, to: item, encoder: encoder, limits: limits, options: options, fileID: fileID, line: line)
        return item
    }

    /// Excludes the directory from backup, durably, before the first file is saved in it, so that no file is ever
    /// visible without the exclusion, even after a power loss.
    func prepare(_ name: String, kind: ContentKind) throws(ContainerError) -> ContainerPath {
        let item = kind.path(named: name)
        _ = try relativeFile(item)
        guard let directory = kind.flaggedDirectory else { return item }
        try createDirectory(directory)
        guard try exclusion(of: directory).state == .included else {
            // If another thread has just excluded it, this waits until the exclusion is on disk.
            withPathLock(at: try relative(directory)) {}
            return item
        }
        do throws(ContainerError) { try excludeFromBackup(directory) } catch {
            guard error.code == .durabilityUnknown else { throw error }
            // Removed, because the next attempt would take the exclusion for a durable one.
            try? includeInBackup(directory)
            throw ContainerError(
                .failed, try relative(item), errno: error.errno.map { Errno(rawValue: $0) },
                "The backup exclusion of “\(directory)” cannot be flushed to disk, so “\(item)” was not saved. "
                    + "The old file is unchanged. Try again.")
        }
        return item
    }
}
