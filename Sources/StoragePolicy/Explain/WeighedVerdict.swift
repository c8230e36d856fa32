internal import ContainerTree
internal import FileSystem
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

/// Keeps the verdict on the path that a run explains.
final class VerdictTrace: VerdictObserver {
    private struct Kept {
        var best: (bytes: UInt64, verdict: Verdict, group: EvidenceGroup)?
        var groups = 0
        /// True if the verdict is on the path itself and not on what lies below it.
        var isExact = false
    }
    private let trace: ItemTrace
    private let parent: [UInt8]
    private let name: [UInt8]
    private let below: [UInt8]
    private let kept = LockedValue(Kept())

    init(_ trace: ItemTrace) {
        self.trace = trace
        let slash = UInt8(ascii: "/")
        parent = Array(trace.path[..<(trace.path.lastIndex(of: slash) ?? 0)])
        name = Array(trace.path[(trace.path.lastIndex(of: slash).map { $0 + 1 } ?? 0)...])
        below = trace.path.isEmpty ? [] : trace.path + [slash]
    }

    func observe(
        _ verdict: Verdict, _ pieces: [PieceOfEvidence], on group: EvidenceGroup, in directory: DirectoryEvidence
    ) {
        if let (account, traits) = trace.account {
            guard directory.path == parent, case .candidate = account, let traits else { return }
            // Of too many groups in one directory the last ones have no traits but one kind.
            guard group.traits == traits || group.traits.isWithoutTraits else { return }
            // Files of equal traits have verdicts of their own where an address names them, or their content differs.
            guard !group.isListed || group.files.contains(where: { $0.name.elementsEqual(name) }) else { return }
            kept.withLock { kept in
                if group.traits == traits || kept.best == nil { kept.best = (group.bytes, verdict, group) }
                kept.isExact = true
            }
        } else if directory.path == trace.path || directory.path.starts(with: below) {
            kept.withLock { kept in
                kept.groups += 1
                if group.bytes > kept.best?.bytes ?? 0 || kept.best == nil {
                    kept.best = (group.bytes, verdict, group)
                }
            }
        }
    }

    /// The verdict; nil where nothing was weighed.
    func verdict(_ model: EvidenceModel) -> WeighedVerdict? {
        kept.withLock { kept in
            guard let best = kept.best else { return nil }
            let kind = model.vocabulary.kinds[Int(best.group.traits.kind)]
            let files = "\(UndeclaredDirectory.count(best.group.items, kind)), \(Quantity.bytes(best.bytes))"
            let isOnly = kept.groups == 1
            return WeighedVerdict(
                probability: best.verdict.probability, bias: model.bias,
                evidence: best.verdict.contributions.map {
                    Evidence(kind: $0.kind, value: $0.text, weight: $0.weight)
                },
                files: kept.isExact
                    ? nil : isOnly ? files : "the largest of \(kept.groups) groups of files here: \(files)")
        }
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
        case .userData: "user data: its origin attribute or the registry proves it"
        case .regenerable: "re-downloadable: its origin attribute or the registry proves it"
        }
    }
}

extension NameTraits {
    fileprivate var isWithoutTraits: Bool { head < 0 && themes == 0 && shape.isEmpty && registryEntry < 0 }
}
