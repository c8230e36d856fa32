package import FileSystem
public import Foundation

/// Who made a file, and from where it came: kept on the file, so that whoever looks at the disk can tell
/// what a person would miss from what can be had again.
public struct Provenance: Sendable, Hashable {
    /// Who made a file.
    public enum Maker: String, Sendable, CaseIterable {
        /// A person, in the app.
        case user
        /// A person, elsewhere; brought into the app.
        case imported
        /// The app, from what it alone knows.
        case app
        /// A server; the app can fetch it again.
        case downloaded
        /// The app, from other files that it still has.
        case derived
    }
    /// What a container writes on its files of where they come from.
    public enum Recording: Sendable, Hashable {
        /// Nothing, whatever a save is given.
        case off
        /// The maker and origin that a save is given.
        case given
        /// Those, and the line of source that saved the file.
        case givenAndSource

        /// The line of source is recorded where the library was built for debugging.
        public static var standard: Recording {
            #if DEBUG
            .givenAndSource
            #else
            .given
            #endif
        }
    }

    /// Who made it.
    public let maker: Maker
    /// Where it came from, without user, password, query and fragment.
    public let origin: String?
    /// From when on `purgeExpired()` removes it, in whole seconds; only what can be had again has such a date.
    public let expiry: Date?

    /// What a file is; of `origin` only scheme, host, port and path are kept.
    public init(_ maker: Maker, from origin: URL? = nil) {
        self.init(maker: maker, recordedOrigin: origin.flatMap { Self.strip($0) }, expiry: nil)
    }

    init(maker: Maker, recordedOrigin: String?, expiry: Date?) {
        self.maker = maker
        origin = recordedOrigin
        self.expiry = expiry.map { Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded()) }
    }

    /// Fetched from `origin`, and there to be fetched again.
    public static func downloaded(from origin: URL, expires expiry: Date? = nil) -> Provenance {
        Provenance(maker: .downloaded, recordedOrigin: strip(origin), expiry: expiry)
    }

    /// Made from other files that the app still has.
    public static func derived(from origin: URL? = nil, expires expiry: Date? = nil) -> Provenance {
        Provenance(maker: .derived, recordedOrigin: origin.flatMap { strip($0) }, expiry: expiry)
    }

    /// The attribute that says who made a file: a word of `Maker`.
    package static let makerAttribute = "appcontainer.provenance"
    /// The attribute that says where it came from. Source: freedesktop.org, Common Extended Attributes.
    package static let originAttribute = "xdg.origin.url"
    /// The attribute that says from when on a file may go: a date as ISO 8601 writes it, in UTC.
    package static let expiryAttribute = "appcontainer.expires"

    /// What a file of this provenance has on it; what it may have had before of another's origin goes.
    ///
    /// A file system that has no room for them takes the file without: content is worth more than what is said of it.
    package var attributes: [AttributeChange] {
        [
            AttributeChange(Self.makerAttribute, Array(maker.rawValue.utf8), isOptional: true),
            AttributeChange(Self.originAttribute, origin.map { Array($0.utf8) }, isOptional: true),
            AttributeChange(
                Self.expiryAttribute, expiry.map { Array($0.ISO8601Format().utf8) }, isOptional: true),
        ]
    }

    /// A URL's text without what may be secret in it; nil for one without a host, which names no server.
    package static func strip(_ url: URL) -> String? {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true), parts.host?.isEmpty == false else {
            return nil
        }
        (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
        // All of a file's attributes share one block of 4 KiB on ext4.
        if let text = parts.string, text.utf8.count <= 2_048 { return text }
        parts.path = ""
        return parts.string
    }
}
