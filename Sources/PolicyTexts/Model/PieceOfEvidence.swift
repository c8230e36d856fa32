internal import TextOutput

/// A piece of evidence for or against a group of files being re-downloadable.
package struct PieceOfEvidence: Sendable, Hashable {
    /// The kind, by its id in `rules/evidence/weights.yml`.
    package let id: String
    /// The share of the kind's weight that counts, from 0 to 1; that of the second judge of names is its log-odds.
    package let strength: Double
    private let found: Detail

    private enum Detail: Sendable, Hashable {
        case text(String)
        case name([UInt8])
    }

    /// Evidence with the detail that reports show: a word, an extension, a count; never content.
    package init(_ kind: some RawRepresentable<String>, _ strength: Double = 1, _ detail: String = "") {
        self.init(id: kind.rawValue, strength, detail)
    }

    /// Evidence of a kind that depends on the vocabulary.
    package init(id: String, _ strength: Double = 1, _ detail: String = "") {
        (self.id, self.strength, found) = (id, strength, .text(detail))
    }

    /// Evidence with a name that reports show.
    package init(id: String, _ strength: Double, name: [UInt8]) {
        (self.id, self.strength, found) = (id, strength, .name(name))
    }

    /// The detail as reports show it.
    package var detail: String {
        switch found {
        case .text(let text): text
        case .name(let name): Self.shown(name)
        }
    }
}

extension PieceOfEvidence {
    /// The beginning of a name as reports show it: escaped, at most 60 bytes of it.
    package static func shown(_ name: some Collection<UInt8>) -> String { ByteText.escaped(Array(name.prefix(60))) }
}
