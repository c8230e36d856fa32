internal import StoragePolicy
internal import TextOutput

/// The weighed evidence of findings and of explained paths, as text.
enum VerdictText {
    private static let mostFor = 3
    private static let mostAgainst = 1

    /// Returns the verdict, the strongest evidence for it and the strongest against it, each with a label.
    ///
    /// - Parameters:
    ///   - finding: The finding whose evidence is shown.
    ///   - most: The highest confidence of the findings that are shown together.
    /// - Returns: The lines with their labels; empty if the finding rests on proof.
    static func notes(on finding: Finding, most: Double?) -> [(label: String, text: String)] {
        guard let confidence = finding.confidence else { return [] }
        let range = range(confidence, most)
        let weighed = finding.evidence.filter { $0.weight != nil }
        func lines(_ label: String, most: Int, _ isShown: (Double) -> Bool) -> [(label: String, text: String)] {
            weighed.filter { isShown($0.weight ?? 0) }.prefix(most).map { (label, "\(weight($0))  \($0.value)") }
        }
        return [("verdict", "looks re-downloadable (\(range))")] + lines("for    ", most: mostFor) { $0 > 0 }
            + lines("against", most: mostAgainst) { $0 < 0 }
    }

    /// Returns the reasons in one line, without weights: the strongest evidence for the verdict, and the strongest against it.
    static func reason(of finding: Finding, most: Double?) -> [(label: String, text: String)] {
        guard let confidence = finding.confidence else { return [] }
        let weighed = finding.evidence.filter { $0.weight != nil }
        let reasons = weighed.filter { $0.weight ?? 0 > 0 }.prefix(2).map(\.value)
        let contrary = weighed.first { $0.weight ?? 0 < 0 }.map { "; but \($0.value)" } ?? ""
        let known = reasons.isEmpty ? "little is known" : reasons.joined(separator: "; ")
        return [("because", "\(known)\(contrary) (\(range(confidence, most)))")]
    }

    private static func range(_ confidence: Double, _ most: Double?) -> String {
        let (least, greatest) = (percent(confidence), percent(most ?? confidence))
        return least == greatest ? "\(least) %" : "\(least) to \(greatest) %"
    }

    /// Returns the verdict on an explained path, then the bias and every piece of evidence with its weight, one per line.
    static func lines(of verdict: WeighedVerdict) -> [String] {
        let words =
            switch verdict.probability {
            case 0.7...: "looks re-downloadable (\(verdict.percent) %)"
            case ..<0.3: "does not look re-downloadable (\(verdict.percent) %)"
            default: "undecided (\(verdict.percent) % re-downloadable)"
            }
        let start = Evidence.weightText(verdict.bias) + "  prior, before any evidence"
        return [words + (verdict.files.map { ", by \($0)" } ?? "")]
            + verdict.evidence.map { "\(weight($0))  \($0.value)" } + [start]
    }

    private static func percent(_ confidence: Double) -> Int { min(99, Int((confidence * 10_000).rounded()) / 100) }

    private static func weight(_ evidence: Evidence) -> String { Evidence.weightText(evidence.weight ?? 0) }
}

extension Evidence {
    /// Returns a weight in log-odds with its sign and two decimals: `+1.33`.
    static func weightText(_ weight: Double) -> String {
        let hundredths = Int((min(99, abs(weight)) * 100).rounded())
        let decimals = hundredths % 100
        return "\(weight < 0 ? "−" : "+")\(hundredths / 100).\(decimals < 10 ? "0" : "")\(decimals)"
    }
}

/// Confidence and evidence as the JSON formats write them.
enum EvidenceJSON {
    /// The confidence, never rounded up to certainty.
    static func confidence(_ confidence: Double) -> Double { min(0.9999, max(0, confidence)) }

    /// Writes an array of evidence, with weights if the evidence was weighed.
    static func write(_ evidence: [Evidence], to json: inout JSONWriter) {
        json.array("evidence") { json in
            for evidence in evidence {
                json.object { json in
                    json.field("kind", evidence.kind)
                    json.field("value", evidence.value)
                    if let weight = evidence.weight { json.number("weight", weight) }
                }
            }
        }
    }
}
