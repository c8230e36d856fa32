internal import AppContainer
internal import TextOutput

extension Finding {
    /// What lets a finding be.
    public struct Suppression: Sendable, Hashable {
        /// Who says so.
        public enum Kind: String, Sendable, CaseIterable {
            /// The configuration.
            case configuration
            /// The item, or a directory above it, by an attribute.
            case attribute
        }
        /// Who says so.
        public let kind: Kind
        /// Why; safe to show.
        public let reason: String
        /// Whom to ask about it, where that is said.
        public let owner: String?
        /// The configuration's file and line, or the path of the item that carries it; safe to show.
        public let place: String
    }
}

extension Finding.Suppression {
    private static let longest = 500

    init(_ said: Said<ConfiguredSuppression>) {
        kind = .configuration
        reason = Self.shown(said.value.reason)
        owner = said.value.owner.map { Self.shown($0) }
        place = said.place.shortName
    }

    init(_ suppression: Suppression, on path: [UInt8]) {
        kind = .attribute
        reason = Self.shown(suppression.reason)
        owner = nil
        place = path.isEmpty ? "." : ByteText.escaped(path)
    }

    /// Whoever wrote it may have put anything there.
    private static func shown(_ text: String) -> String {
        SecretShape.hasStrong(text)
            ? "not shown, because it looks like a secret" : ByteText.printable(text.prefix(longest))
    }
}

extension SourcePlace {
    /// The file without the directories that are this machine's, and the line; or the option.
    var shortName: String {
        isOption ? file : "\(ByteText.printable(file.split(separator: "/").last ?? "")):\(line)"
    }
    /// What tells it from every other place.
    var identity: String { "\(file):\(line):\(column)" }
}
