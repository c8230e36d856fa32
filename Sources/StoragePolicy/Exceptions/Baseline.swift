internal import TextOutput

/// Findings that are known and let be for now: a text that git merges well.
///
/// A line that names the format, then a line a finding: fingerprint, rule, whose container it is, and the path as a
/// report shows it, sorted. Only the fingerprint decides; the rest is for a reader, and tells what an entry is about when
/// it is no longer found. It holds no clock, no path of a machine and no content.
package struct Baseline: Sendable {
    /// One finding that is known.
    package struct Entry: Sendable, Hashable {
        package let fingerprint: String
        package let rule: String
        /// The identifier, percent-escaped; empty where none is known.
        package let container: String
        /// As a report shows it; `.` for the container itself, with `/` at its end where it stands for what lies there.
        package let path: String

        package var line: String { "\(fingerprint) \(rule) \(container.isEmpty ? "-" : container) \(path)" }
    }

    /// The first line.
    package static let header = "sandboxlint-baseline/1"

    private var byFingerprint: [String: Entry]

    /// By their lines.
    package var entries: [Entry] {
        byFingerprint.values.sorted { $0.line.utf8.lexicographicallyPrecedes($1.line.utf8) }
    }

    package init(_ entries: some Sequence<Entry>) {
        byFingerprint = Dictionary(entries.map { ($0.fingerprint, $0) }) { first, _ in first }
    }

    /// What a report holds, but for what is wrong with suppressions and baselines themselves.
    package init(_ report: LintReport) {
        self.init(report.findings.filter { $0.rule.exception == nil }.map(Entry.init))
    }

    /// The entry that a finding is known by; nil for a new one.
    package func entry(for finding: Finding) -> Entry? {
        guard !byFingerprint.isEmpty, finding.rule.exception == nil else { return nil }
        return finding.knownFingerprints.lazy.compactMap { byFingerprint[$0] }.first {
            finding.rule.names.contains($0.rule)
        }
    }

    /// The file's text.
    package var text: String { ([Self.header] + entries.map(\.line)).map { $0 + "\n" }.joined() }
}

extension Baseline.Entry {
    init(_ finding: Finding) {
        fingerprint = finding.fingerprint
        rule = finding.rule.id
        container = Self.word(finding.container)
        let end = finding.part == .item ? "" : "/"
        path = finding.path.isEmpty ? "." : finding.displayPath + end
    }

    /// An identifier without what parts words.
    static func word(_ identifier: String) -> String {
        ByteText.escaped(Array(identifier.utf8)).split(separator: " ", omittingEmptySubsequences: false)
            .joined(separator: "%20")
    }

    /// The path as bytes.
    var bytes: [UInt8] {
        if path == "." { return [] }
        let text = Array((path.hasSuffix("/") ? path.dropLast() : path[...]).utf8)
        var (bytes, index) = ([UInt8](), 0)
        while index < text.count {
            let digits = text[(index + 1)...].prefix(2)
            if text[index] == UInt8(ascii: "%"), digits.count == 2,
                let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return bytes
    }
}
