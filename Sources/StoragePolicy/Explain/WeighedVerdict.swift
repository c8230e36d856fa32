internal import ContainerTree
internal import PolicyTexts
internal import TextOutput

/// The verdict of the weighed evidence on one path.
public struct WeighedVerdict: Sendable {
    /// The probability that the data is re-downloadable, from 0 to 1.
    public let probability: Double
    /// The log-odds before any evidence.
    public let bias: Double
    /// Every piece of evidence with its contribution in log-odds, the strongest first.
    public let evidence: [Evidence]
    /// The files that it is about where the path is a directory: `the largest of 3 groups of files here: 45 pictures`.
    public let files: String?

    /// The probability in whole percent, never rounded up to certainty.
    public var percent: Int { min(99, Int(probability * 100)) }
}

/// The verdict on the path that a run explains: on the file itself, or on the largest group of files below a directory.
struct TracedVerdict {
    private var best: (bytes: UInt64, verdict: Verdict, group: EvidenceGroup)?
    private var groups = 0
    /// True if the verdict is on the path itself and not on what lies below it.
    private var isOnItself = false

    /// Adds the verdict on a group that may hold the file; `isExact` if it has the file's own traits.
    mutating func add(_ verdict: Verdict, on group: EvidenceGroup, isExact: Bool) {
        if isExact || best == nil { best = (group.bytes, verdict, group) }
        isOnItself = true
    }

    /// Adds the verdict on a group of files below the path.
    mutating func add(_ verdict: Verdict, below group: EvidenceGroup) {
        groups += 1
        if group.bytes > best?.bytes ?? 0 || best == nil { best = (group.bytes, verdict, group) }
    }

    /// The verdict with its evidence; nil where nothing was weighed.
    func weighed(_ model: EvidenceModel) -> WeighedVerdict? {
        guard let best else { return nil }
        let kind = model.vocabulary.kinds[Int(best.group.traits.kind)]
        let files = "\(UndeclaredDirectory.count(best.group.items, kind: kind)), \(Quantity.bytes(best.bytes))"
        return WeighedVerdict(
            probability: best.verdict.probability, bias: model.bias,
            evidence: best.verdict.contributions.map { Evidence(kind: $0.kind, value: $0.text, weight: $0.weight) },
            files: isOnItself
                ? nil : groups == 1 ? files : "the largest of \(groups) groups of files here: \(files)")
    }
}

extension EvidenceGroup {
    /// Returns true if a file of the group's directory with these traits may be one of the group. Of too many groups in one
    /// directory the last ones have no traits but one kind.
    func mayHold(_ traits: NameTraits) -> Bool { self.traits == traits || self.traits.isWithoutTraits }

    /// Returns true if a file of the group's directory is one of the group, or may be one of those that are not listed. Files of
    /// equal traits have verdicts of their own where an address names them, or their content differs.
    func mayHold(_ name: [UInt8], traits: NameTraits) -> Bool {
        mayHold(traits) && (!isListed || files.contains { $0.name.elementsEqual(name) })
    }
}

extension FileAccount {
    /// The reason why no evidence was weighed.
    var reason: String {
        switch self {
        case .candidate: "the container has too many candidates"
        case .excluded: "it is excluded from backup"
        case .system: "it belongs to the system"
        case .ignored: "the configuration ignores it"
        case .declared: "the configuration declares what it is"
        case .userData: "user data: its origin attribute, recorded traffic or the registry proves it"
        case .fetched: "an attribute says where it came from, which does not prove that the app can fetch it again"
        case .part: "it belongs to a database, and is judged with it"
        case .regenerable: "re-downloadable: its origin attribute, recorded traffic or the registry proves it"
        }
    }
}

extension NameTraits {
    fileprivate var isWithoutTraits: Bool { head < 0 && themes == 0 && shape.isEmpty && registryEntry < 0 }
}
