import Foundation
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import Testing

@Suite("Verdict") struct VerdictTests {
    private static let weights = """
        bias: -1
        evidence:
          strong: { speaks: for, weight: 3, basis: prior, text: "strong {detail}" }
          weak: { speaks: for, weight: 0.5, prior: 0.5, basis: fitted }
          against: { speaks: against, weight: 2, basis: prior, text: "against" }
          nothing: { speaks: for, weight: 0, basis: prior }

        """
    private static let vocabulary = """
        themes: { cache: cache }
        kinds: { picture: jpg }
        user-made: []
        archives: []
        system-directories: []
        """

    private func model(_ weights: String = Self.weights) throws -> EvidenceModel {
        try EvidenceModel(
            vocabulary: YAMLValue(file: "vocabulary.yml", text: Self.vocabulary),
            paths: YAMLValue(file: "paths.yml", text: "bias: 0"),
            weights: YAMLValue(file: "weights.yml", text: weights)
        ) { _ in ["strong", "weak", "against", "nothing"] }
    }

    @Test("Evidence without a weight, and a weight without a source, do not load")
    func unmatched() throws {
        func error(_ weights: String) -> String {
            do {
                _ = try model(weights)
                return ""
            } catch { return "\(error)" }
        }
        #expect(
            error(Self.weights.replacing("  against: {", with: "  unknown: {")).contains(
                "no source gives the evidence “unknown”"))
        let nothing = "  nothing: { speaks: for, weight: 0, basis: prior }\n"
        #expect(error(Self.weights.replacing(nothing, with: "")).contains("the evidence “nothing” has no weight"))
        // The built-in weights are those of the built-in sources.
        let vocabulary = try Catalogue.embedded().evidenceModel().vocabulary
        let given = EvidenceSources.all.flatMap { $0.kinds(vocabulary) }.count + BesideUserFiles.Kind.allCases.count
        #expect(EvidenceSources.kinds(vocabulary).count == given)
        #expect(EvidenceSources.all.map { $0.cost } == EvidenceSources.all.map { $0.cost }.sorted())
    }

    @Test("Log-odds are summed by strength")
    func arithmetic() throws {
        let model = try model()
        func probability(_ pieces: PieceOfEvidence...) -> Double { Verdict(pieces, model: model).probability }
        func logistic(_ sum: Double) -> Double { 1 / (1 + exp(-sum)) }
        #expect(probability() == logistic(-1))
        #expect(probability(.init(id: "strong")) == logistic(2))
        #expect(probability(.init(id: "strong", 0.5), .init(id: "against")) == logistic(-1.5))
        #expect(probability(.init(id: "nothing")) == logistic(-1))
    }

    @Test("The percentage is never rounded up, and never certain")
    func percent() throws {
        let model = try model()
        #expect(Verdict(Array(repeating: .init(id: "strong"), count: 40), model: model).percent == 99)
        #expect(Verdict(Array(repeating: .init(id: "against"), count: 400), model: model).percent == 0)
        #expect(Verdict([], model: model).percent == 26)
    }

    @Test("Weak evidence alone never exceeds the limit of confidence")
    func weak() throws {
        let text = Self.weights.replacing("bias: -1", with: "bias: -1\nweak-limit: 0.6")
            .replacing(
                "weight: 0.5, prior: 0.5, basis: fitted", with: "weight: 6, prior: 0.5, basis: fitted, weak: true")
        let model = try model(text)
        #expect(Verdict([.init(id: "weak")], model: model).probability == 0.6)
        #expect(Verdict([.init(id: "weak"), .init(id: "strong", 0.5)], model: model).probability == 0.6)
        #expect(Verdict([.init(id: "weak"), .init(id: "strong")], model: model).probability > 0.99)
        #expect(Verdict([.init(id: "weak"), .init(id: "against")], model: model).probability == 0.6)
    }

    @Test("Evidence is listed by strength, after the confidence")
    func strongest() throws {
        let pieces: [PieceOfEvidence] = [
            .init(id: "weak", 1, "a"), .init(id: "strong", 0.1, "b"), .init(id: "strong", 1, "c"), .init(id: "against"),
            .init(id: "against", 0.5), .init(id: "weak", 0.9, "d"),
        ]
        let verdict = Verdict(pieces, model: try model())
        #expect(verdict.contributions.map { ($0.weight * 100).rounded() } == [300, -200, -100, 50, 45, 30])
        #expect(verdict.contributions[0].text == "strong c")
        #expect(verdict.evidence.map(\.kind).prefix(3) == ["confidence", "strong", "against"])
    }

    @Test(
        "An error in the weights is reported at its line",
        arguments: [
            ("weight: 3", "weight: -3", 3, "a weight must not be negative"),
            ("speaks: for, weight: 3", "speaks: maybe, weight: 3", 3, "direction"),
            ("weight: 3", "weight: nan", 3, "expected a number between -20 and 20"),
            ("bias: -1", "bias: 99", 1, "expected a number"),
            ("basis: prior, text: \"against\"", "basis: guessed", 5, "basis"),
        ])
    func mistakes(old: String, new: String, line: Int, message: String) throws {
        let text = Self.weights.replacing(old, with: new)
        let error = #expect(throws: SourceError.self) { try model(text) }
        #expect(error?.line == line && error?.description.contains(message) == true, "\(String(describing: error))")
    }

    @Test("A duplicate kind of evidence is refused")
    func twice() {
        #expect(throws: SourceError.self) { try model(Self.weights.replacing("  weak:", with: "  strong:")) }
    }

    @Test("The embedded weights have the reviewed directions, and guesses alone are never certain")
    func embedded() throws {
        let model = try embeddedModel()
        #expect(model["address"].weight > 0 && model["camera"].weight < 0)
        #expect(model.bias < 1)
        for theme in ["document", "personal", "account", "state"] {
            #expect(model["word-\(theme)"].weight <= 0)
        }
    }
}
