internal import Foundation
internal import PolicyTexts

/// The probability that files are re-downloadable, and the evidence behind it.
struct Verdict: Sendable {
    /// A piece of evidence with its contribution in log-odds.
    struct Contribution: Sendable {
        let text: String
        let kind: String
        let weight: Double
    }

    /// From 0 to 1.
    let probability: Double
    private let pieces: [PieceOfEvidence]
    private let model: EvidenceModel

    /// Combines pieces of evidence.
    init(_ pieces: [PieceOfEvidence], model: EvidenceModel) {
        var sum = model.bias
        var isWeak = true
        var (limit, caution) = (model.weakLimit, 0.0)
        let hasContent = pieces.contains { piece in
            let kind = model[piece.id]
            return kind.isContent && kind.weight > 0 && piece.strength > 0
        }
        let pieces = hasContent ? pieces.filter { !PathEvidence.isGiven($0) } : pieces
        for piece in pieces {
            let kind = model[piece.id]
            sum += kind.weight * piece.strength
            if kind.weight > 0, !kind.isWeak, piece.strength > 0.9 { isWeak = false }
            limit = min(limit, kind.limit)
            caution += kind.caution * piece.strength
        }
        let probability = isWeak ? min(1 / (1 + exp(caution - sum)), limit) : 1 / (1 + exp(-sum))
        // Facts of the code add to a guess and never to certainty.
        let facts = pieces.lazy.filter(CodeEvidence.isGiven).reduce(0) { $0 + model[$1.id].weight * $1.strength }
        self.probability =
            facts > 0 && !isWeak ? min(probability, max(model.weakLimit, 1 / (1 + exp(facts - sum)))) : probability
        (self.pieces, self.model) = (pieces, model)
    }

    /// The contributions, the strongest first.
    var contributions: [Contribution] {
        pieces.compactMap { piece in
            let kind = model[piece.id]
            guard kind.weight != 0, piece.strength != 0 else { return nil }
            return Contribution(
                text: kind.phrase(piece.detail), kind: piece.id,
                weight: kind.weight * piece.strength)
        }.sorted { (-abs($0.weight), $0.kind, $0.text) < (-abs($1.weight), $1.kind, $1.text) }
    }

    /// True if the files are re-downloadable, and their tags and the app's own data state from where.
    var hasStatedSource: Bool {
        itemClass == .regenerable && pieces.contains { $0.id == FileEvidence.Kind.addressInTags.rawValue }
    }

    /// True if a description beside the files speaks for it.
    var isDescribed: Bool { pieces.contains { AddressEvidence.isDescription($0.id) } }

    /// The class that the evidence decides: re-downloadable, user data, or undecided.
    var itemClass: ItemClass { ItemVerdict.itemClass(of: probability) }

    /// The probability as whole percent, never rounded up to certainty.
    var percent: Int { min(99, Int(probability * 100)) }

    /// The confidence and every contribution, the strongest first, as findings carry them.
    var evidence: [Evidence] {
        [Evidence(kind: "confidence", value: "\(percent) %")]
            + contributions.map { Evidence(kind: $0.kind, value: $0.text, weight: $0.weight) }
    }
}
