package import PolicyValues

/// The kinds of evidence and their weights, which together turn evidence into a probability.
///
/// The weights are log-odds: `probability = 1 / (1 + exp(−(bias + Σ weight × strength)))`. They are read from
/// `rules/evidence/weights.yml`; `make learn` fits those whose basis is `fitted`. The method is in `rules/EVIDENCE.md`.
package final class EvidenceModel: Sendable {
    /// One kind of evidence.
    package struct Kind: Sendable {
        package let id: String
        /// Log-odds at full strength; positive speaks for re-downloadable data.
        package let weight: Double
        /// The source of the weight.
        let basis: Basis
        /// True if evidence of this kind and others like it never make a verdict surer than `weakLimit`.
        package let isWeak: Bool
        /// True for evidence beyond names, kinds and times. Where such evidence speaks for, the second judge of names is not
        /// heard.
        package let isContent: Bool
        /// The greatest probability of a verdict that this evidence is part of, if the evidence for it is weak.
        package let limit: Double
        /// Log-odds that are taken off such a verdict: in the directory for user data a name alone must be surer.
        package let caution: Double
        /// The sentence that reports show, in which `{detail}` stands for what was found.
        package let text: String

        /// The sentence that reports show for what was found.
        package func phrase(_ detail: String) -> String { text.replacing("{detail}", with: detail) }

        enum Basis: String, CaseIterable, Sendable { case fitted, prior }
    }

    package let vocabulary: Vocabulary
    /// The second judge of names.
    package let paths: PathWords
    package let bias: Double
    /// The greatest probability of a verdict that rests on weak evidence alone, such as names, kinds and times.
    package let weakLimit: Double
    private let kinds: [String: Kind]

    /// Reads the files of a folder `evidence`.
    ///
    /// - Parameters:
    ///   - vocabulary: The words and kinds of files.
    ///   - paths: The words of paths with their weights, for the second judge of names.
    ///   - top: The weights.
    ///   - omitted: Words that are left out of the vocabulary.
    ///   - given: Returns the keys of the evidence that the sources give, which have weights.
    /// - Throws: The first mistake, at its line and column. Each kind of evidence has a weight, and each weight a source.
    package init(
        vocabulary: YAMLValue, paths: YAMLValue, weights top: YAMLValue, omitting omitted: Set<String> = [],
        of given: (Vocabulary) -> Set<String>
    ) throws(SourceError) {
        self.vocabulary = try Vocabulary(vocabulary, omitting: omitted)
        self.paths = try PathWords(paths, omitting: omitted)
        let fields = try top.fields(["bias", "weak-limit", "evidence"])
        bias = try Self.number(top.required("bias", of: fields))
        weakLimit = try fields["weak-limit"].map(Self.number) ?? 1
        var kinds: [String: Kind] = [:]
        for (key, value) in try top.required("evidence", of: fields).pairs() {
            let id = try key.string()
            let fields = try value.fields([
                "speaks", "weight", "basis", "prior", "weak", "content", "limit", "caution", "text", "note",
            ])
            let isFor = try value.required("speaks", of: fields).word("direction", type: Direction.self) == .for
            let weight = try Self.number(value.required("weight", of: fields))
            guard weight >= 0 else { throw value.error("a weight must not be negative; `speaks` sets its direction") }
            guard kinds[id] == nil else { throw key.error("“\(id)” is defined twice") }
            let isWeak = try fields["weak"]?.boolean() ?? false
            kinds[id] = Kind(
                id: id, weight: isFor ? weight : -weight,
                basis: try value.required("basis", of: fields).word("basis", type: Kind.Basis.self),
                isWeak: isWeak, isContent: try fields["content"]?.boolean() ?? !isWeak,
                limit: try fields["limit"].map(Self.number) ?? 1,
                caution: try fields["caution"].map(Self.number) ?? 0, text: try fields["text"]?.string() ?? "{detail}")
        }
        self.kinds = kinds
        let given = given(self.vocabulary)
        for (key, _) in try top.required("evidence", of: fields).pairs() where !given.contains(try key.string()) {
            throw key.error("no source gives the evidence “\(try key.string())”")
        }
        if let missing = given.subtracting(kinds.keys).min() {
            throw try top.required("evidence", of: fields).error("the evidence “\(missing)” has no weight")
        }
    }

    private enum Direction: String, CaseIterable { case `for`, against }

    static func number(_ value: YAMLValue) throws(SourceError) -> Double {
        guard let number = Double(try value.string()), number.isFinite, abs(number) <= 20 else {
            throw value.error("expected a number between -20 and 20")
        }
        return number
    }

    /// The kind of a piece of evidence, which a source gives.
    package subscript(id: String) -> Kind {
        guard let kind = kinds[id] else { preconditionFailure("the evidence “\(id)” has no weight") }
        return kind
    }
}
