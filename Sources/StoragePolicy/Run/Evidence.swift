internal import TextOutput

/// Something that decided a rule.
public struct Evidence: Sendable, Hashable {
    /// The kind: `registry`, `origin`, `name`, `age`, `target`, …
    public let kind: String
    /// The text, without secrets and paths of this machine.
    public let value: String
    /// The contribution in log-odds, where the finding rests on weighed evidence; positive speaks for re-downloadable.
    public let weight: Double?
    /// The digests of the places of a file in which the problem was found, for a rule that may find it several times in one
    /// file. Contains each time, also those that no report lists.
    package let places: [UInt64]

    /// Returns true for a kind of evidence of data which the app computed from its own files.
    static func isOfComputedData(_ kind: String) -> Bool { computed.contains(kind) }

    private static let computed: Set<String> = [
        "word-thumbnail", "nearest-thumbnail", "word-log", "nearest-log", "log-name", "kind-log", "log-lines",
        "crash-report",
        "derived-name", "derived-beside-original", "kind-derived", "text-index", "word-mirror", "nearest-mirror",
    ]

    /// The kinds of evidence that name a file of equal content.
    package static let equalFiles: Set<String> = ["copy", "duplicate"]

    /// Evidence whose value may quote a rule or a file: what steers a terminal is replaced.
    package init(kind: String, value: String, weight: Double? = nil, places: [UInt64] = []) {
        (self.kind, self.value, self.places) = (kind, ByteText.printable(value), places)
        // With the precision of reports, so that a report that is read again is the same.
        self.weight = weight.map { ($0 * 10_000).rounded() / 10_000 }
    }
}
