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

    /// Returns the reason for a finding in one sentence, without weights: the strongest evidence for the verdict, and the strongest
    /// against it, for as many of several findings as have the first. Evidence of less than a quarter of the strongest is not named.
    static func reason(of finding: Finding, among findings: [Finding]) -> String? {
        let strongest = finding.evidence.map { abs($0.weight ?? 0) }.max() ?? 0
        let weighed = finding.evidence.filter { abs($0.weight ?? 0) >= strongest / 4 && $0.weight != nil }
        let reasons = weighed.filter { $0.weight ?? 0 > 0 }.prefix(findings.count > 1 ? 1 : 2)
        let known = reasons.isEmpty ? "little is known" : FindingNotes.joined(reasons.map(\.value))
        let confidences = findings.compactMap(\.confidence)
        let (least, most) = (confidences.min() ?? 0, confidences.max())
        let contrary = weighed.first { $0.weight ?? 0 < 0 && least < 0.98 }.map { "; but \($0.value)" } ?? ""
        // The message of one finding has its confidence.
        return known + contrary + scope(of: Array(reasons), in: findings, and: "\(range(least, most)) sure")
    }

    /// The end of a reason for several findings: the number of those that have evidence of these kinds, and another fact.
    static func scope(of evidence: [Evidence], in findings: [Finding], and fact: String? = nil) -> String {
        guard findings.count > 1 else { return "" }
        let alike = findings.count { finding in
            evidence.allSatisfy { piece in finding.evidence.contains { $0.kind == piece.kind } }
        }
        let isSame = findings.allSatisfy { finding in evidence.allSatisfy { finding.evidence.contains($0) } }
        let all = Quantity.grouped(findings.count)
        let number = alike == findings.count ? "all \(all)" : "\(Quantity.grouped(alike)) of \(all)"
        return " (\(number)\(isSame ? "" : " alike")\(fact.map { ", \($0)" } ?? ""))"
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
