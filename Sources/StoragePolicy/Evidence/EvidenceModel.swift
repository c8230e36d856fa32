internal import PolicyRules

/// The kinds of evidence and their weights, which together turn evidence into a probability.
///
/// The weights are log-odds: `probability = 1 / (1 + exp(−(bias + Σ weight × strength)))`. They are read from
/// `rules/evidence/weights.yml`; `make learn` fits those whose basis is `fitted`. The method is in `rules/EVIDENCE.md`.
struct EvidenceModel: Sendable {
    /// One kind of evidence.
    struct Kind: Sendable {
        let id: String
        /// Log-odds at full strength; positive speaks for re-downloadable data.
        let weight: Double
        /// How the weight is known.
        let basis: Basis
        /// The sentence that reports show, in which `{detail}` stands for what was found.
        let text: String

        enum Basis: String, CaseIterable, Sendable { case fitted, prior }
    }

    let vocabulary: Vocabulary
    let bias: Double
    private let kinds: [String: Kind]

    /// The files of a folder `evidence`, by their names.
    ///
    /// - Throws: The first mistake, at its line and column.
    init(
        vocabulary: (file: String, text: String), weights: (file: String, text: String),
        omitting omitted: Set<String> = []
    ) throws(SourceError) {
        self.vocabulary = try Vocabulary(file: vocabulary.file, text: vocabulary.text, omitting: omitted)
        let top = try YAMLValue(file: weights.file, text: weights.text)
        let fields = try top.fields(["bias", "evidence"])
        bias = try Self.number(top.required("bias", of: fields))
        var kinds: [String: Kind] = [:]
        for (key, value) in try top.required("evidence", of: fields).pairs() {
            let id = try key.string()
            let fields = try value.fields(["speaks", "weight", "basis", "prior", "text", "note"])
            let isFor = try value.required("speaks", of: fields).word("direction", Direction.self) == .for
            let weight = try Self.number(value.required("weight", of: fields))
            guard weight >= 0 else { throw value.error("a weight must not be negative; `speaks` sets its direction") }
            guard kinds[id] == nil else { throw key.error("“\(id)” is defined twice") }
            kinds[id] = Kind(
                id: id, weight: isFor ? weight : -weight,
                basis: try value.required("basis", of: fields).word("basis", Kind.Basis.self),
                text: try fields["text"]?.string() ?? "{detail}")
        }
        self.kinds = kinds
    }

    private enum Direction: String, CaseIterable { case `for`, against }

    private static func number(_ value: YAMLValue) throws(SourceError) -> Double {
        guard let number = Double(try value.string()), number.isFinite, abs(number) <= 20 else {
            throw value.error("expected a number between -20 and 20")
        }
        return number
    }

    subscript(id: String) -> Kind? { kinds[id] }
}
