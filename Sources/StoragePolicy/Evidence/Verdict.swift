internal import Foundation

/// A piece of evidence for or against a group of files being re-downloadable.
struct PieceOfEvidence: Sendable, Hashable {
    /// The kind, by its id in `rules/evidence/weights.yml`.
    let id: String
    /// How much of the kind's weight counts, from 0 to 1.
    let strength: Double
    /// The detail that reports show: a word, an extension, a count; never content.
    let detail: String

    init(_ id: String, _ strength: Double = 1, _ detail: String = "") {
        (self.id, self.strength, self.detail) = (id, strength, detail)
    }
}

/// Receives the verdicts of a run.
protocol VerdictObserver: Sendable {
    func observe(
        _ verdict: Verdict, _ pieces: [PieceOfEvidence], on group: EvidenceGroup, in directory: DirectoryEvidence)
    /// Receives the directories with files that nothing accounts for, the largest first.
    func observe(_ directories: [UndeclaredDirectory])
}

extension VerdictObserver {
    func observe(_ directories: [UndeclaredDirectory]) {}
}

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
    /// The strongest contributions first.
    let contributions: [Contribution]

    /// Combines pieces of evidence; kinds that the model does not know count nothing.
    init(_ pieces: [PieceOfEvidence], _ model: EvidenceModel) {
        var sum = model.bias
        var contributions: [Contribution] = []
        for piece in pieces {
            guard let kind = model[piece.id], kind.weight != 0, piece.strength != 0 else { continue }
            let weight = kind.weight * piece.strength
            sum += weight
            contributions.append(
                Contribution(
                    text: kind.text.replacing("{detail}", with: piece.detail), kind: piece.id, weight: weight))
        }
        probability = 1 / (1 + exp(-sum))
        self.contributions = contributions.sorted {
            (-abs($0.weight), $0.kind, $0.text) < (-abs($1.weight), $1.kind, $1.text)
        }
    }

    /// The probability as whole percent, never rounded up to certainty.
    var percent: Int { min(99, Int(probability * 100)) }

    /// The confidence and every contribution, the strongest first, as findings carry them.
    var evidence: [Evidence] {
        [Evidence(kind: "confidence", value: "\(percent) %")]
            + contributions.map { Evidence(kind: $0.kind, value: $0.text, weight: $0.weight) }
    }
}
