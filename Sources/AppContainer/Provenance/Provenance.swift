package import FileSystem
public import Foundation
internal import SystemPackage

/// The origin of a file, stored on the file, so that user data can be distinguished from re-downloadable and
/// regenerable data.
public struct Provenance: Sendable, Hashable {
    /// The origin of a file.
    public enum Maker: String, Sendable, CaseIterable {
        /// The user, in the app.
        case user
        /// The user, outside the app; imported into the app.
        case imported
        /// The app, from data that only the app has.
        case app
        /// A server. The app can download the file again.
        case downloaded
        /// The app, from other files that it still has.
        case derived

        /// True for a file that can be downloaded or derived again.
        package var isRegenerable: Bool { self == .downloaded || self == .derived }
    }
    /// The information that a container records on its files.
    public enum Recording: Sendable, Hashable {
        /// Nothing, even if a save is passed a provenance.
        case off
        /// The maker and origin that a save is passed.
        case given
        /// The maker, the origin, and the line of source code that saved the file.
        case givenAndSource

        /// The default. The line of source code is recorded in debug builds.
        public static var standard: Recording {
            #if DEBUG
            .givenAndSource
            #else
            .given
            #endif
        }
    }

    /// The maker.
    public let maker: Maker
    /// The source URL without user, password, query and fragment.
    public let origin: String?
    /// The date, in whole seconds, from which `purgeExpired()` removes the file. Only for re-downloadable and
    /// regenerable files.
    public let expiry: Date?

    /// Creates a provenance. Of `origin`, only scheme, host, port and path are stored.
    public init(_ maker: Maker, from origin: URL? = nil) {
        self.init(maker: maker, recordedOrigin: origin.flatMap { Self.strip($0) }, expiry: nil)
    }

    init(maker: Maker, recordedOrigin: String?, expiry: Date?) {
        self.maker = maker
        origin = recordedOrigin
        self.expiry = expiry.map { Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded()) }
    }

    /// Returns the provenance of a file that was downloaded from `origin` and can be downloaded again.
    public static func downloaded(from origin: URL, expires expiry: Date? = nil) -> Provenance {
        Provenance(maker: .downloaded, recordedOrigin: strip(origin), expiry: expiry)
    }

    /// Returns the provenance of a file that was derived from other files of the app.
    public static func derived(from origin: URL? = nil, expires expiry: Date? = nil) -> Provenance {
        Provenance(maker: .derived, recordedOrigin: origin.flatMap { strip($0) }, expiry: expiry)
    }

    /// The attribute with the maker, a raw value of `Maker`.
    package static let makerAttribute = "appcontainer.provenance"
    /// The attribute with the source URL. Source: freedesktop.org, Common Extended Attributes.
    package static let originAttribute = "xdg.origin.url"
    /// The attribute with the expiry date in ISO 8601 format, in UTC.
    package static let expiryAttribute = "appcontainer.expires"

    /// The attributes of a file with this provenance. Attributes of an earlier origin are removed.
    ///
    /// All are optional: a file system without room for them stores the file without them.
    package var attributes: [AttributeChange] {
        [
            AttributeChange(Self.makerAttribute, value: Array(maker.rawValue.utf8), isOptional: true),
            AttributeChange(Self.originAttribute, value: origin.map { Array($0.utf8) }, isOptional: true),
            AttributeChange(
                Self.expiryAttribute, value: expiry.map { Array($0.ISO8601Format().utf8) }, isOptional: true),
        ]
    }

    /// Returns the text of a URL without parts that may be secret, or nil if the URL has no host.
    package static func strip(_ url: URL) -> String? {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true), parts.host?.isEmpty == false else {
            return nil
        }
        (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
        // On ext4, all attributes of a file share one block of 4 KiB.
        if let text = parts.string, text.utf8.count <= 2_048 { return text }
        parts.path = ""
        return parts.string
    }
}

/// The line of an app's source code that saved a file.
///
/// It is stored on the file as the attribute `appcontainer.source`, so that the linter can report the line that saved a
/// file in the wrong directory.
public struct CodeLocation: Sendable, Hashable, CustomStringConvertible {
    /// The module and file, in the form of `#fileID`: `Reader/Covers.swift`.
    public let fileID: String
    /// The line number, from 1.
    public let line: UInt

    /// Creates a location from a file in the form of `#fileID` and a line.
    package init(fileID: String, line: UInt) {
        self.fileID = fileID
        self.line = line
    }

    /// The module, which is the part before the first slash.
    package var module: String { fileID.split(separator: "/").first.map(String.init) ?? fileID }

    /// The location in the form `Reader/Covers.swift:88`.
    public var description: String { "\(fileID):\(line)" }

    package static let attribute = "appcontainer.source"

    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let line = UInt(text[text.index(after: colon)...]) else {
            return nil
        }
        self.init(fileID: String(text[..<colon]), line: line)
    }
}

extension Container {
    /// Returns the origin and expiry date that a save recorded on a file, or nil if there is no record.
    ///
    /// - Throws: `notFound`, `notAFile` for a symbolic link, `leavesContainer`, `noIdentifier`, `permissionDenied`,
    ///   `noAttributes`, `failed`.
    public func provenance(of item: ContainerPath) throws(ContainerError) -> Provenance? {
        try recorded(on: item) { file throws(FileSystemError) in try Provenance(recordedOn: file) }
    }

    /// Returns the line of source code that saved a file, if saves record it (`recording`).
    ///
    /// - Throws: The errors of `provenance(of:)`.
    public func source(of item: ContainerPath) throws(ContainerError) -> CodeLocation? {
        try recorded(on: item) { file throws(FileSystemError) in
            try file.attribute(CodeLocation.attribute).flatMap { CodeLocation(String(decoding: $0, as: UTF8.self)) }
        }
    }

    private func recorded<Value>(
        on item: ContainerPath, _ read: (OpenFile) throws(FileSystemError) -> Value?
    ) throws(ContainerError) -> Value? {
        let path = try relative(item)
        do throws(FileSystemError) { return try read(try folder.open(path, followingLinks: false)) } catch {
            throw ContainerError(error)
        }
    }
}

extension Provenance {
    /// Reads the attributes of a file. Returns nil if they contain no known maker.
    init?(recordedOn file: OpenFile) throws(FileSystemError) {
        guard let word = try file.attribute(Self.makerAttribute),
            let maker = Maker(rawValue: String(decoding: word, as: UTF8.self))
        else { return nil }
        let expiry = try file.attribute(Self.expiryAttribute).map { String(decoding: $0, as: UTF8.self) }
        self.init(
            maker: maker,
            recordedOrigin: try file.attribute(Self.originAttribute).map { String(decoding: $0, as: UTF8.self) },
            expiry: expiry.flatMap { try? Date($0, strategy: .iso8601) })
    }
}
