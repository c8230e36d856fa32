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

    /// Who made it.
    public let maker: Maker
    /// Where it came from, without user, password, query and fragment.
    public let origin: String?

    /// What a file is; of `origin` only scheme, host, port and path are kept.
    public init(_ maker: Maker, from origin: URL? = nil) {
        self.maker = maker
        self.origin = origin.flatMap { Self.strip($0) }
    }

    /// Fetched from `origin`, and there to be fetched again.
    public static func downloaded(from origin: URL) -> Provenance { Provenance(.downloaded, from: origin) }

    /// The attribute that says who made a file: a word of `Maker`.
    package static let makerAttribute = "appcontainer.provenance"
    /// The attribute that says where it came from. Source: freedesktop.org, Common Extended Attributes.
    package static let originAttribute = "xdg.origin.url"

    package var attributes: [(name: String, value: [UInt8])] {
        var attributes = [(Self.makerAttribute, Array(maker.rawValue.utf8))]
        if let origin { attributes.append((Self.originAttribute, Array(origin.utf8))) }
        return attributes
    }

    /// A URL's text without what may be secret in it.
    package static func strip(_ url: URL) -> String? {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
        (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
        return parts.string
    }
}
