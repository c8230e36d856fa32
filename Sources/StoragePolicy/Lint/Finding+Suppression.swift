internal import AppContainer
internal import Foundation
internal import Secrets
internal import TextOutput

extension Finding {
    /// A suppression of a finding.
    public struct Suppression: Sendable, Hashable {
        /// The origin of the suppression.
        public enum Kind: String, Sendable, CaseIterable {
            /// The configuration.
            case configuration
            /// The item, or a directory above it, by an attribute.
            case attribute
            /// The baseline.
            case baseline
        }
        /// The origin of the suppression.
        public let kind: Kind
        /// The reason, safe to show.
        public let reason: String
        /// The person to ask about it, if the configuration names one.
        public let owner: String?
        /// The day or time at which it expires, in UTC, such as `2026-06-30`; nil if it does not.
        public let until: String?
        /// The configuration's file and line, the path of the item that carries it, or the baseline's file; safe to show.
        public let location: String

        package init(kind: Kind, reason: String, owner: String?, until: String?, location: String) {
            (self.kind, self.reason, self.owner) = (kind, reason, owner)
            (self.until, self.location) = (until, location)
        }
    }
}

extension Finding.Suppression {
    private static let longest = 500

    init(_ located: Located<ConfiguredSuppression>) {
        kind = .configuration
        reason = Self.shown(located.value.reason)
        owner = located.value.owner.map { Self.shown($0) }
        until = located.value.until
        location = located.position.shortName
    }

    init(_ suppression: Suppression, on path: [UInt8]) {
        kind = .attribute
        reason = Self.shown(suppression.reason)
        owner = nil
        until = suppression.until.map { $0.ISO8601Format() }
        location = path.isEmpty ? "." : ByteText.escaped(path)
    }

    /// The text may be anything, so it is shown escaped, and not at all if it looks like a secret.
    private static func shown(_ text: String) -> String {
        SecretShape.isContained(in: text)
            ? "not shown, because it looks like a secret" : ByteText.printable(text.prefix(longest))
    }
}
