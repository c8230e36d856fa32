package import FileSystem
public import Foundation

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
            AttributeChange(Self.makerAttribute, Array(maker.rawValue.utf8), isOptional: true),
            AttributeChange(Self.originAttribute, origin.map { Array($0.utf8) }, isOptional: true),
            AttributeChange(
                Self.expiryAttribute, expiry.map { Array($0.ISO8601Format().utf8) }, isOptional: true),
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
